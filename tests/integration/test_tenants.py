"""Who may see and who may call, on a running system: checked by the router and again by the host."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from agentactors import AgentSystem
from agentactors.errors import DeadlineExceeded, NoReachableAgent, PermissionDenied, RegistrationRefused
from agentactors.protocol import wire
from tests.support.agents import Displayed, Echo, Private
from tests.support.messages import action
from tests.support.systems import named_actors, running, sender, target_of


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    async with running(tmp_path_factory.mktemp("tenants")) as started:
        await asyncio.gather(started.spawn(Private), started.spawn(Displayed))
        yield started


@pytest.fixture(scope="module")
async def other(system: AgentSystem) -> AsyncIterator[AgentSystem]:
    async with AgentSystem.attach(system.name, tenant="other", settings=system.settings) as attached:
        yield attached


@pytest.mark.spec("REACH-21", "REACH-06", "REACH-25")
async def test_an_invisible_agent_leaves_no_trace(system: AgentSystem, other: AgentSystem) -> None:
    assert (await system.ask("private.secret")).data == "secret"
    with pytest.raises(NoReachableAgent) as caught:
        await other.ask("private.secret")
    assert "private" not in str(caught.value.details["nearest"])
    with pytest.raises(NoReachableAgent) as caught:
        await other.ask("private.secret", agent_id="private")
    assert caught.value.details["failed_check"] == "registered"
    assert [row["agent_id"] for row in await other.agents()] == ["displayed"]
    assert {row["agent_id"] for row in await system.agents()} == {"private", "displayed"}


@pytest.mark.spec("REACH-21")
async def test_who_may_see_and_not_call_is_told_so(system: AgentSystem, other: AgentSystem) -> None:
    with pytest.raises(PermissionDenied, match="displayed"):
        await other.ask("display.price")
    assert (await system.ask("display.price")).data == "default:user"
    auditor = AgentSystem.attach(system.name, tenant="other", role="auditor", settings=system.settings)
    async with auditor as attached:
        assert (await attached.ask("display.price")).data == "other:auditor"


@pytest.mark.spec("REACH-21")
@pytest.mark.parametrize(
    ("agent_id", "capability", "code"),
    [("displayed", "display.price", "PERMISSION_DENIED"), ("private", "private.secret", "NO_REACHABLE_AGENT")],
)
async def test_the_host_looks_again(system: AgentSystem, agent_id: str, capability: str, code: str) -> None:
    data = wire.encode(action(capability, agent_id, {}, tenant="other"))
    target, deadline = await target_of(system, agent_id), time.time() + 5
    async with sender(system) as sending:
        answer = await sending.ask(target, data, (), want_ref=False, deadline=deadline)
        accepted = await sending.accept(target, data, (), keep=False, deadline=deadline)
    assert answer.envelope.body.error is not None
    assert answer.envelope.body.error.code == code
    assert accepted.body.error is not None
    assert accepted.body.error.code == code


@pytest.mark.spec("REACH-03", "REACH-29")
async def test_an_agent_id_belongs_to_its_first_owner(system: AgentSystem, other: AgentSystem) -> None:
    class Impostor(Echo):
        agent_id = "private"

    before = named_actors(system.namespace)
    with pytest.raises(RegistrationRefused, match="another owner") as caught:
        await other.spawn(Impostor, replicas=2)
    assert caught.value.details["path"] == "agent_id"
    assert named_actors(system.namespace) == before
    assert (await system.ask("private.secret")).data == "secret"


@pytest.mark.spec("REACH-21", "REACH-05")
async def test_nobody_stops_or_changes_anothers_agent(system: AgentSystem, other: AgentSystem) -> None:
    with pytest.raises(NoReachableAgent):
        await other.stop("private")
    with pytest.raises(RegistrationRefused):
        await other.update_capabilities("private", ["private.leak"])
    assert (await system.ask("private.secret")).data == "secret"


@pytest.mark.spec("REACH-12", "REACH-21")
async def test_a_result_is_collected_by_its_own_tenant_only(system: AgentSystem, other: AgentSystem) -> None:
    request_id = await system.submit("private.secret")
    assert (await system.result(request_id, timeout_s=5)).data == "secret"
    with pytest.raises(DeadlineExceeded, match="no result"):
        await other.result(request_id, timeout_s=0.1)
