"""Who has to be there before a team starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agentactors.errors import DependencyNotReady, RoleCapabilityMismatch
from agentactors.protocol.roles import CORE_ROLES, ROLE_CAPABILITIES, Role, check_role

MIN_CORE_AGENTS: Final = 3
MIN_ROLE_KINDS: Final = 3
_RETRY_AFTER_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Member:
    """An agent, or a part of the infrastructure, in a team."""

    agent_id: str
    role: Role | None
    """None for whatever is no agent of the team: runner, registry, router, keeper."""
    capabilities: tuple[str, ...] = ()


def check_topology(members: Iterable[Member]) -> None:
    """Check that a team may start: at least three core agents of three kinds, and no core role missing.

    Infrastructure (a member without role) never counts, and neither does a member of a role that offers
    nothing of what the role is for.

    Raises:
        DependencyNotReady: Somebody is missing; ``details.missing_roles`` names the roles. Nothing is wrong
            with any message or agent, and the same team may start once the agents appear: that is what
            DEPENDENCY_NOT_READY means, and why it says when to look again.
        RoleCapabilityMismatch: A capability on the wrong role, or one agent in several roles.
    """
    roles = _roles_by_agent(members)
    core = {agent_id: role for agent_id, role in roles.items() if role in CORE_ROLES}
    kinds = set(core.values())
    missing = [role for role in CORE_ROLES if role not in kinds]
    if not missing and len(core) >= MIN_CORE_AGENTS and len(kinds) >= MIN_ROLE_KINDS:
        return
    raise DependencyNotReady(
        f"The team cannot start: it lacks the role{'s' if len(missing) > 1 else ''} {', '.join(missing)} "
        f"(it has {len(core)} core agents of {len(kinds)} kinds; at least {MIN_CORE_AGENTS} of {MIN_ROLE_KINDS} "
        "kinds are needed, and each core role).",
        {
            "missing_roles": [role.value for role in missing],
            "missing_capabilities": sorted(name for role in missing for name in ROLE_CAPABILITIES[role]),
            "core_agents": len(core),
            "role_kinds": len(kinds),
            "retry_after_s": _RETRY_AFTER_S,
        },
    )


def _roles_by_agent(members: Iterable[Member]) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    for member in members:
        check_role(member.agent_id, member.role, member.capabilities)
        if member.role is None or not ROLE_CAPABILITIES[member.role].intersection(member.capabilities):
            continue
        known = roles.setdefault(member.agent_id, member.role)
        if known is not member.role:
            raise RoleCapabilityMismatch(
                f"Agent {member.agent_id!r} is both {known} and {member.role}: give each role an agent of its own.",
                {"agent_id": member.agent_id, "roles": sorted((known.value, member.role.value))},
            )
    return roles
