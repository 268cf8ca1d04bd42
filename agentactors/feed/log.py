"""The writer's side of a feed: the changes that followers may have missed.

Theory of operation. One writer numbers its changes: each gets the next *epoch*. A follower holds the position
(writer's incarnation, epoch) up to which it has seen them and asks for what came since. The log keeps the last
``history`` changes; whoever is further behind, or followed another incarnation of the writer, takes a snapshot.
A restarted writer goes on from its stored epoch, so that "at least epoch N" stays a sensible thing to ask.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Generic, Protocol, TypeVar

import msgspec

Key = tuple[str, str]
"""What names a row in a feed."""


class Keyed(Protocol):
    """A row that knows its key."""

    @property
    def key(self) -> Key:
        """What names the row."""
        ...


Row = TypeVar("Row", bound=Keyed)


class Position(msgspec.Struct, frozen=True, order=True):
    """How far somebody has read: everything up to ``epoch`` of that ``incarnation`` of the writer."""

    incarnation: int
    epoch: int


class Change(msgspec.Struct, Generic[Row], frozen=True):
    """One change: the row is now this, or is gone."""

    epoch: int
    key: Key
    row: Row | None


class Changes(msgspec.Struct, Generic[Row], frozen=True, tag="changes"):
    """Every change since the position that was asked for, and the position after them."""

    position: Position
    changes: list[Change[Row]]


class Snapshot(msgspec.Struct, Generic[Row], frozen=True, tag="snapshot"):
    """All rows at one position."""

    position: Position
    rows: list[Row]


class FeedLog(Generic[Row]):
    """The last changes of one writer.

    Args:
        incarnation: The writer's.
        epoch: Where it goes on: the last epoch that was stored.
        history: How many changes are kept for followers that lag.
    """

    def __init__(self, incarnation: int, epoch: int, history: int) -> None:
        self._incarnation = incarnation
        self._epoch = epoch
        self._changes: deque[Change[Row]] = deque(maxlen=history)

    @property
    def position(self) -> Position:
        """Where the writer is."""
        return Position(self._incarnation, self._epoch)

    def append(self, key: Key, row: Row | None) -> int:
        """Number a change and keep it; return its epoch. Cost: O(1)."""
        self._epoch += 1
        self._changes.append(Change(self._epoch, key, row))
        return self._epoch

    def since(self, position: Position) -> Changes[Row] | None:
        """Return every change after ``position``, or None when it cannot: take a snapshot then.

        Returns:
            None when the position is of another incarnation, lies in the future, or is older than the history.

        Cost:
            O(changes returned).
        """
        behind = self._epoch - position.epoch
        if position.incarnation != self._incarnation or not 0 <= behind <= len(self._changes):
            return None
        recent = islice(reversed(self._changes), behind)
        return Changes(self.position, list(recent)[::-1])

    def snapshot(self, rows: Iterable[Row]) -> Snapshot[Row]:
        """Return all rows with the position that they stand at."""
        return Snapshot(self.position, list(rows))
