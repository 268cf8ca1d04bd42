"""Stage 1 of a routing decision: who may, is there, and can.

The order of the checks is part of the contract. Permission comes first, so that an agent which the caller may
not see leaves no trace in results, explanations or errors. Then status, then the exact capability and version,
then whether the parameters fit. What is left is ordered: priority, then load, then agent_id; the same table and
request always give the same order. A named capability that nobody serves is refused, never sent at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agentactors.config import Settings
from agentactors.errors import AgentActorsError, NoReachableAgent, PermissionDenied, RoleCapabilityMismatch
from agentactors.protocol.roles import ROLE_BY_CAPABILITY
from agentactors.registry.status import AgentStatus
from agentactors.routing.directory import Directory, Entry
from agentactors.routing.fit import misfit
from agentactors.routing.request import Ranked, Rejection, Resolution, RouteRequest, Target
from agentactors.routing.unreachable import unreachable
from agentactors.routing.version import Version, parse_range


@dataclass(slots=True)
class _Sieve:
    """What is left of the candidates, and why the others are gone."""

    left: list[Entry]
    rejections: list[Rejection] = field(default_factory=list)

    def keep(self, reason: Callable[[Entry], str]) -> None:
        """Keep the entries for which ``reason`` is empty."""
        left = []
        for entry in self.left:
            why = reason(entry)
            if why:
                self.rejections.append(Rejection(entry.row.agent_id, why, entry.row.replica_id))
            else:
                left.append(entry)
        self.left = left


def decide(directory: Directory, request: RouteRequest, *, settings: Settings, now: float) -> Resolution:
    """Return the replicas that a request goes to.

    Args:
        directory: The local copy of the table.
        request: What is asked.
        settings: Time-outs and the lease.
        now: Seconds since the epoch.

    Returns:
        The usable replicas of every candidate agent, the best agent's first. Degraded replicas stand for an
        agent only when it has no active one, and such agents come last.

    Raises:
        NoReachableAgent: Nothing is left; ``details.failed_check`` says which check failed.
        PermissionDenied: The caller may see what matches and may call none of it.
        InvalidParameters: Agents are there, and the parameters fit none of them.
        RoleCapabilityMismatch: ``agent_id`` names an agent whose role does not own the capability.
        InputInvalid: ``version_range`` is no range.

    Cost:
        O(replicas that declare the capability), a few microseconds each.
    """
    in_range = parse_range(request.version_range)
    visible = _visible(directory, request)
    capability = request.capability or _only_capability(visible, request)
    if request.agent_id:
        _check_role(visible, request.agent_id, capability)
    matching = [entry for entry in visible if capability in entry.capabilities]
    callable_ = [entry for entry in matching if entry.access.may_call(request.tenant, request.role)]
    if matching and not callable_:
        raise _denied(matching, capability)
    sieve = _sift(callable_, request, capability, in_range=in_range, settings=settings, now=now)
    sieve.rejections[:0] = _forbidden(matching, request)
    faults: list[AgentActorsError] = []
    sieve.keep(lambda entry: _misfit_reason(entry, capability, request, faults))
    if not sieve.left:
        if faults:
            raise faults[0]
        raise unreachable(directory, request, capability=capability, settings=settings, now=now)
    return _resolve(directory, sieve, request, capability, settings=settings, now=now)


def _visible(directory: Directory, request: RouteRequest) -> list[Entry]:
    """Return what the caller may see of what the request can mean."""
    if request.agent_id:
        pool: Iterable[Entry] = directory.replicas(request.agent_id)
    else:
        pool = directory.serving(request.capability or "")
    return [entry for entry in pool if entry.access.may_see(request.tenant, request.role)]


def _only_capability(visible: Sequence[Entry], request: RouteRequest) -> str:
    """Return the capability of a request that names an agent only, when that agent has just one."""
    offered = {capability_id for entry in visible for capability_id in entry.capabilities}
    if len(offered) == 1:
        return next(iter(offered))
    if request.agent_id and not visible:
        return ""
    raise NoReachableAgent(
        "The request names no capability: name one, such as poetry.create.",
        {"failed_check": "capability_id", "nearest": sorted(offered)[:5]},
    )


def _check_role(visible: Sequence[Entry], agent_id: str, capability: str) -> None:
    owner = ROLE_BY_CAPABILITY.get(capability)
    if owner is None or not visible or visible[0].role == owner:
        return
    has = f"has the role {visible[0].role}" if visible[0].role else "has no role"
    raise RoleCapabilityMismatch(
        f"Capability {capability!r} belongs to the role {owner}, and agent {agent_id!r} {has}: ask a {owner}.",
        {"agent_id": agent_id, "capability": capability, "role": owner.value},
    )


def _denied(matching: Sequence[Entry], capability: str) -> PermissionDenied:
    agents = sorted({entry.row.agent_id for entry in matching})
    return PermissionDenied(
        f"You may see {', '.join(map(repr, agents))} and may not call it; nothing else serves {capability!r}.",
        {"agents": agents, "capability": capability},
    )


def _forbidden(matching: Sequence[Entry], request: RouteRequest) -> list[Rejection]:
    return [
        Rejection(entry.row.agent_id, "the caller may see it and may not call it", entry.row.replica_id)
        for entry in matching
        if not entry.access.may_call(request.tenant, request.role)
    ]


def _sift(
    entries: list[Entry],
    request: RouteRequest,
    capability: str,
    *,
    in_range: Callable[[Version], bool],
    settings: Settings,
    now: float,
) -> _Sieve:
    excluded = {tuple(key) for key in request.exclude}
    sieve = _Sieve(entries)
    sieve.keep(lambda entry: "" if entry.row.status_at(now, settings) is not AgentStatus.OFFLINE else "it is offline")
    sieve.keep(lambda entry: "excluded by the caller" if entry.row.key in excluded else "")
    sieve.keep(lambda entry: "" if in_range(entry.version) else f"its version is not {request.version_range}")
    owner = ROLE_BY_CAPABILITY.get(capability)
    # Registration refuses this; a copy of an older table may still hold it.
    sieve.keep(lambda entry: "" if owner is None or entry.role == owner else f"{capability} belongs to {owner}")
    return sieve


def _misfit_reason(entry: Entry, capability: str, request: RouteRequest, faults: list[AgentActorsError]) -> str:
    fault = misfit(entry, capability, request)
    if fault is None:
        return ""
    faults.append(fault)
    return fault.message


def _resolve(
    directory: Directory, sieve: _Sieve, request: RouteRequest, capability: str, *, settings: Settings, now: float
) -> Resolution:
    candidates = _candidates(sieve.left, settings, now)
    chosen = [(candidate, entry) for candidate in candidates for entry in candidate.entries]
    return Resolution(
        targets=tuple(_target(entry, capability, candidate) for candidate, entry in chosen),
        capability=capability,
        schemas={entry.schema_id(capability): entry.input_schema(capability) for _, entry in chosen},
        lease_s=settings.resolution_lease_s,
        epoch=directory.epoch,
        rejected=tuple(sieve.rejections) if request.explain else (),
        ranking=tuple(Ranked(c.agent_id, c.score, c.components) for c in candidates) if request.explain else (),
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    agent_id: str
    degraded: bool
    entries: list[Entry]
    components: dict[str, float]

    @property
    def score(self) -> float:
        return sum(self.components.values())


def _candidates(entries: Iterable[Entry], settings: Settings, now: float) -> list[_Candidate]:
    """Return the agents, best first, each with the replicas that it would be served by."""
    active: dict[str, list[Entry]] = {}
    degraded: dict[str, list[Entry]] = {}
    for entry in entries:
        status = entry.row.status_at(now, settings)
        group = active if status is AgentStatus.ACTIVE else degraded
        group.setdefault(entry.row.agent_id, []).append(entry)
    for agent_id, replicas in degraded.items():
        if agent_id in active:
            # A late heartbeat moves no keys: what a packed host holds would begin afresh elsewhere, and be twice.
            active[agent_id] += [entry for entry in replicas if entry.row.packed]
    found = [_candidate(agent_id, replicas, degraded=False) for agent_id, replicas in active.items()]
    found += [_candidate(name, replicas, degraded=True) for name, replicas in degraded.items() if name not in active]
    return sorted(found, key=lambda candidate: (candidate.degraded, -candidate.score, candidate.agent_id))


def _candidate(agent_id: str, replicas: list[Entry], *, degraded: bool) -> _Candidate:
    replicas.sort(key=lambda entry: entry.row.replica_id)
    load = sum(entry.row.load for entry in replicas) / len(replicas)
    # Priorities are whole numbers and the load's part is below one: load only decides between equal priorities.
    components = {"priority": float(max(entry.priority for entry in replicas)), "load": -load / (1.0 + load)}
    return _Candidate(agent_id, degraded, replicas, components)


def _target(entry: Entry, capability: str, candidate: _Candidate) -> Target:
    declared = entry.capabilities[capability]
    return Target(
        agent_id=entry.row.agent_id,
        replica_id=entry.row.replica_id,
        incarnation=entry.row.incarnation,
        endpoint=entry.row.endpoint,
        node_id=entry.row.node_id,
        channel=entry.row.channel,
        packed=entry.row.packed,
        load=entry.row.load,
        score=candidate.score,
        status=AgentStatus.DEGRADED if candidate.degraded else AgentStatus.ACTIVE,
        schema_id=entry.schema_id(capability),
        idempotent=declared.get("idempotent", False),
        streaming=declared.get("streaming", False),
        takes_query=declared.get("takes_query"),
    )
