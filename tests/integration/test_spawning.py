"""Spawning: what cannot start says why, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from agentactors import AgentSystem
from agentactors.errors import (
    AgentFailed,
    ConfigInvalid,
    InputInvalid,
    NoReachableAgent,
    RegistrationRefused,
    RoleCapabilityMismatch,
    StartTimeout,
)
from agentactors.runtime import names
from agentactors.system.placement import Resources
from tests.support.agents import (
    BadInterval,
    Echo,
    FailsToBuild,
    FailsToStart,
    Greedy,
    Planner,
    Stopping,
)
from tests.support.systems import gone_since, living_actors, living_since, named_actors, pid_of, running

SYSTEM_ACTORS = {names.REGISTRY, names.ROUTER, names.JOURNAL}


async def nothing_is_left(system: AgentSystem, before: dict[str, str]) -> None:
    """Check that no actor has come since and no row is there."""
    assert named_actors(system.namespace) == SYSTEM_ACTORS
    await gone_since(before)
    assert await system.agents() == []


@pytest.mark.spec("RAY-07", "REACH-29")
async def test_what_goes_wrong_in_the_agents_own_code_comes_out_of_spawn(system: AgentSystem, tmp_path: Path) -> None:
    before = living_actors()
    with pytest.raises(AgentFailed, match="fails-to-build did not start: RuntimeError: no ink") as failed:
        await system.spawn(FailsToBuild)
    assert failed.value.details["type"] == "RuntimeError"
    with pytest.raises(ConfigInvalid, match="needs a key") as ours:
        await system.spawn(Greedy)
    assert ours.value.details == {"key": "ink"}
    with pytest.raises(AgentFailed, match="no paper"):
        await system.spawn(FailsToStart, str(tmp_path), replicas=2)
    with pytest.raises(AgentFailed, match="TypeError"):
        await system.spawn(Echo, volume=11)
    await nothing_is_left(system, before)


@pytest.mark.spec("REACH-03", "REACH-04", "REACH-29", "COLLAB-07")
async def test_a_refused_registration_comes_out_of_spawn(system: AgentSystem) -> None:
    before = living_actors()
    with pytest.raises(RegistrationRefused, match="too rare") as caught:
        await system.spawn(BadInterval)
    assert caught.value.details["path"] == "heartbeat_interval_s"
    with pytest.raises(RoleCapabilityMismatch):
        await system.spawn(Planner)
    with pytest.raises(RegistrationRefused) as caught:
        await system.spawn(Echo, agent_id="no spaces")
    assert caught.value.details["path"] == "agent_id"
    with pytest.raises(InputInvalid):
        await system.spawn(Echo, replicas=0)
    await nothing_is_left(system, before)


@pytest.mark.spec("RAY-07")
async def test_resources_that_cannot_be_had_are_named(system: AgentSystem, tmp_path: Path) -> None:
    before = living_actors()
    async with running(tmp_path, start_timeout_s=8.0) as short:
        begun = time.monotonic()
        cpus, quanta = await asyncio.gather(
            short.spawn(Echo, num_cpus=64),
            short.spawn(Echo, agent_id="quantum", resources=Resources(custom={"quantum": 1})),
            return_exceptions=True,
        )
        assert time.monotonic() - begun < 12
    assert isinstance(cpus, StartTimeout)
    assert "wants 64 CPU" in cpus.message
    assert (cpus.details["wanted"], cpus.details["total"]["CPU"]) == ({"CPU": 64}, 4)
    assert isinstance(quanta, StartTimeout)
    assert "1 quantum" in quanta.message
    with pytest.raises(InputInvalid):
        await system.spawn(Echo, num_cpus=-1)
    await nothing_is_left(system, before)


@pytest.mark.spec("RAY-01", "REACH-05", "RAY-03")
async def test_an_agent_is_stopped_in_order(system: AgentSystem, tmp_path: Path) -> None:
    before = living_actors()
    goodbye = tmp_path / "goodbye"
    spawned = await system.spawn(Stopping, str(goodbye), replicas=2)
    assert (spawned.agent_id, spawned.replica_ids) == ("stopping", ("0", "1"))
    assert await pid_of(system, "stopping", "0") != await pid_of(system, "stopping", "1")
    with pytest.raises(InputInvalid, match="runs already"):
        await system.spawn(Stopping, str(goodbye))
    assert len(living_since(before)) == 2
    assert (await system.ask("stopping.work")).data == "works"
    assert await system.stop("stopping", replica_id="1") == 1
    assert goodbye.read_text(encoding="ascii") == "stopped"
    assert (await system.ask("stopping.work")).data == "works"
    assert await system.stop("stopping") == 1
    with pytest.raises(NoReachableAgent):
        await system.ask("stopping.work")
    with pytest.raises(NoReachableAgent):
        await system.stop("stopping")
    await nothing_is_left(system, before)
    await system.spawn(Stopping, str(goodbye))
    assert (await system.ask("stopping.work")).data == "works", "nobody keeps a line to the one that was ended"
    await system.stop("stopping")


@pytest.mark.spec("REACH-05", "REACH-28", "REACH-02")
async def test_capabilities_change_while_the_system_runs(system: AgentSystem) -> None:
    before = living_actors()
    spawned = await system.spawn(Echo, agent_id="changing")
    assert any("description" in warning for warning in spawned.warnings)
    assert (await system.ask("echo.say", {"text": "x"})).data["text"] == "x"
    await system.update_capabilities("changing", ["echo.blocking"])
    with pytest.raises(NoReachableAgent):
        await system.ask("echo.say", {"text": "x"})
    with pytest.raises(RegistrationRefused):
        await system.update_capabilities("changing", [{"capability_id": ""}])
    await system.update_capabilities("changing", ["echo.blocking", "echo.say"])
    assert (await system.ask("echo.say", {"text": "x"})).data["text"] == "x"
    await system.stop("changing")
    await nothing_is_left(system, before)
