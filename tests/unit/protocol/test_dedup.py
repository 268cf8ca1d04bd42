"""The memory of message ids: one execution per id, bounded by count and age."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import Overloaded
from agentactors.protocol.dedup import MessageMemory


@pytest.mark.spec("COLLAB-03")
def test_only_the_first_arrival_executes() -> None:
    memory = MessageMemory[bytes](limit=10, keep_s=60)

    assert memory.begin("msg-1", 0.0) is None
    running = memory.begin("msg-1", 1.0)
    assert running is not None
    assert (running.ended, running.outcome) == (False, None)

    memory.end("msg-1", b"answer", 2.0)
    later = memory.begin("msg-1", 3.0)
    assert later is not None
    assert (later.ended, later.outcome) == (True, b"answer")
    figures = memory.statistics()
    assert (figures.running, figures.ended, figures.repeated, figures.forgotten) == (0, 1, 2, 0)


@pytest.mark.spec("COLLAB-03")
async def test_arrivals_while_it_runs_share_the_answer_of_the_first() -> None:
    memory = MessageMemory[asyncio.Future[int]](limit=10, keep_s=60)
    executed = 0

    async def receive() -> int:
        nonlocal executed
        seen = memory.begin("msg-1", 0.0)
        if seen is not None:
            assert seen.outcome is not None
            return await asyncio.wait_for(asyncio.shield(seen.outcome), timeout=5)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        memory.store("msg-1", answer)
        await asyncio.sleep(0)
        executed += 1
        answer.set_result(42)
        memory.end("msg-1", answer, 0.0)
        return 42

    async with asyncio.timeout(5):
        assert await asyncio.gather(*(receive() for _ in range(20))) == [42] * 20
    assert executed == 1


@pytest.mark.spec("COLLAB-03")
def test_an_ended_id_is_forgotten_after_its_time_counted_from_its_end() -> None:
    memory = MessageMemory[None](limit=10, keep_s=60)
    memory.begin("msg-1", 0.0)
    memory.end("msg-1", None, 1000.0)

    assert memory.begin("msg-1", 1059.9) is not None
    assert memory.begin("msg-1", 1060.0) is None
    assert memory.statistics().forgotten == 1


@pytest.mark.spec("COLLAB-03")
def test_a_running_id_is_never_forgotten() -> None:
    memory = MessageMemory[None](limit=2, keep_s=1)
    memory.begin("slow", 0.0)
    for number in range(100):
        assert memory.begin(f"msg-{number}", float(number)) is None
        memory.end(f"msg-{number}", None, float(number))

    assert memory.begin("slow", 1e6) is not None


def test_a_withdrawn_id_may_come_again() -> None:
    memory = MessageMemory[None](limit=2, keep_s=60)
    memory.begin("msg-1", 0.0)
    memory.withdraw("msg-1")
    memory.withdraw("msg-1")

    assert memory.begin("msg-1", 0.0) is None


@pytest.mark.spec("COLLAB-03")
def test_large_outcomes_make_room_and_their_ids_stay() -> None:
    memory = MessageMemory[bytes](limit=10, keep_s=60, limit_bytes=100)
    for number, size_bytes in enumerate((40, 0, 60, 50)):
        memory.begin(f"msg-{number}", 0.0)
        memory.end(f"msg-{number}", b"answer", 0.0, size_bytes)

    seen = [memory.begin(f"msg-{number}", 1.0) for number in range(4)]
    assert [one and (one.ended, one.outcome) for one in seen] == [
        (True, None),
        (True, b"answer"),
        (True, None),
        (True, b"answer"),
    ]
    assert (memory.statistics().size_bytes, memory.statistics().dropped) == (50, 2)


@given(
    ends=st.lists(st.tuples(st.integers(0, 60), st.floats(0, 5)), max_size=60),
    limit=st.integers(1, 5),
    limit_bytes=st.integers(0, 100),
)
def test_bytes_are_counted_right(ends: list[tuple[int, float]], limit: int, limit_bytes: int) -> None:
    memory, now = MessageMemory[str](limit=limit, keep_s=10, limit_bytes=limit_bytes), 0.0
    for number, (size_bytes, pause_s) in enumerate(ends):
        now += pause_s
        memory.begin(str(number), now)
        memory.end(str(number), "answer", now, size_bytes)
        held = [seen.size_bytes for seen in memory._ended.values() if seen.outcome is not None]
        assert memory.statistics().size_bytes == sum(held) <= limit_bytes


def test_too_many_running_ids_are_refused() -> None:
    memory = MessageMemory[None](limit=2, keep_s=60)
    memory.begin("msg-1", 0.0)
    memory.begin("msg-2", 0.0)

    with pytest.raises(Overloaded) as caught:
        memory.begin("msg-3", 0.0)
    assert caught.value.details["started"] is False
    assert memory.begin("msg-1", 0.0) is not None
    memory.end("msg-1", None, 0.0)
    assert memory.begin("msg-3", 0.0) is None


def test_an_id_that_does_not_run_cannot_end() -> None:
    memory = MessageMemory[None](limit=2, keep_s=60)

    with pytest.raises(KeyError):
        memory.end("msg-1", None, 0.0)
    with pytest.raises(KeyError):
        memory.store("msg-1", None)


@given(ids=st.lists(st.integers(0, 30), max_size=200), limit=st.integers(1, 10))
def test_memory_is_bounded_by_count_and_keeps_the_latest(ids: list[int], limit: int) -> None:
    memory, last = MessageMemory[int](limit=limit, keep_s=1e9), list[str]()
    for now, number in enumerate(ids):
        name = str(number)
        seen = memory.begin(name, float(now))
        assert (seen is not None) is (name in last)
        if seen is None:
            memory.end(name, number, float(now))
            last = [*last, name][-limit:]
        else:
            assert seen.outcome == number

    assert memory.statistics().ended == len(last) <= limit
