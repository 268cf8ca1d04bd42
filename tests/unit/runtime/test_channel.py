"""Both ends of a direct channel over a real socket, without Ray: calls and streams."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import numpy as np
import pytest

from agentactors.errors import (
    AgentActorsError,
    AgentFailed,
    Cancelled,
    DeadlineExceeded,
    InvalidMessage,
    StateLost,
    TooLarge,
)
from agentactors.protocol import frames as f
from agentactors.protocol.stream import END, ITEM, MAX_NOTES, PROGRESS
from agentactors.runtime import attachments as attached
from tests.support.channels import LIMIT_BYTES, Both, call, nothing_left, opened, request, soon
from tests.support.waiting import until


async def test_calls_share_a_connection_and_find_their_answers(both: Both) -> None:
    channel = await both.connect()
    answers = await asyncio.gather(*(call(channel, number=number) for number in range(300)))
    assert answers == [(f.REPLY, {"number": number}, []) for number in range(300)]
    assert len(both.server.connections) == 1
    assert nothing_left(channel)
    channel.close("done")


async def test_what_is_told_is_taken(both: Both) -> None:
    channel = await both.connect()
    for keep in (b"\0", b"\1"):
        await channel.call(f.TELL, keep, request("echo"), (), soon())
    assert both.desk.counts == {"told": 1, "kept": 1}
    channel.close("done")


async def test_values_travel_beside_in_both_directions(both: Both) -> None:
    channel = await both.connect()
    arrays = [np.arange(1000.0), np.ones((3, 0)), np.array(7, dtype=">i2")]
    kind, _, values = await call(channel, "give", *arrays)
    assert kind == f.REPLY
    assert [(one.tolist(), one.shape, one.flags.writeable) for one in values] == [
        (one.tolist(), one.shape, False) for one in arrays
    ]
    assert nothing_left(channel)
    channel.close("done")


async def test_what_is_too_large_or_too_many_is_held(both: Both) -> None:
    channel = await both.connect()
    both.server.limit_bytes = 4000
    kind, _, values = await call(channel, "give", np.arange(1000.0))
    assert (kind, values) == (f.HELD, [])
    [(held,)] = both.desk.held.values()
    assert held.tolist() == list(range(1000))
    assert both.desk.counts["held bytes"] == 8000
    channel.close("done")


async def test_errors_come_back_as_they_are(both: Both) -> None:
    channel = await both.connect()
    with pytest.raises(StateLost, match="as asked"):  # its details hold what does not travel
        await call(channel, "fail", code="STATE_LOST")
    with pytest.raises(AgentFailed, match="ValueError: no paper"):
        await call(channel, "raise")
    with pytest.raises(InvalidMessage):
        await channel.call(f.CALL, b"", b"\xc1", (), soon())
    with pytest.raises(AgentActorsError):
        await channel.call(f.OPEN, b"", b"", (), soon())
    with pytest.raises(AgentActorsError):
        await channel.call(f.TELL, b"", b"", (), soon())
    assert (await call(channel, x=1))[1] == {"x": 1}
    channel.close("done")


async def test_a_message_that_fits_into_no_frame_harms_nobody(both: Both) -> None:
    channel = await both.connect()
    waiting = asyncio.create_task(call(channel, "wait", x=1))
    await until(lambda: both.desk.counts["delivered"] == 1, within_s=5)
    with pytest.raises(TooLarge):
        await channel.call(f.CALL, b"", bytes(f.MAX_BODY_BYTES + 1), (), soon())
    with pytest.raises(TooLarge):
        await channel.open(bytes(f.MAX_BODY_BYTES), (), window=1, deadline=soon(), collect=both.collect)
    both.desk.open.set()
    assert (await waiting)[1] == {"x": 1}
    assert nothing_left(channel)
    channel.close("done")


@pytest.mark.spec("RAY-09")
async def test_cancellation_reaches_the_service(both: Both) -> None:
    channel = await both.connect()
    task = asyncio.create_task(call(channel, "wait"))
    await until(lambda: both.desk.counts["delivered"] == 1, within_s=5)
    task.cancel()
    await until(lambda: both.desk.counts["cancelled"] == 1, within_s=1)
    assert task.cancelled()
    [served] = both.server.connections
    await until(lambda: not served._tasks and not served._given_up, within_s=1)
    assert nothing_left(channel)
    channel.close("done")


@pytest.mark.spec("RAY-09")
async def test_a_call_that_is_cancelled_before_it_is_written_leaves_nothing(both: Both) -> None:
    channel = await both.connect()
    tasks = [asyncio.create_task(call(channel, "wait")) for _ in range(3)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    inbox = await opened(both, channel, items=5)
    begun = time.monotonic()
    await inbox.close(cancel=True)
    assert time.monotonic() - begun < 0.5, "the end of a stream that never began is told, too"
    [served] = both.server.connections
    await until(lambda: not served._tasks and not served._given_up, within_s=1)
    assert nothing_left(channel)
    assert (await call(channel, x=1))[1] == {"x": 1}
    channel.close("done")


async def test_a_deadline_ends_call_and_work(both: Both) -> None:
    channel = await both.connect()
    with pytest.raises(DeadlineExceeded):
        await channel.call(f.CALL, b"", request("wait"), (), time.time() + 0.05)
    await until(lambda: both.desk.counts["cancelled"] == 1, within_s=1)
    with pytest.raises(DeadlineExceeded):
        await channel.call(f.CALL, b"", request("wait"), (), time.time() - 5)
    assert nothing_left(channel)
    channel.close("done")


async def test_a_call_that_somebody_else_cancels_says_so(both: Both) -> None:
    channel = await both.connect()
    task = asyncio.create_task(call(channel, "wait"))
    await until(lambda: both.desk.counts["delivered"] == 1, within_s=5)
    [served] = both.server.connections
    [work] = served._tasks.values()
    work.cancel()
    with pytest.raises(Cancelled):
        await task
    channel.close("done")


async def test_a_stream_waits_for_credit_and_leaves_nothing(both: Both) -> None:
    channel = await both.connect()
    inbox = await opened(both, channel, window=3, items=8)
    seen: list[Any] = []
    await until(lambda: both.desk.counts["items"] == 3, within_s=2)
    while (frame := await inbox.next()) is not None:
        assert both.desk.counts["items"] <= len(seen) + 3
        if frame.kind is ITEM:
            seen.append(frame.value)
            inbox.grant(1)
        else:
            assert frame.kind is END
    assert seen == list(range(8))
    assert nothing_left(channel), "a stream that was read to its end needs no closing"
    channel.close("done")


@pytest.mark.spec("RAY-09")
async def test_leaving_a_stream_stops_its_producer_and_frees_its_number(both: Both) -> None:
    channel = await both.connect()
    inbox = await opened(both, channel, window=2, items=100)
    assert (await inbox.next() or (None,))[0] is ITEM
    await inbox.close(cancel=True)
    assert both.desk.counts["closed"] == 1
    assert nothing_left(channel)
    channel.close("done")


async def test_a_stream_that_passes_its_deadline_stops(both: Both) -> None:
    channel = await both.connect()
    inbox = await opened(both, channel, window=1, items=2, deadline=time.time() + 0.05)
    assert (await inbox.next() or (None,))[0] is ITEM
    with pytest.raises(DeadlineExceeded):
        await inbox.next()
    await until(lambda: both.desk.counts["closed"] == 1, within_s=1)
    assert nothing_left(channel)
    channel.close("done")


async def test_large_items_are_held_in_their_place(both: Both) -> None:
    channel = await both.connect()
    payloads = attached.fit([np.arange(100.0)], LIMIT_BYTES)
    assert payloads is not None
    both.server.limit_bytes = 100
    inbox = await channel.open(request("count", items=3), payloads, window=4, deadline=soon(), collect=both.collect)
    for number in range(3):
        frame = await inbox.next()
        assert frame is not None
        assert (frame.value, frame.attachments[0].sum()) == (number, 4950.0)
    assert not both.desk.held
    await inbox.close(cancel=True)
    channel.close("done")


async def test_an_item_that_is_lost_stops_the_stream(both: Both) -> None:
    channel = await both.connect()
    payloads = attached.fit([np.arange(100.0)], LIMIT_BYTES)
    assert payloads is not None

    async def lost(key: str) -> tuple[Any, ...]:
        raise StateLost(key)

    both.server.limit_bytes = 100
    inbox = await channel.open(request("count", items=30), payloads, window=4, deadline=soon(), collect=lost)
    with pytest.raises(StateLost, match="/1"):
        await inbox.next()
    await until(lambda: both.desk.counts["closed"] == 1, within_s=1)
    assert nothing_left(channel)
    channel.close("done")


async def test_notes_for_a_slow_reader_are_bounded(both: Both) -> None:
    channel = await both.connect()
    inbox = await opened(both, channel, window=2, items=1, notes=5000)
    await until(lambda: both.desk.counts["items"] == 1, within_s=10)
    await until(lambda: inbox._ended, within_s=5)
    kinds = []
    while (frame := await inbox.next()) is not None:
        kinds.append(frame.kind)
    assert kinds.count(PROGRESS) <= MAX_NOTES + 2
    assert kinds[-2:] == [ITEM, END]
    channel.close("done")
