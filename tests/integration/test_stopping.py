"""Time-outs, cancellation, streams and back-pressure: what stops, what waits and what is refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agentactors import AgentSystem
from agentactors.errors import AgentFailed, Cancelled, DeadlineExceeded, Overloaded
from agentactors.protocol import wire
from agentactors.runtime import names
from tests.support.agents import Misbehaving, Napper, Sleeper
from tests.support.messages import action
from tests.support.systems import ray_calls, running, sender, target_of
from tests.support.waiting import drained, until

IN_FLIGHT = 8
BUFFER = 6


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    folder = tmp_path_factory.mktemp("stopping")
    async with running(folder, max_in_flight=IN_FLIGHT, stream_buffer_items=BUFFER, sync_threads=4) as started:
        await asyncio.gather(*(started.spawn(agent) for agent in (Sleeper, Napper, Misbehaving)))
        yield started


async def noted(system: AgentSystem, note: str, capability: str = "sleep.notes", *, within_s: float = 3.0) -> None:
    """Wait until the agent itself has noted something."""

    async def look() -> bool:
        return note in (await system.ask(capability)).data

    await until(look, within_s=within_s, what=note)


async def idle(system: AgentSystem, agent_id: str) -> None:
    """Wait until no call holds a slot."""

    async def look() -> bool:
        return not (await system.describe(names.host(agent_id, "0")))["in_flight"]

    await until(look, within_s=5, what=f"{agent_id} is idle")


@pytest.mark.spec("RAY-09", "REACH-12")
async def test_a_call_that_times_out_is_stopped_in_the_agent(system: AgentSystem) -> None:
    begun = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        await system.ask("sleep.wait", {"name": "late", "seconds": 30}, timeout_s=0.4)
    assert time.monotonic() - begun < 2.0
    await noted(system, "late stopped")


@pytest.mark.spec("RAY-09")
async def test_a_call_whose_caller_is_cancelled_is_stopped_in_the_agent(system: AgentSystem) -> None:
    asking = asyncio.ensure_future(system.ask("sleep.wait", {"name": "unwanted", "seconds": 30}))
    await noted(system, "unwanted began")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await noted(system, "unwanted stopped")
    await idle(system, "sleeper")


@pytest.mark.spec("RAY-09", "REACH-12", "RUN-05")
async def test_what_an_agent_has_asked_for_is_stopped_with_it(system: AgentSystem) -> None:
    asking = asyncio.ensure_future(system.ask("sleep.nested", {"name": "inner", "seconds": 30}, timeout_s=15))

    async def begun() -> list[str]:
        return [n for n in (await system.ask("nap.notes")).data if n.startswith("inner began with")]

    found = await until(begun, within_s=3)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await noted(system, "inner stopped", "nap.notes")
    assert 5 < float(found[0].rpartition(" ")[2]) <= 15, "the nested call has what is left of the deadline"


@pytest.mark.spec("REACH-12", "RAY-09")
async def test_the_deadline_covers_the_nested_chain(system: AgentSystem) -> None:
    with pytest.raises(DeadlineExceeded):
        await system.ask("sleep.nested", {"name": "deep", "seconds": 30}, timeout_s=0.8)
    await noted(system, "deep stopped", "nap.notes")


@pytest.mark.spec("RAY-09")
async def test_a_handler_in_a_thread_sees_that_it_was_cancelled(system: AgentSystem) -> None:
    with pytest.raises(DeadlineExceeded):
        await system.ask("sleep.in_thread", {"name": "slow thread", "seconds": 20}, timeout_s=0.4)
    await noted(system, "slow thread saw cancelled")
    asking = asyncio.ensure_future(system.ask("sleep.in_thread", {"name": "thread", "seconds": 20}))
    await noted(system, "thread began")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await noted(system, "thread saw cancelled")
    await idle(system, "sleeper")


@pytest.mark.spec("REACH-14")
async def test_the_first_item_comes_before_the_stream_ends(system: AgentSystem) -> None:
    begun = time.monotonic()
    async with system.stream("sleep.count", {"name": "slow", "items": 3, "pause_s": 30.0}) as stream:
        async for item in stream:
            assert item == 0
            break
    assert time.monotonic() - begun < 5
    assert "slow 1" not in (await system.ask("sleep.notes")).data


@pytest.mark.spec("REACH-14")
@pytest.mark.parametrize("capability", ["sleep.count", "sleep.count_in_thread"])
async def test_items_come_in_their_order(system: AgentSystem, capability: str) -> None:
    async with system.stream(capability, {"name": "whole", "items": 50}) as stream:
        assert [item async for item in stream] == list(range(50))
    assert (await system.ask(capability, {"name": "asked", "items": 4})).data == [0, 1, 2, 3]


@pytest.mark.spec("REACH-14")
async def test_an_error_in_a_stream_comes_in_its_place(system: AgentSystem) -> None:
    seen: list[int] = []
    with pytest.raises(AgentFailed, match="the paper is out"):
        await drained(system.stream("fail.stream", {"good": 20}), seen)
    assert seen == list(range(20))
    await idle(system, "misbehaving")


@pytest.mark.spec("RAY-09")
async def test_leaving_a_stream_stops_its_producer_within_a_second(system: AgentSystem) -> None:
    async with system.stream("sleep.count", {"name": "left", "items": 10_000, "pause_s": 0.01}) as stream:
        async for item in stream:
            if item == 3:
                break
        left = time.monotonic()
    async with asyncio.timeout(1.0):
        while not (closed := [n for n in (await system.ask("sleep.notes")).data if n.startswith("left closed")]):
            pass
    assert time.monotonic() - left < 1.5
    assert int(closed[0].rpartition(" ")[2]) <= 4 + 2 * BUFFER
    await idle(system, "sleeper")


@pytest.mark.spec("RAY-09")
async def test_leaving_a_stream_of_a_thread_or_with_an_error_stops_it_too(system: AgentSystem) -> None:
    with pytest.raises(ZeroDivisionError):
        await _fail_within(system)
    await noted(system, "thread left closed", within_s=1.5)

    slow = system.stream("sleep.count", {"name": "cancelled", "items": 10, "pause_s": 30.0})
    consuming = asyncio.ensure_future(drained(slow))
    await noted(system, "cancelled 0")
    consuming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await consuming
    await noted(system, "cancelled closed at 1", within_s=1.5)
    await idle(system, "sleeper")


async def _fail_within(system: AgentSystem) -> None:
    async with system.stream("sleep.count_in_thread", {"name": "thread left", "items": 10_000}) as stream:
        async for _item in stream:
            raise ZeroDivisionError


@pytest.mark.spec("RAY-09", "REACH-12")
async def test_a_stream_passes_its_deadline_as_an_error(system: AgentSystem) -> None:
    with pytest.raises(DeadlineExceeded):
        await drained(system.stream("sleep.count", {"name": "timed", "items": 9, "pause_s": 30.0}, timeout_s=0.5))
    await noted(system, "timed closed at 1")


@pytest.mark.spec("RAY-10")
async def test_a_slow_consumer_slows_its_producer(system: AgentSystem) -> None:
    async def produced() -> int:
        return sum(note.startswith("ahead ") for note in (await system.ask("sleep.notes")).data)

    async with system.stream("sleep.count", {"name": "ahead", "items": 500}) as stream:
        taken = 0
        async for _item in stream:
            taken += 1
            if taken in (1, 20, 100):
                most = 0
                for _ in range(10):  # each look is a whole call: the producer has had its turns
                    most = max(most, await produced())
                # What was read, what may lie unread, and the item that waits in the producer's hand.
                assert taken <= most <= taken + BUFFER + 1
            if taken == 120:
                break
    await idle(system, "sleeper")


@pytest.mark.spec("RAY-10", "REACH-17")
async def test_more_than_a_replica_takes_is_refused_at_once(system: AgentSystem) -> None:
    admitted = [
        asyncio.ensure_future(system.ask("nap.wait", {"name": f"busy {n}", "seconds": 2.0})) for n in range(IN_FLIGHT)
    ]

    async def full() -> bool:
        return bool((await system.describe(names.host("napper", "0")))["in_flight"] == IN_FLIGHT)

    await until(full, within_s=3)
    begun = time.monotonic()
    surplus = [system.ask("nap.wait", {"name": "surplus", "seconds": 0.0}) for _ in range(200)]
    outcomes = await asyncio.gather(*surplus, return_exceptions=True)
    took_s = time.monotonic() - begun
    assert {type(outcome) for outcome in outcomes} == {Overloaded}
    assert all(isinstance(o, Overloaded) and o.details["retry_after_s"] > 0 for o in outcomes)
    assert took_s < 2.0, "refusals do not wait for a slot"
    with pytest.raises(Overloaded):
        await system.submit("nap.wait", {"name": "surplus", "seconds": 0.0})
    with pytest.raises(Overloaded):
        await drained(system.stream("nap.wait", {"name": "surplus", "seconds": 0.0}))
    assert [result.data for result in await asyncio.gather(*admitted)] == [f"busy {n}" for n in range(IN_FLIGHT)]
    notes = (await system.ask("nap.notes")).data
    assert not [note for note in notes if note.startswith("surplus")]
    refused = (await system.describe(names.host("napper", "0")))["admission"]["refused"]
    assert refused >= len(surplus) + 2


@pytest.mark.spec("COLLAB-04", "RUN-05")
async def test_cancel_is_harmless_before_and_after_the_work(system: AgentSystem) -> None:
    handle = await _host(system, "napper")
    await handle.cancel.remote("msg-unknown")
    result = await system.ask("nap.wait", {"name": "done", "seconds": 0.0})
    await handle.cancel.remote(result.request_id)
    assert (await system.ask("nap.wait", {"name": "more", "seconds": 0.0})).data == "more"


@pytest.mark.spec("RUN-05", "RAY-09")
async def test_a_call_that_is_cancelled_at_its_host_reports_so(system: AgentSystem) -> None:
    request = action("nap.wait", "napper", {"name": "by id", "seconds": 30})
    target = await target_of(system, "napper")
    async with sender(system) as sending:
        asking = asyncio.ensure_future(
            sending.ask(target, wire.encode(request), (), want_ref=False, deadline=time.time() + 20)
        )
        await until(lambda: _began(system), within_s=3)
        await (await _host(system, "napper")).cancel.remote(request.message_id)
        with pytest.raises(Cancelled):
            await asking
    await noted(system, "by id stopped", "nap.notes")


@pytest.mark.spec("RUN-05", "RAY-09")
async def test_a_stream_that_is_cancelled_at_its_host_ends(system: AgentSystem) -> None:
    request = action("sleep.count", "sleeper", {"name": "stream by id", "items": 9, "pause_s": 30.0})
    target = await target_of(system, "sleeper")
    async with sender(system) as sending:
        frames = sending.stream(target, request, wire.encode(request), (), window=BUFFER)
        first = await anext(frames)
        assert first.value == 0
        await (await _host(system, "sleeper")).cancel.remote(request.message_id)
        with pytest.raises(Cancelled):
            await anext(frames)
    await noted(system, "stream by id closed at 1")
    await idle(system, "sleeper")


async def _began(system: AgentSystem) -> bool:
    return any(note.startswith("by id began") for note in (await system.ask("nap.notes")).data)


async def _host(system: AgentSystem, agent_id: str) -> Any:
    return await ray_calls(system).handle(names.host(agent_id, "0"), deadline=time.time() + 5)
