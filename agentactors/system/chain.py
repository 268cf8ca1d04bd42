"""A chain of several calls, made by a driver that wants to know what was said."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from agentactors.errors import AgentActorsError
from agentactors.protocol.envelope import Body, Envelope, MessageType
from agentactors.protocol.task import Result
from agentactors.protocol.tracker import RequestTracker
from agentactors.runtime.chain import Call, Chain
from agentactors.runtime.reach import Progress, Reach

_MAX_OPEN: Final = 10_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message and its answer, as the driver saw them."""

    request: Envelope
    answer: Envelope
    started: float
    """Seconds since the epoch."""
    ended: float


class OpenChain:
    """Calls that share one request_id, one deadline and one memory.

    Every answer is checked against its request: a second one, or one to nothing, is an error.
    """

    def __init__(self, chain: Chain, reach: Reach) -> None:
        self._chain = chain
        self._reach = reach
        self._tracker = RequestTracker(_MAX_OPEN)
        self.exchanges: list[Exchange] = []
        """Every message that was answered, in the order of the answers."""

    @property
    def request_id(self) -> str:
        """Names the chain."""
        return self._chain.request_id

    @property
    def deadline(self) -> float:
        """Absolute, seconds since the epoch."""
        return self._chain.deadline

    async def ask(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        on_progress: Progress | None = None,
    ) -> tuple[Result, Exchange]:
        """Call a capability within the chain; raises what :meth:`AgentSystem.ask` raises."""
        started = time.time()
        reply = await self._reach.ask(self._chain, Call(capability, parameters or {}, query), on_progress=on_progress)
        if reply.answer.has_memory:
            self._chain = msgspec.structs.replace(self._chain, has_memory=True)
        return reply.result, self._note(reply.request, reply.answer, started)

    async def greet(self, capability: str, name: str) -> Envelope:
        """Exchange HELLO with whoever serves a capability; return its answer: who it is and what it can do."""
        return await self._converse(capability, MessageType.HELLO, {"agent": name, "role": None})

    async def query_capability(self, capability: str) -> Envelope:
        """Ask whoever serves a capability for its declaration."""
        return await self._converse(capability, MessageType.CAPABILITY_QUERY, {"capability": capability})

    async def request_task(self, capability: str, task_text: str) -> Envelope:
        """Hand a task to whoever serves a capability; return its TASK_ACCEPT."""
        return await self._converse(capability, MessageType.TASK_REQUEST, {"task_text": task_text})

    async def _converse(self, capability: str, kind: MessageType, parameters: dict[str, Any]) -> Envelope:
        started = time.time()
        request, answer = await self._reach.exchange(self._chain, capability, kind, Body(parameters=parameters))
        return self._note(request, answer, started).answer

    def _note(self, request: Envelope, answer: Envelope, started: float) -> Exchange:
        now = time.time()
        self._tracker.sent(request, started)
        try:
            self._tracker.answered(answer, now)
        except AgentActorsError as fault:
            raise fault.with_details(message_id=request.message_id) from fault
        exchange = Exchange(request, answer, started, now)
        self.exchanges.append(exchange)
        return exchange
