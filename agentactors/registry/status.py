"""The life cycle of a replica as the registry sees it, one table.

Theory of operation. A replica is active while its heartbeats come, degraded when they are late or it says so,
offline when they stay away or somebody knows that it is dead. Only an event moves it, and every (status,
event) pair is in the table. A heartbeat of the current incarnation always brings it back: whoever was thought
dead and speaks is alive. What happened by age alone (:func:`event_by_age`) can be asked at any time, so a
reader that has not seen the latest change still never takes a silent replica for a live one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

LATE_AFTER_INTERVALS: Final = 1.5
"""A replica without heartbeat for this many of its intervals is degraded."""


class AgentStatus(StrEnum):
    """Whether a replica may be routed to."""

    ACTIVE = "active"
    DEGRADED = "degraded"
    """Only as the last candidate."""
    OFFLINE = "offline"
    """Never."""


class StatusEvent(StrEnum):
    """What moves a replica from one status to another."""

    REGISTERED = "registered"
    HEARTBEAT = "heartbeat"
    TROUBLE = "trouble"
    """A heartbeat that says "I am degraded", a failing health check, an open breaker."""
    LATE = "late"
    """No heartbeat for 1.5 intervals."""
    SILENT = "silent"
    """No heartbeat for the offline time-out."""
    MARKED_DOWN = "marked_down"
    DIED = "died"


_A, _D, _O = AgentStatus.ACTIVE, AgentStatus.DEGRADED, AgentStatus.OFFLINE
_E = StatusEvent

TRANSITIONS: Final[Mapping[tuple[AgentStatus, StatusEvent], AgentStatus]] = {
    (_A, _E.REGISTERED): _A,
    (_A, _E.HEARTBEAT): _A,
    (_A, _E.TROUBLE): _D,
    (_A, _E.LATE): _D,
    (_A, _E.SILENT): _O,
    (_A, _E.MARKED_DOWN): _O,
    (_A, _E.DIED): _O,
    (_D, _E.REGISTERED): _A,
    (_D, _E.HEARTBEAT): _A,
    (_D, _E.TROUBLE): _D,
    (_D, _E.LATE): _D,
    (_D, _E.SILENT): _O,
    (_D, _E.MARKED_DOWN): _O,
    (_D, _E.DIED): _O,
    (_O, _E.REGISTERED): _A,
    (_O, _E.HEARTBEAT): _A,
    (_O, _E.TROUBLE): _D,
    (_O, _E.LATE): _O,
    (_O, _E.SILENT): _O,
    (_O, _E.MARKED_DOWN): _O,
    (_O, _E.DIED): _O,
}


def event_by_age(age_s: float, *, interval_s: float, offline_after_s: float) -> StatusEvent | None:
    """Return what the age of the last heartbeat means: late, silent, or nothing."""
    if age_s >= offline_after_s:
        return StatusEvent.SILENT
    if age_s > LATE_AFTER_INTERVALS * interval_s:
        return StatusEvent.LATE
    return None


def status_at(status: AgentStatus, age_s: float, *, interval_s: float, offline_after_s: float) -> AgentStatus:
    """Return the status that a replica has at that age of its last heartbeat, whether or not anybody swept."""
    event = event_by_age(age_s, interval_s=interval_s, offline_after_s=offline_after_s)
    return status if event is None else TRANSITIONS[status, event]
