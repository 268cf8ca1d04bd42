"""Processes that die or stand still: really killed, really stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentactors import AgentSystem
from agentactors.errors import (
    AgentActorsError,
    AgentUnavailable,
    NoReachableAgent,
    StaleIncarnation,
)
from agentactors.registry.row import HeartbeatAnswer, Registration
from agentactors.registry.wire import Beat, Registering
from agentactors.runtime import names
from agentactors.runtime.system_actors import SystemActors
from tests.support.agents import Echo, Fragile, Remembering, Sleeper
from tests.support.systems import frozen, kill, lives, named_actors, pid_of, row_of, running, system_pid
from tests.support.waiting import until

OFFLINE_S = 3.0
ROUTABLE_S = 10.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("counts")


@pytest.fixture(scope="module")
async def system(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    settings = {"max_restarts": -1, "offline_after_s": OFFLINE_S}
    async with running(tmp_path_factory.mktemp("failures"), **settings) as started:
        await asyncio.gather(
            started.spawn(Echo), started.spawn(Remembering), started.spawn(Fragile, str(folder), replicas=2)
        )
        yield started


async def answers(system: AgentSystem) -> bool:
    """Say whether asks work."""
    try:
        return bool((await system.ask("echo.say", {"text": "there"}, timeout_s=5)).data["text"] == "there")
    except AgentActorsError:
        return False


async def settled(system: AgentSystem) -> None:
    """Wait until every replica is active and answers: one that was just killed is active until its lease runs out."""

    async def active() -> bool:
        rows = await system.agents()
        try:
            described = await asyncio.gather(*(system.describe(row["endpoint"]) for row in rows))
        except AgentUnavailable:
            return False
        return all(
            row["status"] == "active" and row["incarnation"] == one["incarnation"]
            for row, one in zip(rows, described, strict=True)
        )

    await until(active, within_s=20, what="every replica is active")


@pytest.mark.spec("RAY-08", "RUN-07", "REACH-28")
async def test_a_killed_replica_comes_back_as_the_next_incarnation(system: AgentSystem) -> None:
    await settled(system)
    before = await row_of(system, "echo")
    pid = await pid_of(system, "echo")
    kill(pid)
    killed = time.monotonic()
    await until(lambda: not lives(pid), within_s=2)
    await until(lambda: answers(system), within_s=ROUTABLE_S, what="it is routable again")
    assert time.monotonic() - killed < ROUTABLE_S

    async def renewed() -> bool:
        return bool((await row_of(system, "echo"))["incarnation"] == before["incarnation"] + 1)

    await until(renewed, within_s=5)
    assert await pid_of(system, "echo") != pid
    after = await row_of(system, "echo")
    assert after["capabilities"] == before["capabilities"]


@pytest.mark.spec("REACH-04", "REACH-28", "REACH-25")
async def test_a_replica_that_stands_still_goes_offline_and_comes_back(system: AgentSystem) -> None:
    await settled(system)
    incarnation = (await row_of(system, "echo"))["incarnation"]
    seen = []

    async def status(wanted: str) -> bool:
        seen.append(row := await row_of(system, "echo"))
        return bool(row["status"] == wanted)

    with frozen(await pid_of(system, "echo")):
        await until(lambda: status("degraded"), within_s=OFFLINE_S + 2)
        await until(lambda: status("offline"), within_s=OFFLINE_S + 4)
        assert seen[-1]["last_heartbeat_age_s"] >= OFFLINE_S - 0.1
        assert "no heartbeat" in seen[-1]["cause"]

        async def refused() -> dict[str, Any]:
            try:
                await system.ask("echo.say", {"text": "x"}, timeout_s=1)
            except NoReachableAgent as fault:
                return fault.details
            except AgentActorsError:
                pass  # a lease from before it was offline
            return {}

        details = await until(refused, within_s=5)
        assert (details["failed_check"], details["limit_s"]) == ("online", OFFLINE_S)
        assert details["last_heartbeat_age_s"] >= OFFLINE_S
    await until(lambda: status("active"), within_s=10)
    assert await answers(system)
    assert (await row_of(system, "echo"))["incarnation"] == incarnation, "it is the same process"


@pytest.mark.spec("RAY-08", "RUN-07")
async def test_the_registry_comes_back_with_its_declarations(system: AgentSystem) -> None:
    await settled(system)
    before = {row["endpoint"]: (row["incarnation"], row["capabilities"]) for row in await system.agents()}
    actors = SystemActors(system.namespace)
    incarnation = await actors.call(names.REGISTRY, "ping", deadline=time.time() + 5)
    pid = await system_pid(system, names.REGISTRY)
    kill(pid)
    await until(lambda: not lives(pid), within_s=2)
    assert await answers(system), "a router's copy serves while the registry is away"
    rows = await system.agents()
    assert {row["endpoint"]: (row["incarnation"], row["capabilities"]) for row in rows} == before
    assert await actors.call(names.REGISTRY, "ping", deadline=time.time() + 10) == incarnation + 1
    await settled(system)
    await system.update_capabilities("echo", ["echo.progress"])
    with pytest.raises(NoReachableAgent):
        await system.ask("echo.say", {"text": "x"})
    await system.update_capabilities("echo", ["echo.blocking", "echo.progress", "echo.say"])
    assert await answers(system), "routers follow the new registry"


@pytest.mark.spec("RAY-08")
async def test_the_router_comes_back_with_the_table(system: AgentSystem) -> None:
    await settled(system)
    pid = await system_pid(system, names.ROUTER)
    kill(pid)
    await until(lambda: not lives(pid), within_s=2)
    with pytest.raises(NoReachableAgent) as caught:
        await system.ask("say.echo", {"text": "needs the new router"})
    assert "echo.say" in caught.value.details["nearest"]
    assert await answers(system)


@pytest.mark.spec("RAY-08", "REACH-15", "REACH-12")
async def test_the_journal_comes_back_with_memory_and_results(system: AgentSystem) -> None:
    await settled(system)
    first = await system.ask("memory.write", {"key": "poem", "value": "kept"})
    request_id = await system.submit("echo.say", {"text": "kept too"})
    assert (await system.result(request_id, timeout_s=5)).data["text"] == "kept too"
    pid = await system_pid(system, names.JOURNAL)
    kill(pid)
    await until(lambda: not lives(pid), within_s=2)
    assert (await system.ask("memory.read", {"key": "poem"}, context_refer=first.request_id)).data == "kept"
    assert (await system.result(request_id, timeout_s=10)).data["text"] == "kept too"


@pytest.mark.spec("REACH-17", "REACH-16")
async def test_an_idempotent_call_fails_over_to_another_replica(system: AgentSystem, folder: Path) -> None:
    await settled(system)
    result = await system.ask("fragile.work", {"name": "idempotent"})
    assert result.data > 0
    assert (folder / "idempotent").read_text(encoding="ascii") == "xx"
    await settled(system)


@pytest.mark.spec("REACH-17")
async def test_any_other_call_is_not_repeated(system: AgentSystem, folder: Path) -> None:
    await settled(system)
    with pytest.raises(AgentUnavailable, match="unknown") as caught:
        await system.ask("fragile.pay", {"name": "payment"})
    assert caught.value.details["started"] is None
    assert caught.value.retryable == "unknown"
    assert (folder / "payment").read_text(encoding="ascii") == "x"
    for _ in range(5):
        assert (await system.ask("fragile.pid")).data > 0, "the other replica serves"
    await settled(system)
    assert (folder / "payment").read_text(encoding="ascii") == "x"


@pytest.mark.spec("REACH-05")
async def test_whoever_joins_finds_all_who_were_there_before(system: AgentSystem) -> None:
    await settled(system)
    # The router stands still until all have come: its copy is older than what they may rely on.
    for number in range(3):
        with frozen(await system_pid(system, names.ROUTER)):
            await system.spawn(Echo, agent_id=f"before-{number}")
            joined = await AgentSystem.attach(system.name, settings=system.settings)
            asking = asyncio.create_task(joined.ask("echo.say", {"text": "there"}, agent_id=f"before-{number}"))
        assert (await asking).data["text"] == "there"
        await joined.shutdown()
        await system.stop(f"before-{number}")


@pytest.mark.spec("RUN-07", "REACH-28")
async def test_an_older_incarnation_is_refused(system: AgentSystem) -> None:
    await settled(system)
    registry = SystemActors(system.namespace)

    async def send(method: str, message: Any) -> bytes:
        data: bytes = await registry.call(
            names.REGISTRY, method, msgspec.msgpack.encode(message), deadline=time.time() + 5
        )
        return data

    row = await row_of(system, "remembering")
    declaration = {"agent_id": "remembering", "capabilities": ["memory.write", "memory.read"]}
    successor = Registering(declaration, "default", "0", "life-successor", row["endpoint"], row["node_id"])
    pid = await pid_of(system, "remembering")
    answer = msgspec.msgpack.decode(await send("register", successor), type=Registration)
    assert answer.incarnation == row["incarnation"] + 1
    with pytest.raises(StaleIncarnation) as caught:
        await send("heartbeat", Beat("remembering", "0", row["incarnation"]))
    assert caught.value.details["current"] == answer.incarnation
    assert msgspec.msgpack.decode(
        await send("heartbeat", Beat("remembering", "0", answer.incarnation)), type=HeartbeatAnswer
    ).known
    stale = msgspec.structs.replace(successor, instance_id="life-old", known_incarnation=row["incarnation"])
    with pytest.raises(StaleIncarnation):
        await send("register", stale)
    await until(lambda: not lives(pid), within_s=5, what="the succeeded process has ended itself")
    await system.stop("remembering")
    await system.spawn(Remembering)
    assert (await row_of(system, "remembering"))["incarnation"] == answer.incarnation + 1


@pytest.mark.spec("RUN-03")
async def test_the_first_result_wins(system: AgentSystem) -> None:
    await settled(system)
    request_id = await system.submit("echo.say", {"text": "first"})
    first = await system.result(request_id, timeout_s=5)
    journal = SystemActors(system.namespace)

    async def call(method: str, *arguments: Any) -> Any:
        return await journal.call(names.JOURNAL, method, *arguments, deadline=time.time() + 5)

    assert await call("put_result", request_id, "default", b"second") is False
    assert await system.result(request_id, timeout_s=5) == first
    assert await call("put_result", "req-new", "default", b"one") is True
    assert await call("get_result", "req-new", "default", 0.0) == b"one"
    assert await call("get_result", "req-new", "other", 0.0) is None


@pytest.mark.spec("REACH-28", "REACH-04")
async def test_a_heartbeat_brings_back_what_was_marked_down(system: AgentSystem) -> None:
    await settled(system)
    registry = SystemActors(system.namespace)
    assert await registry.call(names.REGISTRY, "mark_down", "echo", None, "by hand", deadline=time.time() + 5) == 1
    await settled(system)
    await until(lambda: answers(system), within_s=3)


@pytest.mark.spec("REACH-16", "RAY-08")
async def test_an_agent_that_is_dead_for_good_is_an_error_and_no_wait(tmp_path: Path) -> None:
    async with running(tmp_path, max_restarts=0, offline_after_s=OFFLINE_S) as system:
        await system.spawn(Echo)
        assert await answers(system)
        pid = await pid_of(system, "echo")
        kill(pid)
        await until(lambda: not lives(pid), within_s=2)
        begun = time.monotonic()
        with pytest.raises((AgentUnavailable, NoReachableAgent)):
            await system.ask("echo.say", {"text": "x"}, timeout_s=15)
        assert time.monotonic() - begun < 5

        async def offline() -> bool:
            return bool((await row_of(system, "echo"))["status"] == "offline")

        await until(offline, within_s=OFFLINE_S + 3)
        with pytest.raises(NoReachableAgent) as caught:
            await system.ask("echo.say", {"text": "x"}, timeout_s=15)
        assert caught.value.details["failed_check"] == "online"


@pytest.mark.spec("REACH-29", "RAY-08")
async def test_an_agent_that_starts_while_the_registry_is_away_registers_when_it_is_back(system: AgentSystem) -> None:
    await settled(system)
    pid = await system_pid(system, names.REGISTRY)
    with frozen(pid):
        spawning = asyncio.ensure_future(system.spawn(Sleeper))
        await until(lambda: names.host("sleeper", "0") in named_actors(system.namespace), within_s=5)
        with pytest.raises(NoReachableAgent):
            await system.ask("sleep.notes", timeout_s=2)
        assert not spawning.done(), "it is no candidate meanwhile"
    await spawning
    assert (await system.ask("sleep.notes")).data == []
    await system.stop("sleeper")
