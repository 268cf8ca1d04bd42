"""Both ends of a direct channel over a real socket, without Ray: every way in which a connection ends or is refused."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

import msgspec
import pytest

from agentactors.errors import (
    AgentUnavailable,
    Overloaded,
)
from agentactors.protocol import frames as f
from agentactors.protocol import greeting
from agentactors.protocol.stream import ITEM
from agentactors.runtime import attachments as attached
from agentactors.runtime.channel import Channel
from agentactors.runtime.channel_server import make_private
from tests.support.channels import Both, call, nothing_left, opened, request
from tests.support.waiting import until


async def test_a_server_that_closes_fails_every_call_once_as_outcome_unknown(both: Both) -> None:
    channel = await both.connect()
    tasks = [asyncio.create_task(call(channel, "wait", number=number)) for number in range(100)]
    inbox = await opened(both, channel, window=1, items=5)
    await until(lambda: both.desk.counts["delivered"] == 100, within_s=5)
    both.server.close()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(one) for one in outcomes} == {AgentUnavailable}
    assert len(set(map(id, outcomes))) == 100
    for one in outcomes:
        assert isinstance(one, AgentUnavailable)
        assert one.details == {"cause": "the host closed it: the replica stops", "started": None}
    assert (await inbox.next() or (None,))[0] is ITEM, "what had arrived is read first"
    with pytest.raises(AgentUnavailable):
        await inbox.next()
    await until(lambda: both.desk.counts["cancelled"] == 100, within_s=1)
    assert both.desk.counts["delivered"] == 100
    assert channel.closed
    assert nothing_left(channel)
    with pytest.raises(AgentUnavailable) as caught:
        await call(channel)
    assert caught.value.details["started"] is False
    assert not both.exists()


async def test_a_caller_that_closes_cancels_what_it_asked_for(both: Both) -> None:
    channel = await both.connect()
    task = asyncio.create_task(call(channel, "wait"))
    await until(lambda: both.desk.counts["delivered"] == 1, within_s=5)
    channel.close("enough")
    with pytest.raises(AgentUnavailable, match="enough"):
        await task
    await until(lambda: both.desk.counts["cancelled"] == 1, within_s=1)
    await until(lambda: not both.server.connections, within_s=1)


async def test_the_wrong_secret_endpoint_or_incarnation_is_refused(both: Both) -> None:
    with pytest.raises(AgentUnavailable, match="another system's secret"):
        await both.connect(secret=b"x" * 32)
    with pytest.raises(AgentUnavailable, match="not agent/other/0"):
        await both.connect(endpoint="agent/other/0")
    with pytest.raises(AgentUnavailable, match="this is agent/echo/0#7, not agent/echo/0#6"):
        await both.connect(incarnation=6)
    (await both.connect(incarnation=0)).close("done")


async def test_a_server_that_does_not_know_the_secret_is_refused() -> None:
    with tempfile.TemporaryDirectory(prefix="aa-", dir="/tmp") as folder:
        path = f"{folder}/s.sock"

        async def pretend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked = greeting.Challenge(greeting.VERSION, greeting.nonce())
            writer.write(f.encode(f.CHALLENGE, 0, msgspec.msgpack.encode(asked)))
            proof = msgspec.msgpack.decode(f.FrameDecoder().feed(await reader.read(4096))[0].body, type=greeting.Proof)
            writer.write(f.encode(f.WELCOME, 0, msgspec.msgpack.encode(greeting.Welcome(7, proof.mac))))
            assert not await reader.read()
            writer.close()

        async with await asyncio.start_unix_server(pretend, path):
            channel = Channel(b"s" * 32, "agent/echo/0", 7)
            await asyncio.get_running_loop().create_unix_connection(lambda: channel, path)
            with pytest.raises(AgentUnavailable, match="does not know the secret"):
                await channel.ready
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("junk", "reason"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "unknown frame kind"),
        (f.encode(f.CALL, 1, b"x"), "has to be a proof"),
        (f.head(f.PROOF, 0, 5000), "5,000 bytes; 1,024 are allowed"),
        (f.encode(f.PROOF, 0, b"\xc1"), ""),
        (f.encode(f.PROOF, 0, b"\x94\xa1\xff\x00\xc4\x00\xc4\x00"), ""),
        (f.encode(f.PROOF, 0, b"\x91" * 1000), ""),
        (f.encode(f.PROOF, 0, b"\x95\xa0\x00\xc4\x00\xc4\x00" + b"\x91" * 1000), ""),
    ],
    ids=["http", "call", "long", "no msgpack", "no text", "nested", "nested behind"],
)
async def test_a_stranger_is_sent_away_with_a_reason(both: Both, junk: bytes, reason: str) -> None:
    channel = await both.connect()
    stranger = await both.stranger()
    stranger.writer.write(junk)
    said = await stranger.goodbye()
    assert said
    assert reason in said
    assert (await call(channel, x=1))[1] == {"x": 1}
    await stranger.close()
    channel.close("done")


async def test_strangers_are_bounded(both: Both) -> None:
    both.server.strangers += 256
    stranger = await both.stranger()
    assert await stranger.goodbye() == "too many connections without proof"
    both.server.strangers -= 256
    await stranger.close()


@pytest.mark.parametrize(
    ("junk", "reason"),
    [
        (b"\xff" * 20, "unknown frame kind"),
        (f.head(f.CALL, 1, f.MAX_BODY_BYTES + 1), "are allowed"),
        (f.encode(f.REPLY, 1), "is not for a host"),
        (f.encode(f.PROOF, 1), "is not for a host"),
        (f.encode(f.PAYLOAD, 1) * (attached.MAX_PAYLOADS + 1), "too many payloads"),
        (f.encode(f.CALL, 1, request("wait")) * 2, "is taken by a call that runs"),
        (f.encode(f.OPEN, 1, b"\0\0\0\2" + request("count", items=9)), ""),
    ],
    ids=["kind", "long", "reply", "proof again", "payloads", "number twice", "grant"],
)
async def test_junk_behind_the_greeting_ends_that_connection_alone(both: Both, junk: bytes, reason: str) -> None:
    channel = await both.connect()
    mine = asyncio.create_task(call(channel, "wait", x=1))
    peer = await both.stranger()
    await peer.greet()
    peer.writer.write(junk)
    if not reason:
        await until(lambda: both.desk.counts["items"] == 2, within_s=2)
        peer.send(f.GRANT, 1, b"\xff\xff\xff\xff")
        reason = "a grant of 4294967295 items"
    assert reason in await peer.goodbye()
    both.desk.open.set()
    assert (await mine)[1] == {"x": 1}
    await peer.close()
    channel.close("done")


async def test_a_frame_that_is_cut_harms_nothing(both: Both) -> None:
    channel = await both.connect()
    peer = await both.stranger()
    await peer.greet()
    peer.writer.write(f.encode(f.CALL, 1, request("echo"))[:-3])
    await peer.close()
    await until(lambda: len(both.server.connections) == 1, within_s=2)
    assert both.desk.counts["delivered"] == 0
    assert (await call(channel, x=1))[1] == {"x": 1}
    channel.close("done")


async def test_bytes_behind_the_proof_are_refused(both: Both) -> None:
    peer = await both.stranger()
    first = await peer.frame()
    assert first is not None
    asked = msgspec.msgpack.decode(first.body, type=greeting.Challenge)
    own = greeting.nonce()
    mac = greeting.client_mac(b"s" * 32, asked, own, "agent/echo/0")
    proof = msgspec.msgpack.encode(greeting.Proof("agent/echo/0", 7, own, mac))
    peer.writer.write(f.encode(f.PROOF, 0, proof) + f.encode(f.CALL, 1, request("echo"))[:20])
    assert "only one before the welcome" in await peer.goodbye()
    await peer.close()


async def test_a_peer_that_never_reads_takes_bounded_memory(both: Both) -> None:
    peer = await both.stranger()
    await peer.greet()
    big = request("echo", text="x" * 1_000_000)

    async def flood() -> None:
        for number in range(1, 200):
            peer.send(f.CALL, number, big)
            await peer.writer.drain()

    flooding = asyncio.create_task(flood())
    [served] = both.server.connections
    await until(lambda: served._out is not None and served._out.full, within_s=5)
    assert served._transport is not None
    transport = served._transport
    await until(lambda: not transport.is_reading() and not served._tasks, within_s=5)
    assert both.desk.counts["delivered"] < 20
    assert transport.get_write_buffer_size() < 12_000_000
    for number in range(1, 200):
        frame = await peer.frame()
        assert frame is not None
        assert (frame.kind, frame.number) == (f.REPLY, number)
    await flooding
    await peer.close()


async def test_a_caller_waits_while_the_host_does_not_read(both: Both) -> None:
    channel = await both.connect()
    [served] = both.server.connections
    assert served._transport is not None
    served._transport.pause_reading()
    tasks = [asyncio.create_task(call(channel, text="x" * 500_000, number=number)) for number in range(20)]
    await until(lambda: channel._out is not None and channel._out.full, within_s=5)
    with pytest.raises(Overloaded) as caught:
        await channel.call(f.CALL, b"", request("echo"), (), time.time() + 0.05)
    assert caught.value.details["started"] is False
    served._transport.resume_reading()
    assert [one[1]["number"] for one in await asyncio.gather(*tasks)] == list(range(20))
    channel.close("done")


async def test_calls_that_wait_to_be_written_when_the_connection_ends_never_started(both: Both) -> None:
    channel = await both.connect()
    [served] = both.server.connections
    assert served._transport is not None
    served._transport.pause_reading()
    tasks = [asyncio.create_task(call(channel, text="x" * 500_000)) for _ in range(20)]
    await until(lambda: channel._out is not None and channel._out.full, within_s=5)
    await asyncio.sleep(0)
    served._transport.abort()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    started = [one.details["started"] for one in outcomes if isinstance(one, AgentUnavailable)]
    assert len(started) == 20
    assert set(started) == {None, False}
    assert nothing_left(channel)


async def test_the_end_does_not_wait_for_a_peer_that_never_reads(both: Both) -> None:
    peer = await both.stranger()
    await peer.greet()
    for number in range(1, 5):
        peer.send(f.CALL, number, request("echo", text="x" * 1_000_000))
    await until(lambda: both.desk.counts["delivered"] == 4, within_s=5)
    both.server.close()
    await until(lambda: not both.server.connections, within_s=3)
    peer.writer.transport.abort()


async def test_over_tcp_the_kernel_watches_the_other_node(both: Both) -> None:
    import socket

    port = await both.server.listen_tcp("127.0.0.1")
    channel = Channel(b"s" * 32, "agent/echo/0", 7)
    await asyncio.get_running_loop().create_connection(lambda: channel, "127.0.0.1", port)
    await channel.ready
    assert (await call(channel, x=1))[1] == {"x": 1}
    [served] = both.server.connections
    assert channel._out is not None
    assert served._transport is not None
    for transport in (channel._out._transport, served._transport):
        sock = transport.get_extra_info("socket")
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
        idle, every, count = (
            sock.getsockopt(socket.IPPROTO_TCP, one)
            for one in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        )
        assert idle + every * count == 20
    channel.close("done")


def test_a_folder_that_others_can_use_is_refused(tmp_path: Path) -> None:
    open_to_all = tmp_path / "agentactors"
    open_to_all.mkdir(mode=0o755)
    with pytest.raises(PermissionError, match="can be used by others"):
        make_private(open_to_all / "system")
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    with pytest.raises(PermissionError):
        make_private(link / "system")
    make_private(tmp_path / "own" / "system")
    assert (tmp_path / "own" / "system").stat().st_mode & 0o777 == 0o700
