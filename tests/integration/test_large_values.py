"""Large values through plasma: read-only, without copies, owned by whoever pulled them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import numpy as np
import pyarrow as pa
import pytest

from agentactors import AgentSystem
from agentactors.errors import AgentActorsError, InvalidMessage, StateLost
from tests.support.agents import Carrier
from tests.support.systems import kill, lives, pid_of, running
from tests.support.waiting import until

MEGABYTES_16 = 2 * 1024 * 1024  # float64


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    async with running(tmp_path_factory.mktemp("large")) as started:
        await started.spawn(Carrier)
        yield started


@pytest.mark.spec("RAY-04")
async def test_parameters_arrive_read_only(system: AgentSystem) -> None:
    array = np.ones(200_000)
    seen = (
        await system.ask(
            "carry.look", {"array": array, "table": pa.table({"a": [1, 2, 3]}), "data": b"\x05" * 1_500_000}
        )
    ).data
    assert seen == {
        "sum": 200_000.0,
        "rows": 3,
        "bytes": 1_500_000,
        "first": 5,
        "array_writeable": False,
        "data_readonly": True,
        "array_owns": False,
    }
    assert array.flags.writeable, "the caller's own array stays its own"


@pytest.mark.spec("RAY-04")
async def test_results_arrive_read_only(system: AgentSystem) -> None:
    array = (await system.ask("carry.array", {"size": 200_000})).data
    assert array[-1] == 199_999.0
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1.0
    table = (await system.ask("carry.table", {"rows": 1000})).data
    assert table.num_rows == 1000
    data = (await system.ask("carry.buffer", {"size": 2_000_000})).data
    assert (len(data), data[7], data.readonly) == (2_000_000, 7, True)
    mixed = (await system.ask("carry.mixed", {"size": 5000})).data
    assert mixed["name"] == "mixed"
    assert mixed["array"].sum() == 5000
    assert (await system.ask("carry.text", {"size": 3_000_000})).data == "x" * 3_000_000


@pytest.mark.spec("RAY-04")
async def test_reading_a_large_array_copies_nothing(system: AgentSystem) -> None:
    ref = system.put(np.ones(4 * MEGABYTES_16))
    await system.ask("carry.growth", {"array": np.ones(1000)})
    seen = (await system.ask("carry.growth", {"array": ref})).data
    assert seen["sum"] == 4 * MEGABYTES_16
    assert seen["grown"] < ref.size_bytes / 4
    assert system.release(ref)


@pytest.mark.spec("RAY-04")
async def test_a_value_passes_between_agents_by_reference(system: AgentSystem) -> None:
    assert (await system.ask("carry.relay", {"size": 1001})).data == 500_500.0


@pytest.mark.spec("RAY-04")
async def test_a_stream_carries_large_items(system: AgentSystem) -> None:
    sizes = [10, 300_000, 20]
    async with system.stream("carry.parts", {"sizes": sizes}) as stream:
        items = [item async for item in stream]
    assert [(len(item), item[0], item.flags.writeable) for item in items] == [(n, float(n), False) for n in sizes]
    with pytest.raises(InvalidMessage, match="no plain data"):
        await system.ask("carry.parts", {"sizes": [1, 2]})


@pytest.mark.spec("RAY-04")
async def test_a_value_that_was_released_is_lost(system: AgentSystem) -> None:
    ref = await system.ask_ref("carry.array", {"size": 1000})
    assert (ref.size_bytes, ref.kind) == (8000, "ndarray")
    assert (await system.read(ref)).sum() == 499_500.0
    assert system.release(ref)
    assert not system.release(ref)
    with pytest.raises(StateLost):
        await system.read(ref)
    with pytest.raises(StateLost):
        await system.ask("carry.sum", {"array": ref})


@pytest.mark.spec("RAY-05")
async def test_a_value_outlives_its_producer(tmp_path_factory: pytest.TempPathFactory) -> None:
    async with running(tmp_path_factory.mktemp("producer"), max_restarts=0) as system:
        await system.spawn(Carrier)
        ref = await system.ask_ref("carry.array", {"size": MEGABYTES_16})
        array = (await system.ask("carry.array", {"size": 300_000})).data
        pid = await pid_of(system, "carrier")
        kill(pid)
        await until(lambda: not lives(pid), within_s=5)
        assert (await system.read(ref))[-1] == MEGABYTES_16 - 1
        assert array[-1] == 299_999.0
        with contextlib.suppress(AgentActorsError):
            async with asyncio.timeout(10):
                await system.ask("carry.sum", {"array": ref}, timeout_s=2)
                pytest.fail("the producer is gone for good")
