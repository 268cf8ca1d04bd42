"""A system that one terminal has started, looked at from another: nothing is inherited but the user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

KEEPER = """
import asyncio, sys
from agentactors import Agent, AgentSystem, capability

class Greeter(Agent):
    '''Greets.'''

    @capability("greeting.create")
    async def create(self, name: str) -> str:
        '''Greet.'''
        return f"Hello, {name}!"

async def main() -> None:
    async with AgentSystem.start("greetings") as system:
        await system.spawn(Greeter)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""

ASKER = """
import asyncio
from agentactors import AgentSystem

async def main() -> None:
    async with AgentSystem.attach("greetings") as system:
        print((await system.ask("greeting.create", {"name": "Ada"})).data)

asyncio.run(main())
"""


def environment(folder: Path) -> dict[str, str]:
    """Return what a fresh terminal has: nothing of Ray's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return {**kept, "XDG_STATE_HOME": str(folder / "state"), "COLUMNS": "100"}


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a process that runs a system until its input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", KEEPER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(tmp_path),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a fresh terminal."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(folder),
        check=False,
    )


@pytest.mark.spec("RAY-03", "OPS-01")
def test_another_terminal_finds_asks_and_examines_a_system(keeper: subprocess.Popen[str], tmp_path: Path) -> None:
    del keeper
    asked = run("-c", ASKER, folder=tmp_path)
    assert asked.stdout == "Hello, Ada!\n", asked.stderr
    listed = run("-m", "agentactors", "agents", "--json", folder=tmp_path)
    assert listed.returncode == 0, listed.stderr
    (row,) = json.loads(listed.stdout)
    assert (row["agent_id"], row["status"], row["capabilities"]) == ("greeter", "active", ["greeting.create"])
    examined = run("-m", "agentactors", "doctor", "--json", folder=tmp_path)
    found = {one["what"]: one for one in json.loads(examined.stdout)}
    assert found["greetings: registry"]["ok"], found
    assert found["greetings: greeter/0"]["ok"], found


@pytest.mark.spec("OPS-03")
def test_a_system_whose_cluster_is_gone_is_told_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "agentactors" / "systems"
    folder.mkdir(parents=True)
    record = {
        "name": "gone",
        "address": "127.0.0.1:9",
        "namespace": "agentactors.gone",
        "pid": os.getpid(),
        "started_at": 0.0,
        "detached": True,
        "data_dir": str(folder / "gone"),
    }
    (folder / "gone.json").write_text(json.dumps(record), encoding="utf-8")
    done = run("-m", "agentactors", "agents", "--system", "gone", folder=tmp_path)
    assert done.returncode == 2
    assert "Nothing listens at 127.0.0.1:9" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
