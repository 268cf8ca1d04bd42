"""Frames on their way out: in order, never too far ahead, nothing left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from agentactors.actors.outflow import Outflow
from agentactors.errors import AgentFailed
from agentactors.protocol.stream import END, ITEM, MAX_NOTES, PROGRESS, StreamFrame
from tests.support.waiting import until


class Source:
    """Makes numbers, and notes how far it came."""

    def __init__(self, count: int, fault: Exception | None = None) -> None:
        self.count, self.fault = count, fault
        self.made = 0
        self.closed = False

    async def frames(self) -> AsyncGenerator[StreamFrame, None]:
        try:
            for number in range(self.count):
                self.made += 1
                yield StreamFrame(ITEM, number)
            if self.fault is not None:
                raise self.fault
            yield StreamFrame(END, None)
        finally:
            self.closed = True


async def test_the_producer_waits_beyond_the_window() -> None:
    source, outflow = Source(100), Outflow(3)
    async with aclosing(outflow.frames(source.frames())) as frames:
        seen = [(await anext(frames)).value for _ in range(3)]
        await until(lambda: source.made == 3, within_s=2)
        for _ in range(10):
            await asyncio.sleep(0)
        assert (seen, source.made) == ([0, 1, 2], 3)
        outflow.grant(2)
        seen += [(await anext(frames)).value for _ in range(2)]
        assert (seen, source.made) == ([0, 1, 2, 3, 4], 5)
    assert source.closed


async def test_a_fault_comes_in_its_place() -> None:
    source, outflow = Source(2, AgentFailed("no paper")), Outflow(10)
    async with aclosing(outflow.frames(source.frames())) as frames:
        assert [(await anext(frames)).value for _ in range(2)] == [0, 1]
        with pytest.raises(AgentFailed, match="no paper"):
            await anext(frames)


async def test_leaving_early_closes_the_source_whatever_it_did(caplog: pytest.LogCaptureFixture) -> None:
    for fault in (None, AgentFailed("nobody sees this")):
        source, outflow = Source(2, fault), Outflow(10)
        frames = outflow.frames(source.frames())
        await anext(frames)
        await frames.aclose()
        assert source.closed
    del frames, outflow, source
    assert not caplog.records, "no fault is left unseen"


async def test_notes_come_in_order_take_no_credit_and_are_bounded() -> None:
    outflow = Outflow(1)
    source = Source(1)
    for step in range(MAX_NOTES + 10):
        outflow.note({"step": step})
    async with aclosing(outflow.frames(source.frames())) as frames:
        notes = [await anext(frames) for _ in range(MAX_NOTES)]
        assert [note.value["step"] for note in notes] == list(range(MAX_NOTES))
        assert {note.kind for note in notes} == {PROGRESS}
        assert (await anext(frames)).kind is ITEM
        outflow.note({"step": "late"})
        assert (await anext(frames)).value == {"step": "late"}


async def test_notes_from_a_thread_arrive() -> None:
    outflow = Outflow(1)

    def work() -> None:
        for step in range(3):
            outflow.note({"step": step})

    thread = threading.Thread(target=work)
    thread.start()
    await asyncio.to_thread(thread.join)
    async with aclosing(outflow.frames(Source(0).frames())) as frames:
        assert [(await anext(frames)).value["step"] for _ in range(3)] == [0, 1, 2]
