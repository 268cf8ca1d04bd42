"""The life of a task: its states, the one table of legal changes, and the record that holds them.

Theory of operation. A task is *live* until it reaches a terminal state, and terminal states never change:
whoever ends it first has ended it. The table is the whole truth::

    CREATED ──> REQUESTED ──> ACCEPTED ──> RUNNING ──> SUCCEEDED
                 ^   │  │         │        │    │
                 │   │  └─────────┴──> FAILED <─┘
                 │   v                 ^   │
                 └─ WAITING_RETRY / WAITING_HUMAN <── RUNNING

    every live state ──> CANCELLED, TIMED_OUT

Result, cancel and time-out race in every real system. :meth:`TaskRecord.move` therefore compares and sets:
the caller says which state it believes in, and learns whether it was first.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from agentactors.errors import IllegalTransition


class TaskState(StrEnum):
    """Where a task stands."""

    CREATED = "CREATED"
    REQUESTED = "REQUESTED"
    ACCEPTED = "ACCEPTED"
    RUNNING = "RUNNING"
    WAITING_RETRY = "WAITING_RETRY"
    WAITING_HUMAN = "WAITING_HUMAN"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    TIMED_OUT = "TIMED_OUT"


_S = TaskState
_ALWAYS: Final = frozenset({_S.CANCELLED, _S.TIMED_OUT})
_WAITING: Final = frozenset({_S.WAITING_RETRY, _S.WAITING_HUMAN})

TRANSITIONS: Final[Mapping[TaskState, frozenset[TaskState]]] = {
    _S.CREATED: _ALWAYS | {_S.REQUESTED},
    _S.REQUESTED: _ALWAYS | _WAITING | {_S.ACCEPTED, _S.FAILED},
    _S.ACCEPTED: _ALWAYS | {_S.RUNNING, _S.FAILED},
    _S.RUNNING: _ALWAYS | _WAITING | {_S.SUCCEEDED, _S.FAILED},
    _S.WAITING_RETRY: _ALWAYS | {_S.REQUESTED, _S.FAILED},
    _S.WAITING_HUMAN: _ALWAYS | {_S.REQUESTED, _S.FAILED},
    _S.SUCCEEDED: frozenset(),
    _S.FAILED: frozenset(),
    _S.CANCELLED: frozenset(),
    _S.TIMED_OUT: frozenset(),
}
"""State to the states that may follow it; what is not here is illegal."""

TERMINAL: Final = frozenset(state for state, following in TRANSITIONS.items() if not following)
LIVE: Final = frozenset(TaskState) - TERMINAL


def is_terminal(state: TaskState) -> bool:
    """Say whether a task in ``state`` has ended."""
    return state in TERMINAL


def advance(current: TaskState, new: TaskState) -> TaskState:
    """Return ``new`` if it may follow ``current``.

    Raises:
        IllegalTransition: It may not; ``details`` hold ``current``, ``new`` and what is ``allowed``.
    """
    following = TRANSITIONS[current]
    if new in following:
        return new
    allowed = sorted(following)
    says = f"may become {', '.join(allowed)}" if allowed else "has ended and never changes"
    raise IllegalTransition(
        f"A task that is {current} cannot become {new}; it {says}.",
        {"current": current.value, "new": new.value, "allowed": [state.value for state in allowed]},
    )


class StateChange(NamedTuple):
    """One step of a task's life."""

    state: TaskState
    at: float
    """Seconds since the epoch."""


class TaskRecord:
    """A task's state and how it came there.

    Guarantees: the first terminal state stays; a lost race changes nothing. One loop or thread may change a
    record (there is no lock).

    Args:
        task_id: Names the task.
        now: Seconds since the epoch.
    """

    __slots__ = ("_history", "task_id")

    def __init__(self, task_id: str, now: float) -> None:
        self.task_id = task_id
        self._history = [StateChange(TaskState.CREATED, now)]

    @property
    def state(self) -> TaskState:
        """The current state."""
        return self._history[-1].state

    @property
    def history(self) -> tuple[StateChange, ...]:
        """Every state with its time, oldest first."""
        return tuple(self._history)

    def move(self, expected: TaskState, new: TaskState, now: float) -> bool:
        """Change from ``expected`` to ``new`` if the task is still in ``expected``.

        Returns:
            True if this call made the change; False if another was first, and nothing has changed.

        Raises:
            IllegalTransition: ``new`` may never follow ``expected``, whatever the state is now.
        """
        advance(expected, new)
        if self.state is not expected:
            return False
        self._history.append(StateChange(new, now))
        return True

    def end(self, new: TaskState, now: float) -> bool:
        """Change to the terminal state ``new`` from whatever live state the task is in.

        Returns:
            True if this call ended the task; False if it had ended already, in which case its end stays.

        Raises:
            IllegalTransition: The task is live and ``new`` may not follow its state, or ``new`` is not terminal.
        """
        if not is_terminal(new):
            raise IllegalTransition(
                f"{new} is not the end of a task; ends are {', '.join(sorted(TERMINAL))}.",
                {"current": self.state.value, "new": new.value, "allowed": sorted(state.value for state in TERMINAL)},
            )
        return not is_terminal(self.state) and self.move(self.state, new, now)
