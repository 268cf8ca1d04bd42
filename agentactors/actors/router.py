"""The router actor: follows the registry's feed into a local copy and decides on it. Any number may run."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec

from agentactors.config import Settings
from agentactors.errors import AgentActorsError, DependencyNotReady, StaleIncarnation
from agentactors.feed.follower import FeedCodec, Follower
from agentactors.logs import configure_logs, get_logger
from agentactors.protocol.bodies import error_body
from agentactors.registry.row import ReplicaRow
from agentactors.registry.wire import FeedAnswer
from agentactors.routing.decide import decide
from agentactors.routing.directory import Directory
from agentactors.routing.request import RouteRequest
from agentactors.runtime import names
from agentactors.runtime.resolver import RouteAnswer
from agentactors.runtime.system_actors import SystemActors

_LOG = get_logger(__name__)
_POLL_S: Final = 1.0
_CATCH_UP_S: Final = 5.0
_PAUSE_S: Final = 0.2


class RouterActor:
    """Answers resolutions from its own copy of the table: no remote call on the way.

    Args:
        settings: Time-outs and the lease.
        namespace: Of the system.
    """

    def __init__(self, settings: Settings, namespace: str) -> None:
        configure_logs(settings.log_level)
        self._settings = settings
        self._actors = SystemActors(namespace)
        self._directory = Directory()
        self._follower: Follower[ReplicaRow] = Follower(self._directory.put)
        self._codec: FeedCodec[ReplicaRow] = FeedCodec(ReplicaRow)
        self._moved = asyncio.Event()
        self._pulses_since = 0.0
        self._following = asyncio.get_running_loop().create_task(self._follow())

    async def ping(self) -> int:
        """Return the epoch of the copy, once there is one."""
        await self._wait_for(0)
        return self._directory.epoch

    async def resolve(self, data: bytes, min_epoch: int) -> bytes:
        """Decide one request on a copy that has seen at least ``min_epoch``."""
        request = msgspec.msgpack.decode(data, type=RouteRequest)
        try:
            await self._wait_for(min_epoch)
            resolution = decide(self._directory, request, settings=self._settings, now=time.time())
        except AgentActorsError as fault:
            return msgspec.msgpack.encode(RouteAnswer(error=error_body(fault)))
        return msgspec.msgpack.encode(RouteAnswer(resolution=resolution))

    async def _wait_for(self, epoch: int) -> None:
        try:
            async with asyncio.timeout(_CATCH_UP_S):
                while self._follower.position.incarnation == 0 or self._directory.epoch < epoch:
                    await self._moved.wait()
        except TimeoutError:
            raise DependencyNotReady(
                f"The router has not heard from the registry about change {epoch} yet.", {"retry_after_s": 1.0}
            ) from None

    async def _follow(self) -> None:
        """Follow the feed for as long as the actor lives."""
        while True:
            try:
                await self._poll()
            except StaleIncarnation:
                # The registry's database was replaced: its writers count from the start again, and so does the copy.
                self._start_over()
            except AgentActorsError as fault:
                _LOG.warning("feed_interrupted", code=fault.code, reason=fault.message)
                await asyncio.sleep(_PAUSE_S)

    def _start_over(self) -> None:
        self._directory = Directory()
        self._follower = Follower(self._directory.put)
        self._pulses_since = 0.0

    async def _poll(self) -> None:
        position = self._follower.position
        data = await self._actors.call(
            names.REGISTRY,
            "changes",
            position.incarnation,
            position.epoch,
            self._pulses_since,
            _POLL_S,
            deadline=time.time() + _POLL_S + self._settings.default_timeout_s,
        )
        answer = msgspec.msgpack.decode(data, type=FeedAnswer)
        if not self._follower.apply(self._codec.decode(answer.update)):
            return  # a gap: the next poll asks from a position that only a snapshot answers
        self._directory.apply_pulses(answer.pulses)
        self._pulses_since = answer.as_of
        self._directory.epoch = self._follower.position.epoch
        self._moved.set()
        self._moved.clear()
