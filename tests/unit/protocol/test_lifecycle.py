"""The task state machine: only what the table allows, and the first end stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agentactors.errors import IllegalTransition
from agentactors.protocol.lifecycle import (
    LIVE,
    TERMINAL,
    TRANSITIONS,
    StateChange,
    TaskRecord,
    TaskState,
    advance,
    is_terminal,
)

S = TaskState
STATES = st.sampled_from(TaskState)

SPEC_PATHS = """
CREATED REQUESTED
REQUESTED ACCEPTED
ACCEPTED RUNNING
RUNNING SUCCEEDED
RUNNING FAILED
REQUESTED FAILED
ACCEPTED FAILED
REQUESTED WAITING_RETRY
REQUESTED WAITING_HUMAN
RUNNING WAITING_RETRY
RUNNING WAITING_HUMAN
WAITING_RETRY REQUESTED
WAITING_RETRY FAILED
WAITING_HUMAN REQUESTED
WAITING_HUMAN FAILED
"""
ENDS = {S.SUCCEEDED, S.FAILED, S.CANCELLED, S.TIMED_OUT}


def expected_table() -> set[tuple[TaskState, TaskState]]:
    """The specification's table, with cancel and time-out from every live state."""
    pairs = {(S(a), S(b)) for a, b in (line.split() for line in SPEC_PATHS.strip().splitlines())}
    return pairs | {(live, end) for live in set(S) - ENDS for end in (S.CANCELLED, S.TIMED_OUT)}


@pytest.mark.spec("COLLAB-04")
def test_the_table_is_the_specifications() -> None:
    actual = {(state, new) for state, following in TRANSITIONS.items() for new in following}

    assert actual == expected_table()
    assert set(TRANSITIONS) == set(S)
    assert TERMINAL == ENDS
    assert set(S) - ENDS == LIVE


@pytest.mark.spec("COLLAB-04")
@pytest.mark.parametrize("new", S)
@pytest.mark.parametrize("current", S)
def test_every_pair_of_states(current: TaskState, new: TaskState) -> None:
    if (current, new) in expected_table():
        assert advance(current, new) is new
        return
    with pytest.raises(IllegalTransition) as caught:
        advance(current, new)
    assert caught.value.details["current"] == current
    assert caught.value.details["new"] == new
    assert caught.value.details["allowed"] == sorted(TRANSITIONS[current])


@pytest.mark.spec("COLLAB-04")
@given(path=st.lists(STATES, max_size=30))
def test_no_path_leaves_a_terminal_state(path: list[TaskState]) -> None:
    current, ended = S.CREATED, None
    for new in path:
        try:
            current = advance(current, new)
        except IllegalTransition:
            continue
        assert ended is None
        if is_terminal(current):
            ended = current
    assert ended is None or current is ended


class Race(RuleBasedStateMachine):
    """Anybody tries anything, believing in any state: the record stays true."""

    def __init__(self) -> None:
        super().__init__()
        self.record = TaskRecord("req-1", 0.0)
        self.now = 0.0

    @rule(expected=STATES, new=STATES)
    def move(self, expected: TaskState, new: TaskState) -> None:
        before, self.now = self.record.history, self.now + 1
        if new not in TRANSITIONS[expected]:
            with pytest.raises(IllegalTransition):
                self.record.move(expected, new, self.now)
            assert self.record.history == before
            return
        first = self.record.move(expected, new, self.now)
        assert first is (before[-1].state is expected)
        assert self.record.history == ((*before, StateChange(new, self.now)) if first else before)

    @rule(new=st.sampled_from([S.CANCELLED, S.TIMED_OUT]))
    def stop(self, new: TaskState) -> None:
        before = self.record.state
        assert self.record.end(new, self.now) is not is_terminal(before)
        assert self.record.state is (before if is_terminal(before) else new)

    @invariant()
    def history_follows_the_table_and_ends_once(self) -> None:
        states = [change.state for change in self.record.history]
        assert states[0] is S.CREATED
        assert all(b in TRANSITIONS[a] for a, b in pairwise(states))
        assert not any(is_terminal(state) for state in states[:-1])


Race.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestRace = pytest.mark.spec("COLLAB-04")(Race.TestCase)


@pytest.mark.spec("COLLAB-04")
def test_the_first_end_wins() -> None:
    record = TaskRecord("req-1", 1.0)
    for expected, new in ((S.CREATED, S.REQUESTED), (S.REQUESTED, S.ACCEPTED), (S.ACCEPTED, S.RUNNING)):
        assert record.move(expected, new, 2.0)

    assert record.end(S.TIMED_OUT, 3.0)
    assert not record.move(S.RUNNING, S.SUCCEEDED, 4.0)
    assert not record.end(S.CANCELLED, 5.0)
    assert record.state is S.TIMED_OUT
    assert record.history[-1] == StateChange(S.TIMED_OUT, 3.0)


@pytest.mark.spec("COLLAB-04")
def test_an_end_that_may_not_follow_is_refused() -> None:
    record = TaskRecord("req-1", 1.0)

    with pytest.raises(IllegalTransition):
        record.end(S.SUCCEEDED, 2.0)
    with pytest.raises(IllegalTransition, match="is not the end"):
        record.end(S.RUNNING, 2.0)
    assert record.state is S.CREATED
