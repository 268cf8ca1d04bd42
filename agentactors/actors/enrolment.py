"""How a replica registers and stays registered: never silently unregistered, never twice alive."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from agentactors.actors.blueprint import Blueprint
from agentactors.errors import (
    AgentActorsError,
    RegistrationRefused,
    RoleCapabilityMismatch,
    StaleIncarnation,
)
from agentactors.logs import get_logger
from agentactors.registry.row import HeartbeatAnswer, Registration
from agentactors.registry.wire import Beat, Registering
from agentactors.runtime import names
from agentactors.runtime.system_actors import SystemActors

_LOG = get_logger(__name__)
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 5.0
_CALL_S: Final = 5.0


class Enrolment:
    """Registers one replica and sends its heartbeats, on the host's control loop.

    The registry away, it tries again with back-off until it succeeds; refused, it says so once to whoever
    waits in :meth:`registered`. A heartbeat carries no declaration. When the registry knows a newer
    incarnation, this process is an old copy and must stop.

    Args:
        blueprint: The replica.
        instance_id: Names this process's life.
        node_id: Where it runs.
        load: Gives (running calls, lag of the handlers' loop in seconds).
        saw: Told the epoch of each registration.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        *,
        instance_id: str,
        node_id: str,
        load: Callable[[], tuple[int, float]],
        saw: Callable[[int], None],
    ) -> None:
        self._blueprint = blueprint
        self._instance_id = instance_id
        self._node_id = node_id
        self._load = load
        self._saw = saw
        self._actors = SystemActors(blueprint.namespace)
        self._outcome: Future[Registration] = Future()
        self._calling = asyncio.Lock()
        self._work: asyncio.Task[None] | None = None
        self.incarnation = 0
        self.channel = ""
        """Where the replica listens; set before :meth:`run`."""

    async def registered(self) -> Registration:
        """Wait for the first registration.

        Raises:
            RegistrationRefused, RoleCapabilityMismatch, StaleIncarnation: The registry refused.
        """
        return await asyncio.shield(asyncio.wrap_future(self._outcome))

    async def run(self) -> None:
        """Register, then send heartbeats until :meth:`withdraw` is called or this task is cancelled.

        Raises:
            StaleIncarnation: A newer copy of this replica is registered.
        """
        self._work = asyncio.ensure_future(self._stay_registered())
        try:
            await asyncio.wait({self._work})
        finally:
            self._work.cancel()
        if not self._work.cancelled():
            self._work.result()

    async def withdraw(self) -> None:
        """Send nothing more; when this returns, nothing of this replica is on its way to the registry.

        Without this a replica that is deregistered would register again before it is ended.
        """
        async with self._calling:
            if self._work is not None:
                self._work.cancel()

    async def _stay_registered(self) -> None:
        interval_s = await self._register()
        while True:
            if not await self._beat():
                interval_s = await self._register()
            await asyncio.sleep(interval_s)

    async def _register(self) -> float:
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                answer = await self._register_once()
            except (RegistrationRefused, RoleCapabilityMismatch, StaleIncarnation) as refusal:
                self._fail(refusal)
                raise
            except AgentActorsError as fault:
                _LOG.warning(
                    "registration_retried", agent_id=self._blueprint.agent_id, reason=str(fault), pause_s=pause_s
                )
                await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter, no secret
                pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
            else:
                self.incarnation = answer.incarnation
                self._saw(answer.epoch)
                if not self._outcome.done():
                    self._outcome.set_result(answer)
                return answer.heartbeat_interval_s

    async def _register_once(self) -> Registration:
        request = Registering(
            declaration=self._blueprint.spec.declaration.model_dump(mode="json"),
            owner=self._blueprint.owner,
            replica_id=self._blueprint.replica_id,
            instance_id=self._instance_id,
            endpoint=self._blueprint.endpoint,
            node_id=self._node_id,
            channel=self.channel,
            packed=self._blueprint.packed,
            known_incarnation=self.incarnation,
        )
        data = await self._call("register", msgspec.msgpack.encode(request))
        return msgspec.msgpack.decode(data, type=Registration)

    async def _beat(self) -> bool:
        """Send one heartbeat; False when the registry does not know this replica (any more)."""
        in_flight, lag_s = self._load()
        beat = Beat(self._blueprint.agent_id, self._blueprint.replica_id, self.incarnation, in_flight, lag_s)
        try:
            data = await self._call("heartbeat", msgspec.msgpack.encode(beat))
        except StaleIncarnation:
            raise
        except AgentActorsError as fault:
            _LOG.warning("heartbeat_lost", agent_id=self._blueprint.agent_id, reason=str(fault))
            return True
        return msgspec.msgpack.decode(data, type=HeartbeatAnswer).known

    async def _call(self, method: str, data: bytes) -> Any:
        async with self._calling:
            return await self._actors.call(names.REGISTRY, method, data, deadline=time.time() + _CALL_S)

    def _fail(self, refusal: AgentActorsError) -> None:
        if not self._outcome.done():
            self._outcome.set_exception(refusal)
