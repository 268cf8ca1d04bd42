"""Who may see an agent, and who may call it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.routing.visibility import may_call, may_see
from tests.unit.routing.table_rows import row

ENTRIES = st.none() | st.lists(st.sampled_from(["*", "t", "u", "t:admin", "u:user"]), max_size=3)


@pytest.mark.spec("REACH-21")
@settings(deadline=None)
@given(ENTRIES, ENTRIES, st.sampled_from("tu"), st.sampled_from(["user", "admin"]))
def test_who_may_call_may_see(see: list[str] | None, call: list[str] | None, tenant: str, role: str) -> None:
    one = row(owner="t", visibility={"see": see, "call": call})
    if may_call(one, tenant, role):
        assert may_see(one, tenant, role)
    if call is None:
        assert may_call(one, tenant, role) == may_see(one, tenant, role)


@pytest.mark.spec("REACH-21")
def test_default_is_the_own_tenant() -> None:
    one = row(owner="t")
    assert may_see(one, "t", "any")
    assert may_call(one, "t", "any")
    assert not may_see(one, "u", "any")
    assert not may_call(one, "u", "any")
