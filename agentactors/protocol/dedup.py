"""The memory of a receiver: a message id that arrives twice is executed once.

Theory of operation. The first arrival of an id registers it and runs. A second one, while the first runs or
after it ended, gets what the host stored for the first: a future to wait for, or the answer itself. Ids that
run are never forgotten. Ids that ended are forgotten by age and by count, oldest first: after that an old
message would execute again, which is why ``keep_s`` has to be longer than any sender keeps repeating. Large
outcomes are dropped sooner, their ids stay: such a message is refused, and still not executed again.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, NamedTuple, TypeVar

from agentactors.errors import Overloaded

T = TypeVar("T")


class Seen(Generic[T]):
    """What is remembered of one message."""

    __slots__ = ("ended", "outcome", "size_bytes")

    def __init__(self) -> None:
        self.ended = False
        """Whether the message has been answered; False while it runs."""
        self.outcome: T | None = None
        """What the host stored: a future, the answer's bytes… None until it stored something, and again when
        the message has ended and its outcome was dropped to make room."""
        self.size_bytes = 0
        """What ``outcome`` counts for."""


class MemoryStatistics(NamedTuple):
    """What a :class:`MessageMemory` holds and has done."""

    running: int
    ended: int
    repeated: int
    """Arrivals that were not the first of their id."""
    forgotten: int
    size_bytes: int
    """Of the outcomes that are held, as the host counted them."""
    dropped: int
    """Outcomes that had to make room for newer ones; their ids are still known."""


class MessageMemory(Generic[T]):
    """Remembers message ids.

    Guarantees: of all arrivals of one id, :meth:`begin` returns None to exactly one, until the id is
    forgotten. Holds at most ``limit`` ids that run and ``limit`` ids that ended. One loop or thread may use
    it (there is no lock).

    Args:
        limit: Most ids that run, and most ended ids kept.
        keep_s: How long an ended id is kept, in seconds.
        limit_bytes: Most bytes of ended outcomes; the oldest are dropped beyond.
    """

    __slots__ = (
        "_dropped",
        "_ended",
        "_forgotten",
        "_keep_s",
        "_limit",
        "_limit_bytes",
        "_order",
        "_repeated",
        "_running",
        "_size_bytes",
        "_sized",
    )

    def __init__(self, limit: int, keep_s: float, limit_bytes: int = 64 * 1024 * 1024) -> None:
        self._limit = limit
        self._keep_s = keep_s
        self._running: dict[str, Seen[T]] = {}
        self._ended: dict[str, Seen[T]] = {}
        self._order: deque[tuple[float, str]] = deque()
        self._limit_bytes = limit_bytes
        self._sized: deque[Seen[T]] = deque()
        self._size_bytes = 0
        self._repeated = 0
        self._dropped = 0
        self._forgotten = 0

    def begin(self, message_id: str, now: float) -> Seen[T] | None:
        """Register an arrival.

        Args:
            message_id: The message's id.
            now: Seconds, on the clock of all calls to this memory.

        Returns:
            None for the first arrival, which is to be executed; what is known of the first for every other.

        Raises:
            Overloaded: ``limit`` messages run; this one was not registered.

        Cost:
            O(1), a few hundred nanoseconds.
        """
        seen = self._running.get(message_id)
        if seen is None:
            if self._order:
                self._forget_old(now)
            seen = self._ended.get(message_id)
        if seen is not None:
            self._repeated += 1
            return seen
        if len(self._running) >= self._limit:
            raise Overloaded(
                f"{self._limit:,} messages run here already; try again in a second.",
                {"retry_after_s": 1.0, "started": False},
            )
        self._running[message_id] = Seen()
        return None

    def store(self, message_id: str, outcome: T) -> None:
        """Keep ``outcome`` (such as a future) for repeated arrivals while the message runs.

        Raises:
            KeyError: The id is not running.
        """
        self._running[message_id].outcome = outcome

    def end(self, message_id: str, outcome: T | None, now: float, size_bytes: int = 0) -> T | None:
        """Keep ``outcome`` (such as the answer) for later arrivals; the message runs no more.

        Args:
            message_id: The message's id.
            outcome: What every later arrival gets.
            now: Seconds, on the clock of all calls to this memory.
            size_bytes: What the outcome counts for.

        Returns:
            What was stored while it ran.

        Raises:
            KeyError: The id is not running.

        Cost:
            O(1), a few hundred nanoseconds.
        """
        seen = self._running.pop(message_id)
        stored, seen.outcome = seen.outcome, outcome
        seen.ended = True
        self._ended[message_id] = seen
        self._order.append((now, message_id))
        if size_bytes:
            seen.size_bytes = size_bytes
            self._sized.append(seen)
            self._size_bytes += size_bytes
            while self._size_bytes > self._limit_bytes:
                self._drop_first()
        if len(self._order) > self._limit:
            self._forget_first()
        return stored

    def withdraw(self, message_id: str) -> T | None:
        """Forget a message that was registered and never executed: its next arrival is a first one.

        Returns:
            What was stored while it ran.
        """
        seen = self._running.pop(message_id, None)
        return seen.outcome if seen is not None else None

    def statistics(self) -> MemoryStatistics:
        """Return what is held and what has been done."""
        return MemoryStatistics(
            running=len(self._running),
            ended=len(self._ended),
            repeated=self._repeated,
            forgotten=self._forgotten,
            size_bytes=self._size_bytes,
            dropped=self._dropped,
        )

    def _forget_old(self, now: float) -> None:
        oldest_kept = now - self._keep_s
        while self._order and self._order[0][0] <= oldest_kept:
            self._forget_first()

    def _forget_first(self) -> None:
        seen = self._ended.pop(self._order.popleft()[1])
        self._forgotten += 1
        if self._sized and self._sized[0] is seen:  # both queues are in the order of the ends
            self._sized.popleft()
            self._size_bytes -= seen.size_bytes

    def _drop_first(self) -> None:
        seen = self._sized.popleft()
        seen.outcome = None
        self._size_bytes -= seen.size_bytes
        self._dropped += 1
