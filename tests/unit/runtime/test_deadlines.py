"""One timer for many deadlines."""

from __future__ import annotations

import asyncio
import math
import time

import pytest

from agentactors.runtime.deadlines import Deadlines, TaskDeadlines
from tests.support.waiting import until


async def forever() -> None:
    await asyncio.Event().wait()


async def done() -> str:
    return "done"


async def test_keys_come_due_in_order_and_on_time() -> None:
    seen: list[tuple[int, float]] = []
    deadlines = Deadlines(lambda key: seen.append((key, time.time())))
    now = time.time()
    for key, after_s in ((3, 0.15), (1, 0.02), (2, 0.08), (4, 3600.0), (5, math.inf), (6, math.nan)):
        deadlines.add(key, now + after_s)
    await until(lambda: len(seen) == 3, within_s=5)
    assert [key for key, _ in seen] == [1, 2, 3]
    assert all(at >= now + after_s for (_, at), after_s in zip(seen, (0.02, 0.08, 0.15), strict=True))
    deadlines.close()


async def test_a_removed_key_does_not_come_due() -> None:
    seen: list[int] = []
    deadlines = Deadlines(seen.append)
    soon = time.time() + 0.02
    for key in range(10):
        deadlines.add(key, soon)
    for key in range(9):
        deadlines.remove(key, soon)
    deadlines.remove(77, soon)
    deadlines.remove(77, soon + 5)
    await until(lambda: seen, within_s=5)
    assert seen == [9]
    deadlines.close()


async def test_a_deadline_that_has_passed_comes_due_at_once() -> None:
    seen: list[int] = []
    deadlines = Deadlines(seen.append)
    deadlines.add(1, time.time() - 100)
    deadlines.add(2, 0.0)
    await until(lambda: len(seen) == 2, within_s=5)
    deadlines.close()


async def test_what_comes_due_may_add_and_remove() -> None:
    seen: list[int] = []

    def due(key: int) -> None:
        seen.append(key)
        deadlines.remove(key + 1, soon)
        if key < 3:
            deadlines.add(key + 1, time.time() + 0.01)

    deadlines = Deadlines(due)
    soon = time.time() + 0.01
    deadlines.add(1, soon)
    await until(lambda: seen == [1, 2, 3], within_s=5)
    deadlines.close()


async def test_deadlines_far_ahead_leave_nothing_behind() -> None:
    deadlines = Deadlines(lambda _: None)
    now = time.time()
    for key in range(20_000):
        deadlines.add(key, now + 86_400 + key)
        deadlines.remove(key, now + 86_400 + key)
    assert len(deadlines._buckets) == len(deadlines._ticks) <= 1025
    deadlines.close()


async def test_tidying_loses_no_deadline() -> None:
    seen: list[int] = []
    deadlines = Deadlines(seen.append)
    now = time.time()
    for key in range(3000):
        deadlines.add(key, now + 3600 + key)
    deadlines.add(9999, now + 0.02)
    for key in range(3000, 6000):
        deadlines.add(key, now + 3600 + key)
    await until(lambda: seen == [9999], within_s=5)
    assert sum(map(len, deadlines._buckets.values())) == 6000
    deadlines.close()


async def test_work_ends_at_its_deadline() -> None:
    deadlines = TaskDeadlines()
    task = asyncio.current_task()
    assert task is not None
    with pytest.raises(TimeoutError):
        await deadlines.within(forever(), time.time() + 0.03)
    assert task.cancelling() == 0
    assert await deadlines.within(done(), time.time() + 60) == "done"
    assert await deadlines.within(done(), math.inf) == "done"
    assert not deadlines._tasks
    deadlines.close()


async def test_cancellation_from_elsewhere_stays_cancellation() -> None:
    deadlines = TaskDeadlines()
    task = asyncio.create_task(deadlines.within(forever(), time.time() + 60))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    deadlines.close()


async def test_both_together_are_cancellation() -> None:
    deadlines = TaskDeadlines()

    async def work() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            task.cancel()  # from elsewhere, while the deadline's own is on its way
            raise

    task = asyncio.create_task(deadlines.within(work(), time.time() + 0.02))
    with pytest.raises(asyncio.CancelledError):
        await task
    deadlines.close()


async def test_work_that_turns_its_cancellation_into_something_else_leaves_its_task_as_it_was() -> None:
    deadlines = TaskDeadlines()
    task = asyncio.current_task()
    assert task is not None

    async def stubborn() -> str:
        try:
            await forever()
        except asyncio.CancelledError:
            return "finished anyway"
        return ""

    async def failing() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            raise ValueError("no paper") from None

    assert await deadlines.within(stubborn(), time.time() + 0.02) == "finished anyway"
    assert task.cancelling() == 0
    with pytest.raises(ValueError, match="no paper"):
        await deadlines.within(failing(), time.time() + 0.02)
    assert task.cancelling() == 0
    deadlines.close()


async def test_deadlines_of_one_task_nest() -> None:
    deadlines = TaskDeadlines()
    inner = deadlines.within(forever(), time.time() + 60)
    with pytest.raises(TimeoutError):
        await deadlines.within(inner, time.time() + 0.02)
    assert not deadlines._tasks
    deadlines.close()
