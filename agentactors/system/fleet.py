"""The agents of a system: spawned, listed, stopped."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from agentactors.actors.blueprint import Blueprint
from agentactors.agents.spec import AgentSpec
from agentactors.errors import InputInvalid, NoReachableAgent, RegistrationRefused, StartTimeout
from agentactors.registry.row import Registration, ReplicaRow
from agentactors.routing.visibility import may_see
from agentactors.runtime import names
from agentactors.system.life import Parts, kill_named, stop_host, withdraw_host
from agentactors.system.placement import Resources, choose_node, living_nodes


@dataclass(frozen=True, slots=True)
class Spawned:
    """What :meth:`AgentSystem.spawn` has started."""

    agent_id: str
    replica_ids: tuple[str, ...]
    warnings: tuple[str, ...]
    """What to mend in the declaration."""


async def spawn(
    parts: Parts,
    spec: AgentSpec,
    *,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    replicas: int,
    resources: Resources,
    packed: bool = False,
) -> Spawned:
    """Start the replicas of one agent side by side; all of them, or none. See :meth:`AgentSystem.spawn`."""
    if replicas < 1:
        raise InputInvalid(f"{replicas} replicas cannot be started; ask for at least 1.")
    from agentactors.system.launch import launch_host  # noqa: PLC0415 - loaded while Ray starts, see life.start

    nodes = await asyncio.to_thread(living_nodes)
    taken: Counter[str | None] = Counter()
    launches = {}
    for number in range(replicas):
        node_id = choose_node(nodes, resources, taken)
        taken[node_id] += 1
        blueprint = Blueprint(
            system=parts.record.name,
            namespace=parts.record.namespace,
            settings=parts.settings,
            spec=spec,
            arguments=arguments,
            keywords=keywords,
            replica_id=str(number),
            owner=parts.tenant,
            endpoint=names.host(spec.declaration.agent_id, str(number)),
            secret=bytes.fromhex(parts.record.secret),
            spans_nodes=len(nodes) > 1,
            packed=packed,
        )
        launches[blueprint] = launch_host(
            blueprint,
            resources=resources,
            node_id=node_id,
            detached=parts.record.detached,
            growing=not parts.connection.opened_here,
        )
    parts.spawning += 1
    try:
        outcomes = await asyncio.gather(*launches.values(), return_exceptions=True)
    finally:
        parts.spawning -= 1
        if not parts.spawning:
            parts.spawned.set()
    registrations: list[Registration] = []
    faults: list[BaseException] = []
    for blueprint, outcome in zip(launches, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            faults.append(outcome)
        else:
            parts.held[blueprint.endpoint], registration = outcome
            registrations.append(registration)
    if faults:
        for blueprint, outcome in zip(launches, outcomes, strict=True):
            if not isinstance(outcome, BaseException):
                await withdraw_host(parts, blueprint.endpoint)
                await kill_named(parts, blueprint.endpoint)
            elif not isinstance(outcome, StartTimeout):
                continue
            # Half a set of replicas helps nobody; and one that was too slow may have registered before it was ended.
            await parts.registry("deregister", blueprint.agent_id, blueprint.replica_id, blueprint.owner)
        raise await _reason(parts, spec.declaration.agent_id, faults[0])
    parts.saw(max(registration.epoch for registration in registrations))
    replica_ids = tuple(blueprint.replica_id for blueprint in launches)
    return Spawned(spec.declaration.agent_id, replica_ids, tuple(registrations[0].warnings))


async def stop(parts: Parts, agent_id: str, replica_id: str | None) -> int:
    """Deregister replicas, so that nobody is sent there any more, then end them. See :meth:`AgentSystem.stop`."""
    mine = [
        row
        for row in await rows(parts)
        if row.agent_id == agent_id and row.owner == parts.tenant and replica_id in (None, row.replica_id)
    ]
    if not mine:
        raise NoReachableAgent(f"You have no agent {agent_id!r}.", {"failed_check": "registered"})
    await asyncio.gather(*(withdraw_host(parts, row.endpoint) for row in mine))
    _, epoch = await parts.registry("deregister", agent_id, replica_id, parts.tenant)
    parts.saw(epoch)
    await asyncio.gather(*(stop_host(parts, row.endpoint) for row in mine))
    return len(mine)


async def rows(parts: Parts) -> list[ReplicaRow]:
    """Return the registry's rows, whoever may see them."""
    found: list[ReplicaRow] = msgspec.msgpack.decode(await parts.registry("rows"), type=list[ReplicaRow])
    return found


async def visible(parts: Parts) -> list[dict[str, Any]]:
    """Return, as plain data, the replicas that the caller may see."""
    return [_shown(row) for row in await rows(parts) if may_see(row, parts.tenant, parts.role)]


async def _reason(parts: Parts, agent_id: str, fault: BaseException) -> BaseException:
    """Return why a spawn failed; a name that is taken may be taken by an agent of another owner."""
    if isinstance(fault, InputInvalid) and any(
        row.agent_id == agent_id and row.owner != parts.tenant for row in await rows(parts)
    ):
        return RegistrationRefused(
            f"The agent id {agent_id!r} belongs to another owner: choose another one.", {"path": "agent_id"}
        )
    return fault


def _shown(row: ReplicaRow) -> dict[str, Any]:
    declaration = row.declaration
    return {
        "agent_id": row.agent_id,
        "replica_id": row.replica_id,
        "agent_name": declaration.get("agent_name", ""),
        "status": row.status.value,
        "role": declaration.get("role"),
        "capabilities": [one["capability_id"] for one in declaration["capabilities"]],
        "incarnation": row.incarnation,
        "owner": row.owner,
        "in_flight": row.in_flight,
        "lag_s": row.lag_s,
        "last_heartbeat_age_s": round(max(0.0, time.time() - row.last_heartbeat), 1),
        "node_id": row.node_id,
        "endpoint": row.endpoint,
        "channel": row.channel,
        "packed": row.packed,
        "cause": row.cause,
        "warnings": list(row.warnings),
    }
