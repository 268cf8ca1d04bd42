"""The life cycle of a replica: every pair in the table, and what age means."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.registry.status import TRANSITIONS, AgentStatus, StatusEvent, event_by_age, status_at


@pytest.mark.spec("REACH-04")
def test_every_event_is_settled_in_every_status() -> None:
    assert set(TRANSITIONS) == set(product(AgentStatus, StatusEvent))


@pytest.mark.spec("REACH-04", "REACH-28")
@pytest.mark.parametrize("status", AgentStatus)
def test_whoever_speaks_is_alive_and_whoever_is_silent_is_not(status: AgentStatus) -> None:
    assert TRANSITIONS[status, StatusEvent.HEARTBEAT] is AgentStatus.ACTIVE
    assert TRANSITIONS[status, StatusEvent.REGISTERED] is AgentStatus.ACTIVE
    assert TRANSITIONS[status, StatusEvent.TROUBLE] is AgentStatus.DEGRADED
    for event in (StatusEvent.SILENT, StatusEvent.MARKED_DOWN, StatusEvent.DIED):
        assert TRANSITIONS[status, event] is AgentStatus.OFFLINE


@pytest.mark.spec("REACH-04")
@pytest.mark.parametrize(
    ("age_s", "interval_s", "offline_after_s", "event"),
    [
        (0.0, 30.0, 60.0, None),
        (45.0, 30.0, 60.0, None),
        (45.1, 30.0, 60.0, StatusEvent.LATE),
        (59.9, 30.0, 60.0, StatusEvent.LATE),
        (60.0, 30.0, 60.0, StatusEvent.SILENT),
        (7.5, 5.0, 12.0, None),
        (7.6, 5.0, 12.0, StatusEvent.LATE),
        (12.0, 5.0, 12.0, StatusEvent.SILENT),
        (-1.0, 5.0, 12.0, None),
    ],
)
def test_age(age_s: float, interval_s: float, offline_after_s: float, event: StatusEvent | None) -> None:
    assert event_by_age(age_s, interval_s=interval_s, offline_after_s=offline_after_s) is event


@settings(deadline=None)
@given(st.sampled_from(AgentStatus), st.floats(0, 200), st.floats(0, 200))
def test_growing_older_never_makes_a_replica_healthier(status: AgentStatus, one_s: float, other_s: float) -> None:
    order = list(AgentStatus)
    younger, older = (
        order.index(status_at(status, age_s, interval_s=30, offline_after_s=60)) for age_s in sorted((one_s, other_s))
    )
    assert younger <= older
