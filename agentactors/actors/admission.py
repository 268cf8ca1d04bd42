"""Admission: a bound on what one replica works on at once, over every transport."""

from __future__ import annotations

import threading
from typing import NamedTuple

from agentactors.errors import Overloaded

RETRY_AFTER_S = 0.2


class AdmissionStatistics(NamedTuple):
    """What a replica has on its hands."""

    running: int
    limit: int
    admitted: int
    refused: int


class Admission:
    """Counts running calls and refuses more than ``limit``, at once, before anything of the call has started.

    Ray's own queue is unbounded and silent, so its limit is set far above this one. A slot is given back by
    whoever ends the work, which may be a thread: hence the lock.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._running = self._admitted = self._refused = 0

    @property
    def running(self) -> int:
        """How many calls hold a slot."""
        return self._running

    def enter(self, agent_id: str) -> None:
        """Take a slot.

        Raises:
            Overloaded: All are taken; the call has not started, so it may go elsewhere.
        """
        with self._lock:
            self._check(agent_id, self._running)
            self._running += 1
            self._admitted += 1

    def check(self, agent_id: str, *, waiting: int) -> None:
        """Refuse what could not be taken on: ``waiting`` calls have been accepted and have no slot yet.

        Raises:
            Overloaded: As :meth:`enter`.
        """
        with self._lock:
            self._check(agent_id, max(self._running, waiting))

    def _check(self, agent_id: str, taken: int) -> None:
        if taken >= self._limit:
            self._refused += 1
            raise Overloaded(
                f"{agent_id} works on {self._limit} calls and takes no more now.",
                {"retry_after_s": RETRY_AFTER_S, "started": False, "limit": self._limit},
            )

    def leave(self) -> None:
        """Give a slot back."""
        with self._lock:
            self._running -= 1

    def statistics(self) -> AdmissionStatistics:
        """Count."""
        return AdmissionStatistics(self._running, self._limit, self._admitted, self._refused)
