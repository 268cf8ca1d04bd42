"""Ray's exceptions to ours: the one place where they meet."""

from __future__ import annotations

import asyncio
from typing import Any

import ray.exceptions as rx

from agentactors.errors import (
    AgentActorsError,
    AgentFailed,
    AgentUnavailable,
    Cancelled,
    Overloaded,
    StartTimeout,
    StateLost,
    SystemNotFound,
)

_CAUSES = (
    (rx.OutOfMemoryError, "out of memory"),
    (rx.NodeDiedError, "node lost"),
    (rx.ActorUnavailableError, "connection lost"),
    (rx.ActorDiedError, "actor died"),
    (rx.WorkerCrashedError, "process crashed"),
)


def translate(fault: BaseException, *, target: str = "") -> AgentActorsError:  # noqa: PLR0911 - one row each
    """Return our error for an exception that Ray raised.

    Args:
        fault: What was caught.
        target: The endpoint that was called, for the sentence.
    """
    cause = getattr(fault, "cause", None)
    # The cause first: what Ray raises for it is of both classes and has lost the details.
    if isinstance(cause, AgentActorsError):
        return cause
    if isinstance(fault, AgentActorsError):
        return fault
    if isinstance(fault, rx.TaskCancelledError) or isinstance(cause, rx.TaskCancelledError | asyncio.CancelledError):
        return Cancelled(f"The call to {target or 'the agent'} was cancelled.")
    if isinstance(fault, rx.PendingCallsLimitExceeded):
        return Overloaded(f"Too many calls wait for {target}.", {"retry_after_s": 0.1, "started": False})
    if isinstance(fault, rx.ActorUnschedulableError):
        return StartTimeout(f"{target} cannot be scheduled: {_first(fault)}.")
    if isinstance(fault, rx.RayActorError | rx.WorkerCrashedError | rx.NodeDiedError | rx.OutOfMemoryError):
        why = next((name for kind, name in _CAUSES if isinstance(fault, kind)), "actor lost")
        return AgentUnavailable(
            f"{target or 'The agent'} is unavailable ({why}); whether the call had an effect is unknown.",
            {"cause": why, "started": None},
        )
    if isinstance(
        fault,
        rx.ObjectLostError | rx.ObjectFetchTimedOutError | rx.ObjectStoreFullError | rx.ReferenceCountingAssertionError,
    ):
        return StateLost(f"A large value cannot be read any more: {_first(fault)}.", {"cause": type(fault).__name__})
    if isinstance(fault, ConnectionError | rx.RaySystemError):
        return SystemNotFound(f"Ray does not answer: {_first(fault)}.")
    shown = cause if cause is not None else fault
    return AgentFailed(
        f"{target or 'The agent'} failed: {type(shown).__name__}: {_first(shown)}",
        {"type": type(shown).__name__, "traceback": str(fault)[-4000:]},
    )


def _first(fault: Any) -> str:
    lines = [line for line in str(fault).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(fault).__name__
