"""Roles: each capability belongs to one, each agent has at most one."""

from __future__ import annotations

import pytest

from agentactors.errors import RoleCapabilityMismatch
from agentactors.protocol.roles import CORE_ROLES, ROLE_BY_CAPABILITY, ROLE_CAPABILITIES, Role, check_role

SPEC = {
    "planner": {"plan.create"},
    "retriever": {"retrieve.search"},
    "executor": {
        "tool.os_info",
        "tool.python_env",
        "tool.disk_usage",
        "tool.read_build_log",
        "tool.check_commands",
    },
    "summarizer": {"summary.create"},
    "verifier": {"verify.check"},
}
EVERY = [(role, capability) for role in Role for capability in sorted(ROLE_CAPABILITIES[role])]


@pytest.mark.spec("COLLAB-07")
def test_the_table_is_the_specifications() -> None:
    assert {role.value: set(capabilities) for role, capabilities in ROLE_CAPABILITIES.items()} == SPEC
    assert set(CORE_ROLES) == set(Role) - {Role.VERIFIER}


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize(("owner", "capability"), EVERY)
@pytest.mark.parametrize("role", [*Role, None])
def test_a_capability_is_accepted_on_its_own_role_only(owner: Role, capability: str, role: Role | None) -> None:
    if role is owner:
        check_role("agent-1", role, [capability])
        return
    with pytest.raises(RoleCapabilityMismatch) as caught:
        check_role("agent-1", role, [capability])
    assert caught.value.details == {"agent_id": "agent-1", "capability": capability, "role": owner.value}


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize("role", [*Role, None])
def test_an_agent_of_all_trades_is_refused(role: Role | None) -> None:
    with pytest.raises(RoleCapabilityMismatch) as caught:
        check_role("agent-1", role, ROLE_BY_CAPABILITY)
    assert caught.value.details["roles"] == sorted(SPEC)


@pytest.mark.spec("COLLAB-07")
def test_capabilities_of_no_role_are_free() -> None:
    check_role("agent-1", None, ["poetry.create"])
    check_role("agent-1", Role.PLANNER, ["plan.create", "poetry.create"])
