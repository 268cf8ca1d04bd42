"""A host's line to the journal: chain memory before and after a call, results that are collected later."""

from __future__ import annotations

import time

from agentactors.actors.context import HostContext
from agentactors.actors.memory import ChainMemory
from agentactors.config import Settings
from agentactors.errors import ContextLost
from agentactors.protocol import wire
from agentactors.protocol.envelope import Envelope
from agentactors.runtime import names
from agentactors.runtime.system_actors import SystemActors


class Recall:
    """Reads and writes the journal for one replica. A chain that has no memory costs no call."""

    def __init__(self, actors: SystemActors, settings: Settings) -> None:
        self._actors = actors
        self._settings = settings

    async def load(self, envelope: Envelope, deadline: float) -> ChainMemory:
        """Return the memory of a chain as a call finds it."""
        own: dict[str, bytes] = {}
        referred: dict[str, bytes] = {}
        lost: ContextLost | None = None
        if envelope.has_memory:
            own = await self._fetch(envelope.task_id, envelope.tenant, deadline) or {}
        if envelope.context_refer:
            found = await self._fetch(envelope.context_refer, envelope.tenant, deadline)
            if found is None:
                lost = ContextLost(
                    f"The conclusions of request {envelope.context_refer} are not there: it is unknown, or they expired "
                    f"{self._settings.context_ttl_s:g} s after they were last written.",
                    {"request_id": envelope.context_refer},
                )
            referred = found or {}
        return ChainMemory(envelope.task_id, own=own, referred=referred, lost=lost, settings=self._settings)

    async def store(self, context: HostContext) -> None:
        """Store what a call has concluded since the last time; returns when it is durable.

        Raises:
            TooLarge: Together with what other calls of the chain wrote, it is over the bound.
        """
        dirty = context.chain_memory.take_dirty()
        if dirty:
            deadline = max(context.deadline, time.time() + 1.0)
            await self._actors.call(
                names.JOURNAL, "put_context", context.request_id, context.tenant, dirty, deadline=deadline
            )

    async def keep_result(self, request: Envelope, answer: Envelope) -> None:
        """Record the answer to a request for whoever collects it; the first one counts."""
        deadline = time.time() + self._settings.default_timeout_s
        data = wire.encode(answer)
        await self._actors.call(names.JOURNAL, "put_result", request.task_id, request.tenant, data, deadline=deadline)

    async def _fetch(self, request_id: str, tenant: str, deadline: float) -> dict[str, bytes] | None:
        found: dict[str, bytes] | None = await self._actors.call(
            names.JOURNAL, "get_context", request_id, tenant, deadline=deadline
        )
        return found
