"""What every journal store promises."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from agentactors.config import Settings
from agentactors.errors import StaleIncarnation, TooLarge
from agentactors.store.base import JournalStore
from agentactors.store.bounds import MAX_KEY_BYTES
from agentactors.store.engine import sqlite_url
from agentactors.store.memory import MemoryJournalStore
from agentactors.store.open import open_journal_store
from agentactors.store.sql import SqlJournalStore

Reopen = Callable[[], JournalStore]
SETTINGS = Settings(context_value_bytes=100, context_chain_bytes=250)
TTL_S = 60.0


@pytest.fixture(params=["memory", "sqlite"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    """Return what gives a further store on the same data, as a restarted process would open it."""
    if request.param == "memory":
        first = MemoryJournalStore(SETTINGS)
        return lambda: MemoryJournalStore(SETTINGS, first)
    url = sqlite_url(tmp_path / "journal.db")
    return lambda: SqlJournalStore(url, SETTINGS)


async def values(store: JournalStore, request_id: str = "r", tenant: str = "t") -> dict[str, bytes] | None:
    found = await store.get_context(request_id, tenant)
    return None if found is None else found.values


@pytest.mark.spec("REACH-15")
async def test_conclusions_are_kept_by_request_and_tenant(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    await store.put_context("r", "t", "a", b"1", now=0.0, ttl_s=TTL_S)
    await store.put_contexts("r", "t", {"a": b"2", "主题": b"\x00\xff"}, now=1.0, ttl_s=TTL_S)
    await store.put_context("r2", "t", "a", b"other chain", now=0.0, ttl_s=TTL_S)
    await store.put_context("r", "u", "a", b"other tenant", now=0.0, ttl_s=TTL_S)
    assert await values(store) == {"a": b"2", "主题": b"\x00\xff"}
    assert await values(store, "r2") == {"a": b"other chain"}
    assert await values(store, "r", "u") == {"a": b"other tenant"}
    assert await values(store, "nobody") is None
    assert await values(store, "r2", "u") is None
    await store.close()
    again = reopen()
    await again.open()
    assert await values(again) == {"a": b"2", "主题": b"\x00\xff"}
    await again.close()


@pytest.mark.spec("REACH-15")
async def test_a_chain_expires_a_while_after_its_last_write(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    await store.put_context("r", "t", "a", b"1", now=0.0, ttl_s=TTL_S)
    await store.put_context("r", "t", "b", b"2", now=50.0, ttl_s=TTL_S)
    found = await store.get_context("r", "t")
    assert found is not None
    assert not found.expired(109.9)
    assert found.expired(110.0)
    assert await store.sweep(109.9, 100) == 0
    assert await store.sweep(110.0, 100) == 1
    assert await values(store) is None
    await store.close()


async def test_an_expired_chain_begins_anew(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    await store.put_context("r", "t", "a", b"x" * 90, now=0.0, ttl_s=TTL_S)
    await store.put_contexts("r", "t", {"b": b"x" * 90, "c": b"x" * 90}, now=60.0, ttl_s=TTL_S)
    assert set(await values(store) or ()) == {"b", "c"}
    await store.close()


@pytest.mark.spec("REACH-15")
async def test_bounds_name_the_key_and_store_nothing(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    with pytest.raises(TooLarge) as caught:
        await store.put_contexts("r", "t", {"small": b"1", "big": b"x" * 101}, now=0.0, ttl_s=TTL_S)
    assert caught.value.details == {"key": "big", "size_bytes": 101, "limit_bytes": 100}
    assert await values(store) is None
    await store.put_contexts("r", "t", {"a": b"x" * 100, "b": b"x" * 100}, now=0.0, ttl_s=TTL_S)
    with pytest.raises(TooLarge) as caught:
        await store.put_contexts("r", "t", {"d": b"1", "c": b"x" * 60}, now=0.0, ttl_s=TTL_S)
    assert caught.value.details == {"key": "c", "size_bytes": 265, "limit_bytes": 250}
    assert set(await values(store) or ()) == {"a", "b"}
    await store.put_contexts("r", "t", {"a": b"", "c": b"x" * 60}, now=0.0, ttl_s=TTL_S)
    with pytest.raises(TooLarge):
        await store.put_context("r", "t", "k" * (MAX_KEY_BYTES + 1), b"", now=0.0, ttl_s=TTL_S)
    await store.close()


@pytest.mark.spec("REACH-12")
async def test_the_first_result_wins(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    assert await store.get_result("r", "t") is None
    writes = [store.put_result("r", "t", str(number).encode(), now=0.0, ttl_s=TTL_S) for number in range(8)]
    won = await asyncio.gather(*writes)
    assert sum(won) == 1
    kept = await store.get_result("r", "t")
    assert kept == str(won.index(True)).encode()
    assert await store.get_result("r", "u") is None
    assert await store.put_result("r", "u", b"mine", now=0.0, ttl_s=TTL_S)
    await store.close()


@pytest.mark.spec("RUN-09")
async def test_sweep_removes_the_expired_and_the_oldest_beyond_the_bound(reopen: Reopen) -> None:
    store = reopen()
    await store.open()
    for number in range(6):
        await store.put_context(f"r{number}", "t", "a", b"1", now=float(number), ttl_s=TTL_S)
        await store.put_result(f"r{number}", "t", b"1", now=float(number), ttl_s=TTL_S)
    assert await store.sweep(60.5, 3) == 6
    kept = [f"r{number}" for number in range(6) if await values(store, f"r{number}")]
    assert kept == ["r3", "r4", "r5"]
    assert [number for number in range(6) if await store.get_result(f"r{number}", "t")] == [3, 4, 5]
    assert await store.sweep(60.5, 3) == 0
    await store.close()


@pytest.mark.spec("RUN-07")
async def test_an_older_writer_is_refused(reopen: Reopen) -> None:
    old, new = reopen(), reopen()
    first = await old.open()
    await old.put_context("r", "t", "a", b"1", now=0.0, ttl_s=TTL_S)
    assert await new.open() == first + 1
    with pytest.raises(StaleIncarnation):
        await old.put_context("r", "t", "a", b"2", now=0.0, ttl_s=TTL_S)
    with pytest.raises(StaleIncarnation):
        await old.put_result("r", "t", b"2", now=0.0, ttl_s=TTL_S)
    with pytest.raises(StaleIncarnation):
        await old.sweep(1e9, 0)
    assert await values(new) == {"a": b"1"}
    assert await new.get_result("r", "t") is None
    await old.close()
    await new.close()


@pytest.mark.spec("REACH-24", "REACH-15")
async def test_concurrent_chains_do_not_mix(reopen: Reopen) -> None:
    store = reopen()
    await store.open()

    async def chain(number: int) -> None:
        for step in range(4):
            await store.put_context(f"r{number}", "t", f"k{step}", f"{number}.{step}".encode(), now=0.0, ttl_s=TTL_S)

    await asyncio.gather(*(chain(number) for number in range(10)))
    for number in range(10):
        assert await values(store, f"r{number}") == {f"k{step}": f"{number}.{step}".encode() for step in range(4)}
    await store.close()


def test_the_url_chooses_the_store(tmp_path: Path) -> None:
    assert isinstance(open_journal_store("memory:", SETTINGS), MemoryJournalStore)
    assert isinstance(open_journal_store(sqlite_url(tmp_path / "a.db"), SETTINGS), SqlJournalStore)
