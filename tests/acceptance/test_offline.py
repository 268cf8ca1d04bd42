"""Nothing phones home: no process of a running system connects to another machine, Ray's own included."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.no_network import is_local

# Looks at the TCP connections of this process and of all that it has started, from before Ray starts until it has
# ended: established ones and attempts.
SCRIPT = """
import asyncio, json, socket, threading
import psutil
from agentactors import Agent, AgentSystem, capability

class Echo(Agent):
    @capability("echo.say")
    async def say(self, text: str) -> str:
        return text

seen, looks, over = set(), 0, threading.Event()

def look():
    global looks
    me = psutil.Process()
    while not over.wait(0.1):
        for process in (me, *me.children(recursive=True)):
            try:
                found = process.net_connections("tcp")
            except psutil.Error:
                continue
            seen.update(one.raddr.ip for one in found if one.raddr)
        looks += 1

async def main():
    async with AgentSystem.start() as system:
        await system.spawn(Echo)
        for _ in range(20):
            await system.ask("echo.say", {"text": "hello"})

looking = threading.Thread(target=look)
looking.start()
try:
    asyncio.run(main())
finally:
    over.set()
    looking.join()
print(json.dumps({"looks": looks, "seen": sorted(seen)}))
"""


@pytest.mark.spec("OPS-04")
def test_no_process_of_a_system_connects_to_another_machine(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=110, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["looks"] > 5
    assert found["seen"], "Ray's own connections within the machine are seen"
    assert [host for host in found["seen"] if not is_local(host)] == []
