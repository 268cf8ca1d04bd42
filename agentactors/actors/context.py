"""The host's implementation of :class:`agentactors.agents.context.Context`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from agentactors.actors.memory import ChainMemory
from agentactors.errors import Cancelled
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.state import StateRef
from agentactors.protocol.task import Result
from agentactors.runtime.chain import Call, Chain
from agentactors.runtime.reach import Reach, Stream


class HostContext:
    """One call's context.

    Args:
        envelope: The request.
        agent_id: Who runs the handler.
        chain: What nested calls inherit, in the agent's own name.
        memory: The chain's conclusions.
        reach: How nested calls are made.
        flush: Stores what memory has gathered.
        on_progress: Gets progress notes, None when nobody listens.
        loop: The host's loop, for handlers that run in threads.
    """

    def __init__(
        self,
        envelope: Envelope,
        *,
        agent_id: str,
        chain: Chain,
        memory: ChainMemory,
        reach: Reach,
        flush: Callable[[HostContext], Awaitable[None]],
        on_progress: Callable[[dict[str, Any]], None] | None,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._envelope = envelope
        self._agent_id = agent_id
        self._chain = chain
        self._memory = memory
        self._reach = reach
        self._flush = flush
        self._on_progress = on_progress
        self._loop = loop
        self._cancelled = False

    @property
    def request_id(self) -> str:
        return self._envelope.task_id

    @property
    def message_id(self) -> str:
        return self._envelope.message_id

    @property
    def agent_id(self) -> str:
        return self._agent_id

    @property
    def key(self) -> str:
        return self._envelope.key

    @property
    def tenant(self) -> str:
        return self._envelope.tenant

    @property
    def role(self) -> str:
        return self._envelope.role

    @property
    def query(self) -> str:
        return self._envelope.body.query or ""

    @property
    def deadline(self) -> float:
        return self._chain.deadline

    @property
    def remaining_s(self) -> float:
        return max(0.0, self._chain.deadline - time.time())

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    @property
    def memory(self) -> MutableMapping[str, Any]:
        return self._memory

    @property
    def chain_memory(self) -> ChainMemory:
        """The same, as the host flushes it."""
        return self._memory

    @property
    def has_memory(self) -> bool:
        """Whether the chain holds conclusions, as far as this call knows."""
        return self._chain.has_memory or self._memory.holds_anything

    def cancel(self) -> None:
        """Mark the call cancelled: nested calls are refused from now on, a sync handler sees it."""
        self._cancelled = True

    def progress(self, message: str, *, step: int | None = None, steps: int | None = None) -> None:
        if self._on_progress is not None:
            note = {"message": message, "step": step, "steps": steps, "agent_id": self._agent_id}
            self._on_progress({key: value for key, value in note.items() if value is not None})

    async def ask(
        self,
        capability: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> Result:
        call = Call(capability, parameters or {}, query, agent_id, key=key)
        reply = await self._reach.ask(await self._nested(timeout_s), call)
        if reply.answer.has_memory:
            self._chain = msgspec.structs.replace(self._chain, has_memory=True)
        return reply.result

    def ask_blocking(
        self,
        capability: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> Result:
        coroutine = self.ask(capability, parameters, query=query, agent_id=agent_id, key=key, timeout_s=timeout_s)
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=self.remaining_s + 1.0)

    async def ask_ref(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> StateRef:
        call = Call(capability, parameters or {}, agent_id=agent_id)
        return await self._reach.ask_ref(await self._nested(timeout_s), call)

    @asynccontextmanager
    async def stream(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> AsyncIterator[Stream]:
        call = Call(capability, parameters or {}, agent_id=agent_id, key=key)
        async with self._reach.stream(await self._nested(timeout_s), call) as stream:
            yield stream

    async def _nested(self, timeout_s: float | None) -> Chain:
        """Return the chain for a nested call; it sees what this call has concluded so far."""
        if self._cancelled:
            raise Cancelled(f"{self._agent_id} was told to stop; it starts nothing new.")
        await self._flush(self)
        if self.has_memory and not self._chain.has_memory:
            self._chain = msgspec.structs.replace(self._chain, has_memory=True)
        if timeout_s is None:
            return self._chain
        return msgspec.structs.replace(self._chain, deadline=min(self._chain.deadline, time.time() + timeout_s))
