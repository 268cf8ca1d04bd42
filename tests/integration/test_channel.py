"""The direct channel under real agents: what travels on it, what breaks it, and what is left of it."""

from __future__ import annotations

import asyncio
import contextlib
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from agentactors import AgentSystem
from agentactors.errors import AgentActorsError, AgentUnavailable
from agentactors.protocol import frames as f
from agentactors.protocol import wire
from agentactors.routing.request import Target
from agentactors.runtime import names
from agentactors.runtime.channel_server import socket_folder
from agentactors.runtime.channel_transport import ChannelTransport
from tests.support.agents import Carrier, Echo, Fragile, Sleeper
from tests.support.channels import Stranger
from tests.support.messages import action
from tests.support.systems import kill, pid_of, row_of, running, secret_of, sender, target_of
from tests.support.waiting import until


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    async with running(tmp_path_factory.mktemp("channel"), max_restarts=-1) as started:
        counts = str(tmp_path_factory.mktemp("counts"))
        await asyncio.gather(
            started.spawn(Echo),
            started.spawn(Sleeper),
            started.spawn(Carrier),
            started.spawn(Fragile, counts, replicas=2),
        )
        yield started


async def stranger(target: Target) -> Stranger:
    return Stranger(*await asyncio.open_unix_connection(target.channel.partition(" ")[0]))


async def test_calls_between_processes_of_a_node_travel_by_channel(system: AgentSystem) -> None:
    assert (await system.ask("echo.say", {"text": "x"})).transport == "channel"
    assert (await system.ask("carry.sum", {"array": np.ones(1000)})).transport == "channel"
    large = await system.ask("carry.sum", {"array": np.ones(1_000_000)})
    assert (large.data, large.transport) == (1_000_000.0, "ray")


@pytest.mark.spec("RAY-04")
async def test_large_results_are_collected_beside_the_channel(system: AgentSystem) -> None:
    result = await system.ask("carry.array", {"size": 300_000})
    assert (result.transport, result.data.sum(), result.data.flags.writeable) == ("channel", 44_999_850_000.0, False)
    async with system.stream("carry.parts", {"sizes": [3, 300_000, 5, 400_000]}) as stream:
        items = [(len(item), item[-1], item.flags.writeable) async for item in stream]
    assert items == [(size, float(size), False) for size in (3, 300_000, 5, 400_000)]
    held = (await system.describe(names.host("carrier", "0")))["outbox"]
    assert (held["held"], held["size_bytes"], held["collected"], held["dropped"]) == (0, 0, 3, 0)


async def test_more_values_than_a_message_carries_arrive_all_the_same(system: AgentSystem) -> None:
    async with sender(system) as transport:
        target = await target_of(system, "echo")
        envelope = action("echo.say", "echo", {"text": "x"})
        values = [np.ones(3)] * 100
        answer = await transport.ask(target, wire.encode(envelope), values, want_ref=False, deadline=time.time() + 10)
        assert (answer.envelope.body.error, answer.transport) == (None, "ray")


@pytest.mark.parametrize(
    ("junk", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "unknown frame kind"),
        (f.head(f.PROOF, 0, 1_000_000_000), "are allowed"),
        (f.encode(f.PROOF, 0, b"\x94\xacagent/echo/0\x00\xc4\x01n\xc4\x01m"), "the proof is wrong"),
    ],
    ids=["junk", "oversized", "no secret"],
)
async def test_a_stranger_is_sent_away_while_the_agent_goes_on(system: AgentSystem, junk: bytes, reason: str) -> None:
    peer = await stranger(await target_of(system, "echo"))
    asking = asyncio.gather(*(system.ask("echo.say", {"text": str(n)}) for n in range(50)))
    peer.writer.write(junk)
    assert reason in await peer.goodbye()
    await peer.close()
    assert {one.transport for one in await asking} == {"channel"}


async def test_junk_behind_a_right_proof_ends_that_connection_alone(system: AgentSystem) -> None:
    target = await target_of(system, "sleeper")
    waiting = asyncio.create_task(system.ask("sleep.wait", {"name": "aside", "seconds": 0.5}))
    peer = await stranger(target)
    await peer.greet(secret=secret_of(system), endpoint=target.endpoint, incarnation=target.incarnation)
    peer.writer.write(b"\xff" * 100)
    assert "unknown frame kind" in await peer.goodbye()
    await peer.close()
    assert (await waiting).transport == "channel"


async def test_another_process_than_the_one_asked_for_is_not_talked_to(system: AgentSystem) -> None:
    target = await target_of(system, "echo")
    other = msgspec.structs.replace(target, incarnation=target.incarnation + 1)
    async with sender(system) as transport:
        data = wire.encode(action("echo.say", "echo", {"text": "x"}))
        answer = await transport.ask(other, data, (), want_ref=False, deadline=time.time() + 10)
        assert answer.transport == "ray", "where there is no channel, the Ray call serves"
        assert transport.statistics()[2:] == (0, 1)
        transport.forget(target.endpoint)
        data = wire.encode(action("echo.say", "echo", {"text": "x"}))
        answer = await transport.ask(target, data, (), want_ref=False, deadline=time.time() + 10)
        assert answer.transport == "channel"


async def test_a_connection_that_is_made_while_its_endpoint_is_forgotten_is_dropped(system: AgentSystem) -> None:
    target = await target_of(system, "echo")
    async with sender(system) as transport:
        asking = [asyncio.create_task(_say(transport, target)) for _ in range(5)]
        await asyncio.sleep(0)
        assert transport._connecting
        transport.forget(target.endpoint)
        assert await asyncio.gather(*asking) == ["ray"] * 5
        assert transport.statistics()[2:] == (0, 0)
        assert await _say(transport, target) == "channel"
        asking = [asyncio.create_task(_say(transport, target)) for _ in range(5)]
        transport.forget(target.endpoint)
        await asyncio.sleep(0)
        assert transport._connecting
        await transport.close()
        assert await asyncio.gather(*asking) == ["ray"] * 5
        assert await _say(transport, target) == "ray", "what is asked after the end makes no connection"
        assert transport.statistics()[2:] == (0, 0)


async def _say(transport: ChannelTransport, target: Target) -> str:
    data = wire.encode(action("echo.say", "echo", {"text": "x"}))
    return (await transport.ask(target, data, (), want_ref=False, deadline=time.time() + 10)).transport


@pytest.mark.spec("REACH-17", "RAY-08")
async def test_calls_to_a_host_that_dies_end_at_once_as_outcome_unknown(system: AgentSystem) -> None:
    await system.ask("sleep.notes")
    before = await row_of(system, "sleeper")
    tasks = [
        asyncio.create_task(system.ask("sleep.wait", {"name": f"doomed {n}", "seconds": 30}, timeout_s=15))
        for n in range(20)
    ]

    async def all_began() -> bool:
        return [note[:6] for note in (await system.ask("sleep.notes")).data].count("doomed") == 20

    await until(all_began, within_s=5)
    begun = time.monotonic()
    kill(await pid_of(system, "sleeper"))
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert time.monotonic() - begun < 3
    for one in outcomes:
        assert isinstance(one, AgentUnavailable)
        assert one.details["started"] is None

    async def by_channel_again() -> bool:
        with contextlib.suppress(AgentActorsError):
            return bool((await system.ask("sleep.notes", timeout_s=2)).transport == "channel")
        return False

    await until(by_channel_again, within_s=15, what="the restarted host is reached by channel")
    assert (await row_of(system, "sleeper"))["incarnation"] == before["incarnation"] + 1
    notes = (await system.ask("sleep.notes")).data
    assert not [note for note in notes if note.startswith("doomed")], "nothing was repeated"


@pytest.mark.spec("REACH-17")
async def test_what_may_be_repeated_goes_to_another_replica(system: AgentSystem) -> None:
    result = await system.ask("fragile.work", {"name": "once"})
    assert result.transport == "channel"
    with pytest.raises(AgentUnavailable):
        await system.ask("fragile.pay", {"name": "paid"})


async def test_sockets_are_private_and_leave_with_their_owners(tmp_path: Path) -> None:
    async with running(tmp_path / "sockets") as system:
        await system.spawn(Echo)
        path = Path((await target_of(system, "echo")).channel.partition(" ")[0])
        folder = socket_folder(secret_of(system))
        assert path.parent == folder
        assert modes(path, folder, folder.parent) == ["srwx", "drwx------", "drwx------"]
        await system.stop("echo")
        await until(lambda: not path.exists(), within_s=5, what="the socket is gone")
    assert modes(folder) == [""]


def modes(*paths: Path) -> list[str]:
    """Return what may be done with these, in the form of ``ls``; of a socket, what its owner may."""
    found = [stat.filemode(path.stat().st_mode) if path.exists() else "" for path in paths]
    return [mode[:4] if mode.startswith("s") else mode for mode in found]
