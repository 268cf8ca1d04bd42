"""Resolve once, then talk directly: the router's answers, kept for the seconds of their lease."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import msgspec

from agentactors.errors import AgentActorsError
from agentactors.protocol.envelope import ErrorBody
from agentactors.routing.request import Resolution, RouteRequest
from agentactors.runtime import names
from agentactors.runtime.system_actors import SystemActors

MAX_KEPT: Final = 4096
_RENEWAL_S: Final = 0.5


class RouteAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the router actor answers: a resolution or an error."""

    resolution: Resolution | None = None
    error: ErrorBody | None = None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(RouteAnswer)


@dataclass(slots=True)
class _Kept:
    resolution: Resolution
    until: float


class Resolver:
    """Asks the router and keeps its answers.

    A kept answer gives no rights (the host checks again) and is dropped at the first failure. Requests that
    carry parameters or exclusions are not kept.
    """

    def __init__(self, actors: SystemActors) -> None:
        self._actors = actors
        self._kept: OrderedDict[tuple[str, ...], _Kept] = OrderedDict()
        self.min_epoch = 0
        """The router must have seen at least this change: one's own registrations, and those before one came."""

    async def resolve(self, request: RouteRequest, *, deadline: float) -> Resolution:
        """Return who can serve a request.

        Raises:
            NoReachableAgent, PermissionDenied, RoleCapabilityMismatch: The router's decision.
            AgentUnavailable, DeadlineExceeded: The router did not answer in time.
        """
        key = self._key(request)
        kept = self._kept.get(key) if not request.exclude else None
        if kept is not None:
            now = time.monotonic()
            if kept.until > now:
                return kept.resolution
            # One caller renews the lease; the others go on with the old answer for as long as that may take.
            kept.until = now + _RENEWAL_S
        data = await self._actors.call(
            names.ROUTER, "resolve", _ENCODER.encode(request), self.min_epoch, deadline=deadline
        )
        answer = _DECODER.decode(data)
        if answer.resolution is None:
            self._kept.pop(key, None)
            raise AgentActorsError.from_wire(msgspec.to_builtins(answer.error))
        if not request.exclude:
            self._keep(key, answer.resolution)
        return answer.resolution

    def drop(self, request: RouteRequest) -> None:
        """Forget the answer to a request whose target failed."""
        self._kept.pop(self._key(request), None)

    def forget(self) -> None:
        """Forget every answer."""
        self._kept.clear()

    def _keep(self, key: tuple[str, ...], resolution: Resolution) -> None:
        self._kept[key] = _Kept(resolution, time.monotonic() + resolution.lease_s)
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    @staticmethod
    def _key(request: RouteRequest) -> tuple[str, ...]:
        return (
            request.capability or "",
            request.version_range,
            request.agent_id or "",
            request.tenant,
            request.role,
            "" if request.capability else request.query,
        )
