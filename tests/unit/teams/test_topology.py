"""Who has to be there before a team starts."""

from __future__ import annotations

from itertools import combinations

import pytest

from agentactors.errors import DependencyNotReady, RoleCapabilityMismatch
from agentactors.protocol.roles import CORE_ROLES, ROLE_CAPABILITIES, Role
from agentactors.teams.topology import Member, check_topology


def member(role: Role, number: int = 1) -> Member:
    return Member(f"{role}-{number}", role, tuple(sorted(ROLE_CAPABILITIES[role])))


CORE = [member(role) for role in CORE_ROLES]
INFRASTRUCTURE = [Member(name, None) for name in ("runner", "registry", "router", "keeper")]


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize("more", [[], [member(Role.VERIFIER)], INFRASTRUCTURE, [member(Role.EXECUTOR, 2)]])
def test_the_core_team_starts(more: list[Member]) -> None:
    check_topology([*CORE, *more])


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize("count", range(4))
def test_no_smaller_team_starts(count: int) -> None:
    for members in combinations(CORE, count):
        with pytest.raises(DependencyNotReady) as caught:
            check_topology(members)
        present = {one.role for one in members}
        assert caught.value.details["missing_roles"] == [role.value for role in CORE_ROLES if role not in present]
        assert caught.value.details["core_agents"] == caught.value.details["role_kinds"] == count
        assert caught.value.details["retry_after_s"] > 0
        assert caught.value.row.http_status == 425


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize("role", CORE_ROLES)
@pytest.mark.parametrize("stand_in", [member(Role.VERIFIER), *INFRASTRUCTURE])
def test_nobody_stands_in_for_a_core_role(role: Role, stand_in: Member) -> None:
    others = [one for one in CORE if one.role is not role]

    with pytest.raises(DependencyNotReady, match=f"lacks the role {role}"):
        check_topology([*others, stand_in])


@pytest.mark.spec("COLLAB-07")
def test_many_agents_of_few_kinds_do_not_start() -> None:
    crowd = [member(Role.EXECUTOR, number) for number in range(10)]

    with pytest.raises(DependencyNotReady) as caught:
        check_topology([*crowd, member(Role.PLANNER)])
    assert (caught.value.details["core_agents"], caught.value.details["role_kinds"]) == (11, 2)


@pytest.mark.spec("COLLAB-07")
def test_a_role_without_its_capabilities_does_not_count() -> None:
    idle = Member("retriever-1", Role.RETRIEVER, ("poetry.create",))
    others = [one for one in CORE if one.role is not Role.RETRIEVER]

    with pytest.raises(DependencyNotReady) as caught:
        check_topology([*others, idle])
    assert caught.value.details["missing_capabilities"] == ["retrieve.search"]


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize(
    "wrong",
    [
        Member("planner-2", Role.PLANNER, ("summary.create",)),
        Member("router", None, ("retrieve.search",)),
        Member("all", Role.PLANNER, ("plan.create", "retrieve.search")),
        Member("summarizer-1", Role.VERIFIER, ("verify.check",)),
    ],
)
def test_a_role_is_not_gone_round(wrong: Member) -> None:
    with pytest.raises(RoleCapabilityMismatch):
        check_topology([*CORE, wrong])
