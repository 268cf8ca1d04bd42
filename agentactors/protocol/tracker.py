"""The memory of a sender: which answer belongs to which request, and which requests nobody answered.

Theory of operation. A request is *open* from :meth:`RequestTracker.sent` until exactly one of: its answer,
its deadline, its cancel. Ids of closed requests are kept for a while, as many as may be open, so that a
second answer (DUPLICATE_RESPONSE) differs from an answer to nothing (UNKNOWN_CORRELATION). A STATUS message
with a live state is news, not an answer: it closes nothing.
"""

from __future__ import annotations

import heapq
from collections import deque
from typing import Final, NamedTuple

from agentactors.errors import (
    DuplicateResponse,
    InvalidMessage,
    MissingCorrelationId,
    Overloaded,
    UnknownCorrelation,
)
from agentactors.protocol.envelope import Envelope, MessageType
from agentactors.protocol.lifecycle import LIVE

ANSWERS: Final = frozenset({MessageType.TASK_ACCEPT, MessageType.ACTION_RESULT, MessageType.ERROR, MessageType.STATUS})
"""The message types that answer a request. CANCEL has a correlation_id too, and runs the other way."""

_SLACK: Final = 64


class TrackerStatistics(NamedTuple):
    """What a :class:`RequestTracker` holds and has seen."""

    open: int
    """Requests that wait for their answer now; all other figures count since the start."""
    sent: int
    answered: int
    expired: int
    cancelled: int
    duplicate: int
    unknown: int


class RequestTracker:
    """Correlates answers with requests.

    Guarantees: each request is closed once, by its answer, its deadline or its cancel, whichever comes
    first. Holds at most ``limit`` open requests, ``limit`` closed ids and a few deadlines beside. One loop
    or thread may use it (there is no lock).

    Args:
        limit: Most open requests, and most closed ids that are remembered.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: dict[str, Envelope] = {}
        self._closed: dict[str, str] = {}
        self._closed_order: deque[str] = deque()
        self._deadlines: list[tuple[float, str]] = []
        self._count = {"sent": 0, "answered": 0, "expired": 0, "cancelled": 0, "duplicate": 0, "unknown": 0}

    def sent(self, envelope: Envelope, now: float) -> None:
        """Remember a request; one that is open already (sent again) stays as it is.

        Args:
            envelope: The request.
            now: Seconds since the epoch; a request whose deadline has passed shows up in :meth:`expired`.

        Raises:
            Overloaded: ``limit`` requests are open; this one is not tracked and must not be sent.

        Cost:
            O(log n) with a deadline, else O(1).
        """
        if envelope.message_id in self._open:
            return
        if len(self._open) >= self._limit:
            raise Overloaded(
                f"{self._limit:,} requests wait for their answers; try again when some have come.",
                {"retry_after_s": self._retry_after_s(now), "started": False},
            )
        self._open[envelope.message_id] = envelope
        self._count["sent"] += 1
        if envelope.deadline is not None:
            heapq.heappush(self._deadlines, (envelope.deadline, envelope.message_id))

    def answered(self, envelope: Envelope, now: float) -> Envelope:
        """Return the request that ``envelope`` answers, and close it (unless the answer is mere news).

        Args:
            envelope: The answer.
            now: Seconds since the epoch.

        Raises:
            MissingCorrelationId: The answer names no request.
            InvalidMessage: The message is no answer.
            DuplicateResponse: The request was answered before.
            UnknownCorrelation: The request was never sent, or is over: its deadline had passed, it was
                cancelled, or it was answered so long ago that it is forgotten; ``details.ended`` says which, if known.
        """
        asked = envelope.correlation_id
        if not asked:
            raise MissingCorrelationId(
                f"A message of type {envelope.message_type} has no correlation_id: set it to the request's message_id.",
                {"message_id": envelope.message_id},
            )
        if envelope.message_type not in ANSWERS:
            raise InvalidMessage(
                f"A message of type {envelope.message_type} is no answer; answers are {', '.join(sorted(ANSWERS))}.",
                {"path": "$.message_type"},
            )
        request = self._open.get(asked)
        if request is None:
            raise self._refuse(asked)
        if request.deadline is not None and request.deadline <= now:
            # Whether an answer was in time must not depend on how often somebody calls expired().
            raise UnknownCorrelation(
                f"The answer to {asked!r} came after its deadline.", {"correlation_id": asked, "ended": "expired"}
            )
        if not (envelope.message_type is MessageType.STATUS and envelope.body.status in LIVE):
            self._close(asked, "answered")
        return request

    def expired(self, now: float) -> list[Envelope]:
        """Close and return the requests whose deadline has passed, earliest deadline first.

        Cost:
            O(log n) for each that is returned; O(1) when there is none.
        """
        late = []
        while self._deadlines and self._deadlines[0][0] <= now:
            _, message_id = heapq.heappop(self._deadlines)
            if message_id in self._open:
                late.append(self._close(message_id, "expired"))
        return late

    def cancelled(self, message_id: str) -> Envelope | None:
        """Close a request that its sender gave up; return it, or None if it was closed or never sent."""
        return self._close(message_id, "cancelled") if message_id in self._open else None

    def statistics(self) -> TrackerStatistics:
        """Return what is held and what has been seen."""
        return TrackerStatistics(open=len(self._open), **self._count)

    def _close(self, message_id: str, how: str) -> Envelope:
        request = self._open.pop(message_id)
        self._count[how] += 1
        if message_id not in self._closed:
            self._closed_order.append(message_id)
        self._closed[message_id] = how
        if len(self._closed_order) > self._limit:
            del self._closed[self._closed_order.popleft()]
        # Deadlines of closed requests stay in the heap until they are due: rebuild it before they outweigh the rest.
        if len(self._deadlines) > 2 * len(self._open) + _SLACK:
            self._deadlines = [entry for entry in self._deadlines if entry[1] in self._open]
            heapq.heapify(self._deadlines)
        return request

    def _refuse(self, asked: str) -> DuplicateResponse | UnknownCorrelation:
        how = self._closed.get(asked)
        if how == "answered":
            self._count["duplicate"] += 1
            return DuplicateResponse(f"The request {asked!r} has its answer already.", {"correlation_id": asked})
        self._count["unknown"] += 1
        says = f"was {how} before" if how else "was never sent from here, or is long over"
        details = {"correlation_id": asked, "ended": how} if how else {"correlation_id": asked}
        return UnknownCorrelation(f"The request {asked!r} {says}.", details)

    def _retry_after_s(self, now: float) -> float:
        return max(0.1, self._deadlines[0][0] - now) if self._deadlines else 1.0
