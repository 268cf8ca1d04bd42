"""The roles of a diagnosis team and the capabilities that belong to each, one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from agentactors.errors import RoleCapabilityMismatch


class Role(StrEnum):
    """What an agent is in a team; an agent has at most one."""

    PLANNER = "planner"
    RETRIEVER = "retriever"
    EXECUTOR = "executor"
    SUMMARIZER = "summarizer"
    VERIFIER = "verifier"
    """Checks quality; replaces neither retrieval nor summary."""


CORE_ROLES: Final = (Role.PLANNER, Role.RETRIEVER, Role.EXECUTOR, Role.SUMMARIZER)

ROLE_CAPABILITIES: Final[Mapping[Role, frozenset[str]]] = {
    Role.PLANNER: frozenset({"plan.create"}),
    Role.RETRIEVER: frozenset({"retrieve.search"}),
    Role.EXECUTOR: frozenset(
        {"tool.os_info", "tool.python_env", "tool.disk_usage", "tool.read_build_log", "tool.check_commands"}
    ),
    Role.SUMMARIZER: frozenset({"summary.create"}),
    Role.VERIFIER: frozenset({"verify.check"}),
}
"""These ids are reserved: no agent of another role, or of none, may register or serve them."""

ROLE_BY_CAPABILITY: Final[Mapping[str, Role]] = {
    capability: role for role, capabilities in ROLE_CAPABILITIES.items() for capability in capabilities
}


def check_role(agent_id: str, role: Role | None, capability_ids: Iterable[str]) -> None:
    """Check that an agent's capabilities belong to its role.

    Raises:
        RoleCapabilityMismatch: A capability belongs to another role, or one agent claims several roles' own.
    """
    ids = sorted(capability_ids)
    claimed = {owner for capability in ids if (owner := ROLE_BY_CAPABILITY.get(capability))}
    if len(claimed) > 1:
        raise RoleCapabilityMismatch(
            f"Agent {agent_id!r} claims the capabilities of several roles ({', '.join(sorted(claimed))}): "
            "give each role an agent of its own.",
            {"agent_id": agent_id, "roles": sorted(claimed)},
        )
    wrong = [capability for capability in ids if ROLE_BY_CAPABILITY.get(capability, role) != role]
    if wrong:
        owner = ROLE_BY_CAPABILITY[wrong[0]]
        raise RoleCapabilityMismatch(
            f"Capability {wrong[0]!r} belongs to the role {owner}, and agent {agent_id!r} has "
            f"{f'the role {role}' if role else 'no role'}: move it to a {owner}, or set role = Role.{owner.name}.",
            {"agent_id": agent_id, "capability": wrong[0], "role": owner.value},
        )
