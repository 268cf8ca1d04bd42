"""One timer for all deadlines of a connection: keys in buckets of a hundredth of a second.

The idea of Varghese and Lauck's timing wheels (1987), with a heap of bucket numbers in place of the ring, since
deadlines lie up to days ahead.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")

_TICKS_PER_S: Final = 100
_NEVER: Final = 10**14
"""The tick of a deadline that is no time: infinity, not a number."""
_TIDY_FROM: Final = 1024


class Deadlines:
    """Calls ``on_due`` for each key whose deadline has passed, at most a tick (10 ms) late.

    Belongs to one loop. Adding and removing are O(1) and make no timer of their own.

    Args:
        on_due: Called with the key; the key has been removed.
    """

    __slots__ = ("_armed", "_buckets", "_on_due", "_ticks", "_tidy_at", "_timer")

    def __init__(self, on_due: Callable[[int], None]) -> None:
        self._on_due = on_due
        self._buckets: dict[int, set[int]] = {}
        self._ticks: list[int] = []
        self._timer: asyncio.TimerHandle | None = None
        self._armed = 0
        self._tidy_at = _TIDY_FROM

    def add(self, key: int, deadline: float) -> None:
        """Watch a key; ``deadline`` is in seconds since the epoch."""
        tick = _tick(deadline)
        bucket = self._buckets.get(tick)
        if bucket is not None:
            bucket.add(key)
            return
        if len(self._ticks) >= self._tidy_at:
            self._tidy()
        self._buckets[tick] = {key}
        heapq.heappush(self._ticks, tick)
        if self._timer is None or tick < self._armed:
            self._arm()

    def remove(self, key: int, deadline: float) -> None:
        """Watch a key no more; ``deadline`` is what it was added with."""
        bucket = self._buckets.get(_tick(deadline))
        if bucket is not None:
            bucket.discard(key)

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._buckets.clear()
        self._ticks.clear()

    def _tidy(self) -> None:
        """Drop the buckets that have become empty: of deadlines days ahead, nobody comes by for days."""
        self._buckets = {tick: keys for tick, keys in self._buckets.items() if keys}
        self._ticks = list(self._buckets)
        heapq.heapify(self._ticks)
        self._tidy_at = max(_TIDY_FROM, 2 * len(self._ticks))

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._armed = self._ticks[0]
        delay_s = max(0.0, self._armed / _TICKS_PER_S - time.time())
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        now = time.time() * _TICKS_PER_S
        while self._ticks and self._ticks[0] <= now:
            for key in self._buckets.pop(heapq.heappop(self._ticks)):
                self._on_due(key)
        if self._ticks:
            self._arm()


def _tick(deadline: float) -> int:
    try:
        return int(deadline * _TICKS_PER_S) + 1
    except (OverflowError, ValueError):
        return _NEVER


class TaskDeadlines:
    """What ``asyncio.timeout_at`` does, for many tasks at the price of one timer.

    Belongs to one loop. Cancellation from elsewhere stays cancellation, also when both come together.
    """

    __slots__ = ("_deadlines", "_numbers", "_tasks")

    def __init__(self) -> None:
        self._deadlines = Deadlines(self._expire)
        self._numbers = itertools.count(1)
        self._tasks: dict[int, asyncio.Task[object]] = {}

    async def within(self, work: Awaitable[T], deadline: float) -> T:
        """Await ``work``; at ``deadline`` (seconds since the epoch) it is cancelled.

        Raises:
            TimeoutError: The deadline passed.
        """
        task = asyncio.current_task()
        assert task is not None
        cancelling = task.cancelling()
        number = next(self._numbers)
        self._tasks[number] = task
        self._deadlines.add(number, deadline)
        try:
            return await work
        except asyncio.CancelledError:
            if number not in self._tasks and task.cancelling() <= cancelling + 1:
                raise TimeoutError from None
            raise
        finally:
            if self._tasks.pop(number, None) is None:
                task.uncancel()  # also where the work has turned its cancellation into something else
            self._deadlines.remove(number, deadline)

    def close(self) -> None:
        """Stop the timer."""
        self._deadlines.close()

    def _expire(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()
