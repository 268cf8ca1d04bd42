"""Calls within calls: loops end, streams nest, and a failure below is not taken for one that never started."""

from __future__ import annotations

import pytest

from agentactors import AgentSystem
from agentactors.errors import InvalidMessage, Overloaded
from tests.support.looping import Looping


@pytest.fixture(scope="module", autouse=True)
async def looping(system: AgentSystem) -> None:
    """Start two replicas."""
    await system.spawn(Looping, replicas=2)


@pytest.mark.spec("REACH-12")
async def test_agents_that_call_each_other_in_a_loop_are_stopped(system: AgentSystem) -> None:
    with pytest.raises(InvalidMessage, match="loop"):
        await system.ask("loop.call", timeout_s=15)


@pytest.mark.spec("REACH-14")
async def test_a_handler_streams_from_another_agent(system: AgentSystem) -> None:
    # Two replicas: some of these streams go to the very process that reads them.
    for _ in range(8):
        assert (await system.ask("loop.items", {"count": 40}, timeout_s=15)).data == list(range(40))


@pytest.mark.spec("REACH-14", "RAY-09")
async def test_a_handler_that_leaves_a_stream_to_itself_stops_its_producer(system: AgentSystem) -> None:
    for _ in range(8):
        assert (await system.ask("loop.first", {"count": 1_000}, timeout_s=15)).data == 0
    for _ in range(8):
        assert (await system.ask("loop.counting", timeout_s=15)).data == 0


@pytest.mark.spec("REACH-17")
async def test_a_handler_that_ran_is_not_repeated_for_a_call_below_it_that_did_not_start(system: AgentSystem) -> None:
    with pytest.raises(Overloaded) as caught:
        await system.ask("loop.relay")
    assert caught.value.details["started"] is True
    calls = [(await system.ask("loop.calls")).data for _ in range(20)]
    assert sorted(set(calls)) in ([0, 1], [1])
