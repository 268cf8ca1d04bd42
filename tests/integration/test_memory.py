"""Chain memory through the journal: shared along a chain, kept apart between chains, bounded, and lost loudly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agentactors import AgentSystem
from agentactors.errors import ContextLost, InvalidMessage, TooLarge
from agentactors.protocol.declaration import Visibility
from tests.support.agents import Remembering
from tests.support.systems import running
from tests.support.waiting import until

TTL_S = 2.0


class Public(Remembering):
    """The same, for every tenant."""

    agent_id = "remembering"
    visibility = Visibility(see=("*",), call=("*",))


@pytest.fixture(scope="module")
async def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("memory")


@pytest.fixture(scope="module")
async def system(folder: Path) -> AsyncIterator[AgentSystem]:
    async with running(folder, context_ttl_s=TTL_S) as started:
        await started.spawn(Public)
        yield started


@pytest.mark.spec("REACH-15")
async def test_conclusions_go_along_the_chain_and_come_back(system: AgentSystem) -> None:
    result = await system.ask("memory.chain", {"name": "one"})
    assert result.data["nested saw"] == {"outer": "one"}
    assert result.data["after"] == ["inner", "outer"]
    assert result.data["request_id"] == result.request_id


@pytest.mark.spec("REACH-15")
async def test_a_later_request_reads_what_an_earlier_one_concluded(system: AgentSystem) -> None:
    value = {"poem": "秋天", "lines": [1, 2.5, None, True]}
    first = await system.ask("memory.write", {"key": "poem", "value": value})
    second = await system.ask("memory.read", {"key": "poem"}, context_refer=first.request_id)
    assert second.data == value
    assert second.request_id != first.request_id
    task = {"capability": "memory.read", "input": {"key": "poem"}, "context_refer": first.request_id}
    assert (await system.submit_task(task)).data == value
    assert (await system.ask("memory.read", {"key": "poem"})).data is None


@pytest.mark.spec("REACH-15")
async def test_fifty_chains_at_once_are_kept_apart(system: AgentSystem) -> None:
    names = [f"chain-{number}" for number in range(50)]
    results = await asyncio.gather(*(system.ask("memory.chain", {"name": name}) for name in names))
    assert [result.data["nested saw"] for result in results] == [{"outer": name} for name in names]
    assert len({result.request_id for result in results}) == len(names)


@pytest.mark.spec("REACH-15", "COLLAB-05")
async def test_what_is_over_a_bound_names_its_key(system: AgentSystem) -> None:
    with pytest.raises(TooLarge, match="big") as caught:
        await system.ask("memory.write", {"key": "big", "value": "x" * 16_385})
    assert (caught.value.details["key"], caught.value.details["limit_bytes"]) == ("big", 16 * 1024)
    with pytest.raises(TooLarge) as caught:
        await system.ask("memory.fill", {"values": 20, "size": 16_000})
    assert (caught.value.details["key"], caught.value.details["limit_bytes"]) == ("value-16", 256 * 1024)
    assert (await system.ask("memory.fill", {"values": 10, "size": 16_000})).data == 10


@pytest.mark.spec("REACH-15")
async def test_a_context_that_is_unknown_or_has_expired_is_lost_loudly(system: AgentSystem) -> None:
    with pytest.raises(ContextLost) as caught:
        await system.ask("memory.read", {"key": "poem"}, context_refer="req-unknown")
    assert caught.value.details["request_id"] == "req-unknown"
    first = await system.ask("memory.write", {"key": "poem", "value": "short"})
    assert (await system.ask("memory.read", {"key": "poem"}, context_refer=first.request_id)).data == "short"

    async def lost() -> bool:
        try:
            await system.ask("memory.keys", context_refer=first.request_id)
        except ContextLost:
            return True
        return False

    await until(lost, within_s=TTL_S + 3)


@pytest.mark.spec("REACH-15")
async def test_another_tenant_reads_nothing_of_it(system: AgentSystem) -> None:
    first = await system.ask("memory.write", {"key": "poem", "value": "ours"})
    async with AgentSystem.attach(system.name, tenant="other", settings=system.settings) as theirs:
        with pytest.raises(ContextLost):
            await theirs.ask("memory.read", {"key": "poem"}, context_refer=first.request_id)
        mine = await theirs.ask("memory.write", {"key": "poem", "value": "theirs"})
    assert (await system.ask("memory.read", {"key": "poem"}, context_refer=first.request_id)).data == "ours"
    with pytest.raises(ContextLost):
        await system.ask("memory.read", {"key": "poem"}, context_refer=mine.request_id)


async def test_what_is_no_plain_data_is_no_conclusion(system: AgentSystem) -> None:
    with pytest.raises(InvalidMessage, match="mistake"):
        await system.ask("memory.write_object", {"key": "mistake"})
