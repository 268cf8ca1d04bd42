"""Why nobody can be reached: which of three checks failed, and what the caller might have meant.

The order is the one in which people look: is it registered, is it online, is the capability id right? Only what
the caller may see takes part.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agentactors.config import Settings
from agentactors.errors import NoReachableAgent
from agentactors.nearest import nearest
from agentactors.registry.status import AgentStatus
from agentactors.routing.directory import Directory, Entry
from agentactors.routing.request import RouteRequest


def unreachable(
    directory: Directory, request: RouteRequest, *, capability: str, settings: Settings, now: float
) -> NoReachableAgent:
    """Return the error for a request that nobody is left for; ``details`` name the failed check.

    Cost:
        O(replicas): it is not on the hot path.
    """
    visible = [entry for entry in directory.entries() if entry.access.may_see(request.tenant, request.role)]
    agents = {entry.row.agent_id for entry in visible}
    if request.agent_id and request.agent_id not in agents:
        return _not_registered(f"No agent {request.agent_id!r} is registered", nearest(request.agent_id, agents))
    if not visible:
        return _not_registered("No agent is registered that you may see", [])
    pool = [entry for entry in visible if not request.agent_id or entry.row.agent_id == request.agent_id]
    serving = [
        entry
        for entry in pool
        if capability in entry.capabilities and entry.access.may_call(request.tenant, request.role)
    ]
    if not serving:
        return _wrong_capability(capability, request, {name for entry in pool for name in entry.capabilities})
    online = [entry for entry in serving if entry.row.status_at(now, settings) is not AgentStatus.OFFLINE]
    if not online:
        return _offline(serving, capability, settings, now)
    excluded = {tuple(key) for key in request.exclude}
    if all(entry.row.key in excluded for entry in online):
        return NoReachableAgent(
            f"Every replica that serves {capability!r} has been tried: try again later, or add a replica.",
            {"failed_check": "online", "capability": capability, "nearest": []},
        )
    versions = sorted({".".join(map(str, entry.version)) for entry in online})
    return NoReachableAgent(
        f"{capability!r} is served in version {', '.join(versions)}, none of them {request.version_range}: "
        "ask for another range.",
        {"failed_check": "capability_id", "capability": capability, "versions": versions, "nearest": [capability]},
    )


def _not_registered(what: str, near: list[str]) -> NoReachableAgent:
    return NoReachableAgent(
        f"{what}{_suggestion(near)}: start it, and see that its registration succeeded.",
        {"failed_check": "registered", "nearest": near},
    )


def _offline(serving: Collection[Entry], capability: str, settings: Settings, now: float) -> NoReachableAgent:
    latest = max(serving, key=lambda entry: entry.row.last_heartbeat).row
    age_s, limit_s = now - latest.last_heartbeat, latest.offline_after_s(settings)
    why = f" ({latest.cause})" if latest.cause and age_s < limit_s else ""
    details: dict[str, Any] = {
        "failed_check": "online",
        "capability": capability,
        "agent_id": latest.agent_id,
        "last_heartbeat_age_s": round(age_s, 3),
        "limit_s": limit_s,
        "nearest": [],
    }
    return NoReachableAgent(
        f"{latest.agent_id!r} serves {capability!r} and is offline{why}: its last heartbeat is {age_s:.1f} s old, "
        f"the limit is {limit_s:g} s; restart it, or check its heartbeat interval.",
        details,
    )


def _wrong_capability(capability: str, request: RouteRequest, offered: Collection[str]) -> NoReachableAgent:
    near = nearest(capability, offered)
    who = f"Agent {request.agent_id!r} does not serve" if request.agent_id else "No agent serves"
    advice = "" if near else f"; it knows {', '.join(sorted(offered)[:5])}" if request.agent_id else ""
    return NoReachableAgent(
        f"{who} {capability!r}{_suggestion(near)}{advice}: check the capability id.",
        {"failed_check": "capability_id", "capability": capability, "nearest": near},
    )


def _suggestion(near: list[str]) -> str:
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
