"""Many agents in one host: told apart by keys, made when they are needed, moved off a host that dies."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from agentactors import Agent, AgentSystem, Context, capability
from agentactors.errors import AgentFailed, InvalidParameters, Overloaded
from agentactors.runtime import names
from tests.support.systems import frozen, row_of, running
from tests.support.waiting import until


class Counter(Agent):
    """Counts for its key."""

    def __init__(self, step: int) -> None:
        self._step = step
        self._count = 0

    def __len__(self) -> int:
        """Agents with a length may be false, and are there all the same."""
        return 0

    async def on_start(self) -> None:
        """Yield once, as agents do that open something."""
        await asyncio.sleep(0)

    @capability("counter.add", idempotent=True)
    async def add(self, ctx: Context) -> dict[str, int | str]:
        """Count one step on."""
        self._count += self._step
        return {"key": ctx.key, "count": self._count, "pid": os.getpid()}

    @capability("counter.sum")
    async def total(self, ctx: Context, keys: list[str]) -> int:
        """Ask others of its kind."""
        asked = await asyncio.gather(*(ctx.ask("counter.add", key=key) for key in keys))
        return sum(one.data["count"] for one in asked)


class Fragile(Agent):
    """Does not start at first."""

    made = 0

    async def on_start(self) -> None:
        """Fail once in the process."""
        Fragile.made += 1
        if Fragile.made == 1:
            raise OSError("no room")

    @capability("fragile.use")
    async def use(self) -> int:
        """Say how many were made."""
        return Fragile.made


@pytest.fixture(scope="module", autouse=True)
async def counters(system: AgentSystem) -> None:
    """Start two hosts."""
    await system.spawn(Counter, 2, packed=True, replicas=2)


async def counted(system: AgentSystem) -> list[int]:
    """Return how many agents each host has."""
    return [(await system.describe(names.host("counter", number)))["agents"] for number in ("0", "1")]


@pytest.mark.spec("RAY-01")
async def test_each_key_has_an_agent_of_its_own_and_keeps_it(system: AgentSystem) -> None:
    keys = [f"own-{number}" for number in range(60)] + ["钥匙"]
    for turn in (1, 2):
        results = await asyncio.gather(*(system.ask("counter.add", key=key) for key in keys))
        assert [one.data["count"] for one in results] == [2 * turn] * len(keys)
        assert [one.data["key"] for one in results] == keys
    hosts = {one.data["pid"] for one in results}
    assert len(hosts) == 2, "the keys are spread"
    assert sum(await counted(system)) >= len(keys)


@pytest.mark.spec("RAY-01")
async def test_messages_that_arrive_while_the_agent_is_made_reach_the_same_one(system: AgentSystem) -> None:
    results = await asyncio.gather(*(system.ask("counter.add", key="at once") for _ in range(20)))
    assert sorted(one.data["count"] for one in results) == list(range(2, 42, 2))


@pytest.mark.spec("REACH-12")
async def test_packed_agents_ask_each_other(system: AgentSystem) -> None:
    assert (await system.ask("counter.sum", {"keys": ["a", "b", "c"]}, key="asking")).data == 6


@pytest.mark.spec("REACH-31")
async def test_a_packed_agent_wants_a_key(system: AgentSystem) -> None:
    with pytest.raises(InvalidParameters, match="key="):
        await system.ask("counter.add")
    with pytest.raises(InvalidParameters, match="256"):
        await system.ask("counter.add", key="k" * 257)


@pytest.mark.spec("RAY-08", "REACH-17")
async def test_keys_move_off_a_host_that_dies_and_it_is_counted_again_when_it_is_back(
    fresh_system: AgentSystem,
) -> None:
    system = fresh_system
    await system.spawn(Counter, 2, packed=True, replicas=2)
    keys = [f"moving-{number}" for number in range(20)]
    before = {one.data["key"]: one.data["pid"] for one in [await system.ask("counter.add", key=key) for key in keys]}
    victim = (await system.describe(names.host("counter", "0")))["pid"]
    assert victim in before.values()
    os.kill(victim, signal.SIGKILL)
    after = [(await system.ask("counter.add", key=key)).data for key in keys]
    for one in after:
        assert one["pid"] != victim
        stayed = before[one["key"]] != victim
        assert one["count"] == (4 if stayed else 2), "those that moved begin afresh"

    async def back() -> bool:
        row = await system.agents()
        return all(one["status"] == "active" for one in row) and (await counted(system))[0] >= 0

    await until(back, within_s=15)


@pytest.mark.spec("REACH-04")
async def test_a_late_heartbeat_moves_no_keys(fresh_system: AgentSystem) -> None:
    system = fresh_system
    await system.spawn(Counter, 2, packed=True, replicas=2)
    keys = [f"staying-{number}" for number in range(20)]
    late = (await system.describe(names.host("counter", "0")))["pid"]
    before = {key: (await system.ask("counter.add", key=key)).data["pid"] for key in keys}
    there = [key for key in keys if before[key] == late]
    assert 0 < len(there) < len(keys)

    async def degraded() -> bool:
        return bool((await row_of(system, "counter", "0"))["status"] == "degraded")

    with frozen(late):
        await until(degraded, within_s=3)
        waiting = [asyncio.create_task(system.ask("counter.add", key=key)) for key in there]
        for key in set(keys) - set(there):
            assert (await system.ask("counter.add", key=key)).data["count"] == 4
    assert [one.data["count"] for one in await asyncio.gather(*waiting)] == [4] * len(there)


@pytest.mark.spec("RAY-10", "REACH-17")
async def test_a_full_host_gives_its_keys_to_no_other(tmp_path: Path) -> None:
    async with running(tmp_path, packed_agents=1) as system:
        await system.spawn(Counter, 1, packed=True, replicas=2)
        results = await asyncio.gather(
            *(system.ask("counter.add", key=f"full-{number}") for number in range(20)), return_exceptions=True
        )
        assert sum(isinstance(one, Overloaded) for one in results) == 18
        assert await counted(system) == [1, 1]


@pytest.mark.spec("RAY-10")
async def test_a_host_has_a_bound_on_its_agents(tmp_path: Path) -> None:
    async with running(tmp_path, packed_agents=3) as system:
        await system.spawn(Counter, 1, packed=True)
        for key in ("a", "b", "c", "a"):
            await system.ask("counter.add", key=key)
        with pytest.raises(Overloaded, match="3 agents"):
            await system.ask("counter.add", key="d")
        assert (await system.ask("counter.add", key="b")).data["count"] == 2


async def test_an_agent_that_does_not_start_is_tried_again_by_the_next_message(fresh_system: AgentSystem) -> None:
    await fresh_system.spawn(Fragile, packed=True)
    with pytest.raises(AgentFailed, match="no room"):
        await fresh_system.ask("fragile.use", key="one")
    assert (await fresh_system.ask("fragile.use", key="one")).data == 2
