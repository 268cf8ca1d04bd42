"""Which object references this process holds: whoever pulls, owns.

An ObjectRef never leaves this table except as a top-level argument of a Ray call; everything else in the
program knows a value by its :class:`StateRef`.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

import ray

from agentactors.errors import DeadlineExceeded, StateLost
from agentactors.protocol.ids import new_id
from agentactors.protocol.state import StateKind, StateRef
from agentactors.runtime.payload import attach, detach
from agentactors.runtime.translate import translate


class CustodyStatistics(NamedTuple):
    """What a table of held values amounts to."""

    held: int
    size_bytes: int


class Custody:
    """The large values that this process owns.

    A value lives until it is released or the process ends; it does not depend on the process that made it.
    """

    def __init__(self) -> None:
        self._refs: dict[str, tuple[Any, StateRef]] = {}

    def put(self, value: Any) -> StateRef:
        """Store a value; this process owns it.

        Args:
            value: A numpy array, an Arrow table, bytes or plain data.

        Raises:
            InvalidMessage: The value is none of these.

        Cost:
            One copy into plasma.
        """
        attachment, kind, size_bytes = attach(value)
        return self.adopt(ray.put(attachment), kind, size_bytes)

    def adopt(self, ref: Any, kind: StateKind, size_bytes: int) -> StateRef:
        """Take over the result of a call that this process made."""
        state = StateRef(new_id("state"), size_bytes, kind)
        self._refs[state.state_id] = (ref, state)
        return state

    def ref(self, state: StateRef) -> Any:
        """Return the object reference, for the arguments of a Ray call.

        Raises:
            StateLost: It is not held here.
        """
        held = self._refs.get(state.state_id)
        if held is None:
            raise StateLost(
                f"State {state.state_id} is not held by this process: it was released here, or belongs to another one.",
                {"state_id": state.state_id},
            )
        return held[0]

    async def read(self, state: StateRef, *, deadline: float) -> Any:
        """Return the value: read-only, zero-copy for arrays, tables and bytes on this node.

        Raises:
            StateLost: It is not held here, or its copy in the store is gone.
            DeadlineExceeded: It did not arrive in time.
        """
        future = asyncio.wrap_future(self.ref(state).future())
        try:
            async with asyncio.timeout(max(0.0, deadline - time.time())):
                return detach(await future, state.kind)
        except TimeoutError:
            raise DeadlineExceeded(
                f"State {state.state_id} ({state.size_bytes:,} bytes) did not arrive in time."
            ) from None
        except ray.exceptions.RayError as fault:
            raise translate(fault) from fault

    def release(self, state: StateRef) -> bool:
        """Give a value up; say whether it was held. Readers that already have it keep their view."""
        return self._refs.pop(state.state_id, None) is not None

    def clear(self) -> None:
        """Give everything up."""
        self._refs.clear()

    def statistics(self) -> CustodyStatistics:
        """Count what is held."""
        return CustodyStatistics(len(self._refs), sum(state.size_bytes for _, state in self._refs.values()))
