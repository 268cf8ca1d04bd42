"""What a host has made for somebody who has not collected it yet: bounded in bytes and in time."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

from agentactors.errors import StateLost


class OutboxStatistics(NamedTuple):
    """What an outbox holds and has done."""

    held: int
    size_bytes: int
    collected: int
    dropped: int
    """Values that nobody collected in time, or that made room for newer ones."""


class Outbox:
    """Holds values by key until they are taken, once; the oldest make room.

    Args:
        limit_bytes: Most bytes held; one value that is larger than all of it is held alone.
        keep_s: How long a value is held, in seconds.
    """

    def __init__(self, limit_bytes: int, keep_s: float) -> None:
        self._limit_bytes = limit_bytes
        self._keep_s = keep_s
        self._held: OrderedDict[str, tuple[float, int, tuple[Any, ...]]] = OrderedDict()
        self._size_bytes = self._collected = self._dropped = 0

    def put(self, key: str, value: tuple[Any, ...], size_bytes: int, now: float) -> None:
        """Hold a value from ``now`` (seconds, on one monotonic clock) on."""
        replaced = self._held.pop(key, None)
        if replaced is not None:
            self._size_bytes -= replaced[1]
            self._dropped += 1
        self._held[key] = (now, size_bytes, value)
        self._size_bytes += size_bytes
        while len(self._held) > 1 and self._size_bytes > self._limit_bytes:
            self._drop_first()
        self._sweep(now)

    def take(self, key: str, now: float) -> tuple[Any, ...]:
        """Hand a value over; it is held no more.

        Raises:
            StateLost: There is none: it was collected before, too old, or made room.
        """
        self._sweep(now)
        found = self._held.pop(key, None)
        if found is None:
            raise StateLost(f"The large result {key} is not held any more: it was not collected in time.", {"key": key})
        self._size_bytes -= found[1]
        self._collected += 1
        return found[2]

    def statistics(self) -> OutboxStatistics:
        """Count."""
        return OutboxStatistics(len(self._held), self._size_bytes, self._collected, self._dropped)

    def _sweep(self, now: float) -> None:
        while self._held and next(iter(self._held.values()))[0] <= now - self._keep_s:
            self._drop_first()

    def _drop_first(self) -> None:
        _, (_, size_bytes, _) = self._held.popitem(last=False)
        self._size_bytes -= size_bytes
        self._dropped += 1
