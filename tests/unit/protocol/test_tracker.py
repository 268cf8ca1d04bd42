"""The request tracker: every request is closed once, and memory stays bounded."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import (
    AgentFailed,
    DuplicateResponse,
    InvalidMessage,
    MissingCorrelationId,
    Overloaded,
    ProtocolError,
    UnknownCorrelation,
)
from agentactors.protocol import bodies
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.lifecycle import TaskState
from agentactors.protocol.tracker import RequestTracker
from tests.unit.protocol.messages import NOW, request


def ask(message_id: str, deadline: float | None = NOW + 60) -> Envelope:
    return msgspec.structs.replace(request(message_id), deadline=deadline)


def answer(asked: Envelope) -> Envelope:
    return bodies.action_result(asked, result=1, timestamp=NOW)


@pytest.fixture
def tracker() -> RequestTracker:
    return RequestTracker(limit=4)


@pytest.mark.spec("COLLAB-03")
@pytest.mark.parametrize(
    "reply",
    [
        answer,
        lambda asked: bodies.error(asked, AgentFailed("Boom."), timestamp=NOW),
        lambda asked: bodies.task_accept(asked, timestamp=NOW),
        lambda asked: bodies.status(asked, TaskState.SUCCEEDED, timestamp=NOW),
    ],
)
def test_an_answer_finds_its_request_and_closes_it(tracker: RequestTracker, reply: object) -> None:
    assert callable(reply)
    first, second = ask("msg-1"), ask("msg-2")
    tracker.sent(first, NOW)
    tracker.sent(second, NOW)

    assert tracker.answered(reply(second), NOW) is second
    assert tracker.answered(reply(first), NOW) is first
    assert tracker.statistics().answered == 2
    assert tracker.statistics().open == 0


@pytest.mark.spec("COLLAB-03")
def test_a_second_answer_is_a_duplicate(tracker: RequestTracker) -> None:
    asked = ask("msg-1")
    tracker.sent(asked, NOW)
    tracker.answered(answer(asked), NOW)

    with pytest.raises(DuplicateResponse):
        tracker.answered(answer(asked), NOW)
    assert tracker.statistics().duplicate == 1


@pytest.mark.spec("COLLAB-03")
def test_an_answer_to_nothing_is_unknown(tracker: RequestTracker) -> None:
    with pytest.raises(UnknownCorrelation):
        tracker.answered(answer(ask("msg-9")), NOW)
    assert tracker.statistics().unknown == 1


@pytest.mark.spec("COLLAB-03")
def test_an_answer_without_correlation_is_refused(tracker: RequestTracker) -> None:
    tracker.sent(ask("msg-1"), NOW)

    with pytest.raises(MissingCorrelationId):
        tracker.answered(msgspec.structs.replace(answer(ask("msg-1")), correlation_id=None), NOW)


@pytest.mark.spec("COLLAB-03")
def test_a_cancel_is_no_answer(tracker: RequestTracker) -> None:
    asked = ask("msg-1")
    tracker.sent(asked, NOW)

    with pytest.raises(InvalidMessage):
        tracker.answered(bodies.cancel(asked, "Left.", timestamp=NOW), NOW)
    assert tracker.statistics().open == 1


@pytest.mark.spec("COLLAB-03")
def test_news_closes_nothing(tracker: RequestTracker) -> None:
    asked = ask("msg-1")
    tracker.sent(asked, NOW)

    for _ in range(3):
        assert tracker.answered(bodies.status(asked, TaskState.RUNNING, timestamp=NOW), NOW) is asked
    assert tracker.answered(answer(asked), NOW) is asked


@pytest.mark.spec("COLLAB-03")
def test_requests_expire_in_the_order_of_their_deadlines(tracker: RequestTracker) -> None:
    late, soon, never = ask("msg-1", NOW + 20), ask("msg-2", NOW + 10), ask("msg-3", None)
    for asked in (late, soon, never):
        tracker.sent(asked, NOW)

    assert tracker.expired(NOW + 9.9) == []
    assert tracker.expired(NOW + 20) == [soon, late]
    assert tracker.expired(NOW + 1e9) == []
    assert tracker.statistics().open == 1


@pytest.mark.spec("COLLAB-03")
@pytest.mark.parametrize("swept", [True, False])
def test_an_answer_after_the_deadline_is_too_late(tracker: RequestTracker, *, swept: bool) -> None:
    asked = ask("msg-1", NOW + 10)
    tracker.sent(asked, NOW)
    if swept:
        tracker.expired(NOW + 10)

    with pytest.raises(UnknownCorrelation) as caught:
        tracker.answered(answer(asked), NOW + 10)
    assert caught.value.details["ended"] == "expired"
    assert tracker.expired(NOW + 10) == ([] if swept else [asked])
    assert tracker.statistics().expired == 1


@pytest.mark.spec("COLLAB-03")
def test_an_answer_after_the_cancel_is_too_late(tracker: RequestTracker) -> None:
    asked = ask("msg-1")
    tracker.sent(asked, NOW)

    assert tracker.cancelled("msg-1") is asked
    assert tracker.cancelled("msg-1") is None
    with pytest.raises(UnknownCorrelation) as caught:
        tracker.answered(answer(asked), NOW)
    assert caught.value.details["ended"] == "cancelled"
    assert tracker.expired(NOW + 1e9) == []


def test_sending_again_changes_nothing(tracker: RequestTracker) -> None:
    tracker.sent(ask("msg-1"), NOW)
    tracker.sent(ask("msg-1"), NOW)

    assert tracker.statistics().sent == 1
    assert len(tracker.expired(NOW + 60)) == 1


def test_a_full_tracker_refuses_at_once_and_says_when(tracker: RequestTracker) -> None:
    for number in range(4):
        tracker.sent(ask(f"msg-{number}", NOW + 5 + number), NOW)

    with pytest.raises(Overloaded) as caught:
        tracker.sent(ask("msg-5"), NOW)
    assert caught.value.details == {"retry_after_s": 5.0, "started": False}
    assert tracker.statistics().open == 4


def test_memory_is_bounded() -> None:
    tracker = RequestTracker(limit=10)
    for number in range(1_000):
        asked = ask(f"msg-{number}", NOW + 3600)
        tracker.sent(asked, NOW)
        tracker.answered(answer(asked), NOW)

    assert len(tracker._closed) == len(tracker._closed_order) == 10
    assert len(tracker._deadlines) < 100


@given(
    steps=st.lists(st.tuples(st.sampled_from(["send", "answer", "cancel", "expire"]), st.integers(0, 5)), max_size=60)
)
def test_each_request_is_closed_once(steps: list[tuple[str, int]]) -> None:
    tracker, now, closed, opened = RequestTracker(limit=100), NOW, 0, set[str]()
    for what, number in steps:
        now += 1
        asked = ask(f"msg-{number}", NOW + 10 * number + 5)
        if what == "send" and asked.message_id not in opened:
            tracker.sent(asked, now)
            opened.add(asked.message_id)
        elif what == "answer":
            try:
                tracker.answered(answer(asked), now)
                closed += 1
            except ProtocolError:
                pass
        elif what == "cancel":
            closed += tracker.cancelled(asked.message_id) is not None
        else:
            closed += len(tracker.expired(now))
    figures = tracker.statistics()

    assert figures.sent == len(opened) == closed + figures.open
    assert closed == figures.answered + figures.expired + figures.cancelled
