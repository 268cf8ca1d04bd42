"""What every registry store promises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentactors.errors import StaleIncarnation, StoreUnavailable
from agentactors.registry.row import ReplicaRow
from agentactors.registry.status import AgentStatus
from agentactors.store.base import RegistryStore
from agentactors.store.engine import sqlite_url
from agentactors.store.memory import MemoryRegistryStore
from agentactors.store.open import open_registry_store
from agentactors.store.sql import SqlRegistryStore

Reopen = Callable[[], RegistryStore]


@pytest.fixture(params=["memory", "sqlite"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    """Return what gives a further store on the same data, as a restarted process would open it."""
    if request.param == "memory":
        store = MemoryRegistryStore()
        return lambda: store
    url = sqlite_url(tmp_path / "new folder" / "registry.db")
    return lambda: SqlRegistryStore(url)


def row(agent_id: str = "poet", replica_id: str = "0", incarnation: int = 1, **more: Any) -> ReplicaRow:
    return ReplicaRow(
        agent_id=agent_id,
        replica_id=replica_id,
        owner="t",
        incarnation=incarnation,
        instance_id="i",
        status=AgentStatus.ACTIVE,
        declaration={"agent_id": agent_id, "capabilities": [{"capability_id": "诗.写"}]},
        warnings=["w"],
        **more,
    )


async def test_a_new_store_is_empty(reopen: Reopen) -> None:
    store = reopen()
    state = await store.open()
    assert (state.incarnation, state.epoch, state.rows, dict(state.counters)) == (1, 0, [], {})
    await store.close()
    await store.close()


@pytest.mark.spec("RAY-08")
async def test_rows_come_back_as_they_were_saved(reopen: Reopen) -> None:
    store = reopen()
    state = await store.open()
    await store.save([row(), row(replica_id="1")], {}, 2, incarnation=state.incarnation)
    await store.save([row(incarnation=3, cause="x")], {}, 5, incarnation=state.incarnation)
    await store.close()
    again = reopen()
    state = await again.open()
    assert (state.incarnation, state.epoch) == (2, 5)
    assert sorted(state.rows, key=lambda one: one.key) == [row(incarnation=3, cause="x"), row(replica_id="1")]
    assert dict(state.counters) == {("poet", "0"): 3, ("poet", "1"): 1}
    await again.close()


@pytest.mark.spec("RUN-07")
async def test_incarnations_of_dropped_rows_are_kept(reopen: Reopen) -> None:
    store = reopen()
    state = await store.open()
    await store.save([row(incarnation=4)], {}, 1, incarnation=state.incarnation)
    await store.save([], {("poet", "0"): 4, ("never stored", "0"): 7}, 2, incarnation=state.incarnation)
    await store.close()
    again = reopen()
    state = await again.open()
    assert state.rows == []
    assert dict(state.counters) == {("poet", "0"): 4, ("never stored", "0"): 7}
    await again.save([row(incarnation=5)], {}, 3, incarnation=state.incarnation)
    await again.close()


@pytest.mark.spec("RUN-07")
async def test_an_older_writer_is_refused_and_writes_nothing(reopen: Reopen) -> None:
    old, new = reopen(), reopen()
    before = await old.open()
    await old.save([row()], {}, 1, incarnation=before.incarnation)
    after = await new.open()
    assert after.incarnation == before.incarnation + 1
    with pytest.raises(StaleIncarnation):
        await old.save([row("late")], {("poet", "0"): 1}, 9, incarnation=before.incarnation)
    await new.save([row("new")], {}, 2, incarnation=after.incarnation)
    last = await new.open()
    assert {one.agent_id for one in last.rows} == {"poet", "new"}
    assert last.epoch == 2
    await old.close()
    await new.close()


async def test_many_rows_in_one_save(reopen: Reopen) -> None:
    store = reopen()
    state = await store.open()
    await store.save([row(f"a{number}") for number in range(3000)], {}, 3000, incarnation=state.incarnation)
    assert len((await store.open()).rows) == 3000
    await store.close()


async def test_a_closed_or_unusable_database_is_store_unavailable(tmp_path: Path) -> None:
    closed = SqlRegistryStore(sqlite_url(tmp_path / "a.db"))
    state = await closed.open()
    await closed.close()
    with pytest.raises(StoreUnavailable):
        await closed.save([row()], {}, 1, incarnation=state.incarnation)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreUnavailable):
        await SqlRegistryStore(sqlite_url(tmp_path / "file" / "a.db")).open()
    (tmp_path / "garbage.db").write_bytes(b"this is no database, and long enough to be looked at" * 100)
    with pytest.raises(StoreUnavailable):
        await SqlRegistryStore(sqlite_url(tmp_path / "garbage.db")).open()


async def test_a_row_that_cannot_be_read_is_store_unavailable(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "a.db")
    store = SqlRegistryStore(url)
    state = await store.open()
    broken = msgspec.structs.replace(row(), declaration=3)
    await store.save([broken], {}, 1, incarnation=state.incarnation)
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        await store.open()
    await store.close()


def test_the_url_chooses_the_store(tmp_path: Path) -> None:
    assert isinstance(open_registry_store("memory:"), MemoryRegistryStore)
    assert isinstance(open_registry_store(sqlite_url(tmp_path / "a.db")), SqlRegistryStore)
