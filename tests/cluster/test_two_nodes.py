"""Agents on two nodes: spread out, reached across nodes, moved when a node is lost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import numpy as np
import pytest
import ray

from agentactors import AgentSystem
from agentactors.errors import AgentActorsError, AgentUnavailable, StartTimeout
from agentactors.system.placement import Resources
from tests.support.agents import Carrier, Echo, Sleeper
from tests.support.waiting import until


@pytest.mark.spec("RAY-07")
async def test_two_replicas_lie_on_different_nodes(system: AgentSystem) -> None:
    await system.spawn(Echo, replicas=2)
    nodes = {row["node_id"] for row in await system.agents() if row["agent_id"] == "echo"}
    assert len(nodes) == 2
    assert nodes == {node["NodeID"] for node in ray.nodes() if node["Alive"]}
    await system.stop("echo")


@pytest.mark.spec("RAY-07")
async def test_placement_says_otherwise(system: AgentSystem) -> None:
    here = ray.get_runtime_context().get_node_id()
    await system.spawn(Echo, replicas=2, resources=Resources(node_id=here))
    assert {row["node_id"] for row in await system.agents() if row["agent_id"] == "echo"} == {here}
    await system.stop("echo")
    await system.spawn(Echo, replicas=2, resources=Resources(custom={"second": 1}))
    [there] = {row["node_id"] for row in await system.agents() if row["agent_id"] == "echo"}
    assert there != here
    await system.stop("echo")


@pytest.mark.spec("RAY-04", "RAY-05")
async def test_a_large_value_crosses_nodes(system: AgentSystem) -> None:
    await system.spawn(Carrier, resources=Resources(custom={"second": 1}))
    array = np.arange(500_000, dtype=np.float64)
    assert (await system.ask("carry.sum", {"array": array})).data == array.sum()
    ref = await system.ask_ref("carry.array", {"size": 500_000})
    assert (await system.read(ref))[-1] == 499_999.0
    assert (await system.ask("carry.sum", {"array": ref})).data == array.sum()
    await system.stop("carrier")


@pytest.mark.spec("RAY-02", "RAY-08", "REACH-17")
async def test_channels_cross_nodes_and_end_with_them(system: AgentSystem, two_nodes: Any) -> None:
    doomed = two_nodes.add_node(num_cpus=1, resources={"channelled": 2})
    two_nodes.wait_for_nodes()
    await system.spawn(Sleeper, resources=Resources(custom={"channelled": 1}))
    [row] = [row for row in await system.agents() if row["agent_id"] == "sleeper"]
    assert row["node_id"] == doomed.node_id
    assert (await system.ask("sleep.notes")).transport == "channel"
    async with system.stream("sleep.count", {"name": "a", "items": 3}) as stream:
        assert [item async for item in stream] == [0, 1, 2]
    tasks = [
        asyncio.create_task(system.ask("sleep.wait", {"name": f"doomed {n}", "seconds": 60}, timeout_s=40))
        for n in range(5)
    ]

    async def all_began() -> bool:
        return [note[:6] for note in (await system.ask("sleep.notes")).data].count("doomed") == 5

    await until(all_began, within_s=5)
    lost = time.monotonic()
    two_nodes.remove_node(doomed, allow_graceful=False)
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert time.monotonic() - lost < 10
    assert {type(one) for one in outcomes} == {AgentUnavailable}
    assert {one.details["started"] for one in outcomes if isinstance(one, AgentActorsError)} == {None}
    await system.stop("sleeper")


@pytest.mark.spec("RAY-08", "RAY-02", "REACH-16")
async def test_a_replica_moves_when_its_node_is_lost(system: AgentSystem, two_nodes: Any) -> None:
    doomed = two_nodes.add_node(num_cpus=1, resources={"doomed": 2})
    two_nodes.wait_for_nodes()
    node_id = doomed.node_id
    # The cluster grew while the system ran, and a replica that only prefers its node may move.
    await system.spawn(Sleeper, replicas=3)
    on_doomed = [row for row in await system.agents() if row["node_id"] == node_id]
    assert len(on_doomed) == 1
    two_nodes.remove_node(doomed, allow_graceful=False)
    lost = time.monotonic()
    outcomes = await asyncio.gather(*(_ask(system) for _ in range(20)))
    assert outcomes.count(True) >= 10, "the others serve meanwhile"

    async def moved() -> bool:
        rows = [row for row in await system.agents() if row["agent_id"] == "sleeper"]
        return all(row["status"] == "active" and row["node_id"] != node_id for row in rows)

    await until(moved, within_s=20, what="every replica is active on a living node")
    assert time.monotonic() - lost < 20
    assert await _ask(system)
    await system.stop("sleeper")


async def _ask(system: AgentSystem) -> bool:
    try:
        await system.ask("sleep.notes", timeout_s=5)
    except AgentActorsError:
        return False
    return True


@pytest.mark.spec("RAY-07")
async def test_what_no_node_has_is_named(system: AgentSystem) -> None:
    pinned = Resources(num_cpus=3, node_id=ray.get_runtime_context().get_node_id())
    with pytest.raises(StartTimeout, match="wants 3 CPU") as caught:
        async with asyncio.timeout(system.settings.start_timeout_s + 10):
            await system.spawn(Echo, agent_id="pinned", resources=pinned)
    assert caught.value.details["total"]["CPU"] >= 4
