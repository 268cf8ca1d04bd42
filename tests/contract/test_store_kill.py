"""What was acknowledged survives the death of the process that wrote it: really killed, really reopened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agentactors.config import Settings
from agentactors.store.engine import sqlite_url
from agentactors.store.sql import SqlJournalStore, SqlRegistryStore

WRITER = """
import asyncio, sys
from agentactors.config import Settings
from agentactors.registry.row import ReplicaRow
from agentactors.registry.status import AgentStatus
from agentactors.store.sql import SqlJournalStore, SqlRegistryStore


async def main(registry_url: str, journal_url: str) -> None:
    registry, journal = SqlRegistryStore(registry_url), SqlJournalStore(journal_url, Settings())
    state = await registry.open()
    await journal.open()
    for number in range(1, 100_000):
        row = ReplicaRow(
            agent_id=f"a{number}", replica_id="0", owner="t", incarnation=number, instance_id="i",
            status=AgentStatus.ACTIVE, declaration={},
        )
        await registry.save([row], {(f"a{number - 1}", "0"): number - 1}, number, incarnation=state.incarnation)
        await journal.put_context("r", "t", str(number % 50), str(number).encode(), now=0.0, ttl_s=1e9)
        await journal.put_result(f"r{number}", "t", str(number).encode(), now=0.0, ttl_s=1e9)
        print(number, flush=True)


asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.spec("RAY-08", "RUN-07")
async def test_acknowledged_writes_survive_a_kill(tmp_path: Path) -> None:
    registry_url, journal_url = sqlite_url(tmp_path / "registry.db"), sqlite_url(tmp_path / "journal.db")
    command = [sys.executable, "-c", WRITER, registry_url, journal_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:  # noqa: ASYNC220  # it is the test's subject
        assert writer.stdout is not None
        acknowledged = 0
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged == 25:
                os.kill(writer.pid, signal.SIGKILL)
    assert writer.returncode == -signal.SIGKILL
    registry, journal = SqlRegistryStore(registry_url), SqlJournalStore(journal_url, Settings())
    state = await registry.open()
    assert state.incarnation == 2
    assert state.epoch >= acknowledged
    assert [row.agent_id for row in state.rows] == [f"a{state.epoch}"]
    assert state.counters[f"a{acknowledged}", "0"] == acknowledged
    assert await journal.open() == 2
    for number in range(1, acknowledged + 1):
        assert await journal.get_result(f"r{number}", "t") == str(number).encode()
    held = await journal.get_context("r", "t")
    assert held is not None
    assert int(held.values[str(acknowledged % 50)]) >= acknowledged
    await registry.close()
    await journal.close()
