"""What a caller asks the router, and what it gets: plain structs, so that they travel as bytes."""

from __future__ import annotations

from typing import Any

import msgspec


class RouteRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who can serve this, for this caller?"""

    query: str = ""
    """The caller's sentence."""
    capability: str | None = None
    version_range: str = ""
    """Such as ``>=1.0,<2.0``; empty: any."""
    tenant: str = "default"
    role: str = "user"
    agent_id: str | None = None
    """Only this agent will do."""
    exclude: list[tuple[str, str]] = []
    """(agent_id, replica_id) of replicas that have been tried."""
    parameters: dict[str, Any] | None = None
    """When given, agents whose input schema refuses them are no candidates."""
    parameter_names: list[str] | None = None
    """Names of parameters whose values stay with the caller."""
    explain: bool = False
    """Whether the answer says how it came about."""


class Target(msgspec.Struct, frozen=True, omit_defaults=True):
    """One replica that can serve."""

    agent_id: str
    replica_id: str
    incarnation: int
    endpoint: str
    node_id: str = ""
    channel: str = ""
    """Where it listens; see :attr:`agentactors.registry.row.ReplicaRow.channel`."""
    load: int = 0
    """Calls it worked on at its last heartbeat."""
    score: float = 0.0
    status: str = "active"
    schema_id: str = ""
    """Names its input schema in :attr:`Resolution.schemas`."""
    idempotent: bool = False
    streaming: bool = False
    takes_query: str | None = None
    packed: bool = False
    """Whether many agents, told apart by a key, share its host."""


class Rejection(msgspec.Struct, frozen=True):
    """One agent that the caller may see and that will not do, and why."""

    agent_id: str
    reason: str
    replica_id: str = ""
    """Empty when it holds for the whole agent."""


class Ranked(msgspec.Struct, frozen=True):
    """One candidate agent with its score and what it is made of."""

    agent_id: str
    score: float
    components: dict[str, float]


class Resolution(msgspec.Struct, frozen=True, omit_defaults=True):
    """The router's answer: every replica that can serve, the best agent's first.

    It is good for ``lease_s`` seconds and gives no rights: the host checks again.
    """

    capability: str
    targets: tuple[Target, ...]
    schemas: dict[str, dict[str, Any]] = {}
    """Input schemas by their id."""
    lease_s: float = 3.0
    epoch: int = 0
    rejected: tuple[Rejection, ...] = ()
    """Who will not do, and why; only when asked to explain."""
    ranking: tuple[Ranked, ...] = ()
    """All candidate agents, best first; only when asked to explain."""
