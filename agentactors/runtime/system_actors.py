"""Calls to the system's own actors (registry, router, journal): found by name, repeated while they restart."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Final

from agentactors.errors import AgentUnavailable
from agentactors.runtime.transport import RayCallTransport

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0


class SystemActors:
    """Calls system actors by name.

    Every method that is called through here may be repeated (it reads, or writes the same value again), so a
    call that meets a dead or restarting actor is made again, with jittered back-off, until its deadline.
    """

    def __init__(self, namespace: str, transport: RayCallTransport | None = None) -> None:
        self._transport = transport or RayCallTransport(namespace)

    async def call(self, name: str, method: str, *arguments: Any, deadline: float) -> Any:
        """Call ``method`` of system actor ``name``.

        Raises:
            AgentUnavailable: The actor did not come back before the deadline.
            DeadlineExceeded: It did not answer before the deadline.
            AgentActorsError: What the actor itself raised.
        """
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                handle = await self._transport.handle(name, deadline=deadline)
                return await self._transport.wait(getattr(handle, method).remote(*arguments), name, deadline)
            except AgentUnavailable:
                left_s = deadline - time.time()
                if left_s <= pause_s:
                    raise
                await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter, no secret
                pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
