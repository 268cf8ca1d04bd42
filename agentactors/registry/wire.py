"""What replicas and the registry say to each other: small structs that travel as msgpack."""

from __future__ import annotations

from typing import Any

import msgspec

from agentactors.registry.row import Pulse


class Registering(msgspec.Struct, frozen=True, omit_defaults=True):
    """A replica's declaration, sent at its start and on change."""

    declaration: dict[str, Any]
    owner: str
    replica_id: str
    instance_id: str
    endpoint: str = ""
    node_id: str = ""
    channel: str = ""
    packed: bool = False
    known_incarnation: int = 0
    """What this process was told when it registered before; 0 when it has not."""


class Beat(msgspec.Struct, frozen=True, array_like=True):
    """A heartbeat: who, which life, how busy. Never a declaration."""

    agent_id: str
    replica_id: str
    incarnation: int
    in_flight: int = 0
    lag_s: float = 0.0
    """How late the handlers' loop runs."""


class FeedAnswer(msgspec.Struct, frozen=True):
    """What a follower gets: an encoded update, and the heartbeats that made no epoch."""

    update: bytes
    pulses: list[Pulse]
    as_of: float
    """The registry's time: ask for heartbeats since then the next time."""
