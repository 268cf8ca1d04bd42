"""Rows for the routing tests."""

from __future__ import annotations

from typing import Any

from agentactors.protocol.declare import parse_declaration
from agentactors.registry.row import ReplicaRow
from agentactors.registry.status import AgentStatus

NOW = 1000.0


def row(
    agent_id: str = "poet",
    capability: str | list[Any] = "poetry.create",
    *,
    replica_id: str = "0",
    status: AgentStatus = AgentStatus.ACTIVE,
    owner: str = "default",
    age_s: float = 0.0,
    load: int = 0,
    cause: str = "",
    **declared: Any,
) -> ReplicaRow:
    """Return a row of an agent with the given capabilities."""
    capabilities = [capability] if isinstance(capability, str) else capability
    declaration = parse_declaration({"agent_id": agent_id, "capabilities": capabilities, **declared})
    external = declaration.base_url is not None
    return ReplicaRow(
        agent_id=agent_id,
        replica_id=replica_id,
        owner=owner,
        incarnation=1,
        instance_id=f"{agent_id}-{replica_id}",
        status=status,
        declaration=declaration.model_dump(mode="json"),
        endpoint=f"actor-{agent_id}-{replica_id}",
        external=external,
        last_heartbeat=NOW - age_s,
        interval_s=30.0 if external else 5.0,
        load=load,
        cause=cause,
    )
