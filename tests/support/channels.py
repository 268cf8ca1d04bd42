"""Both ends of a direct channel in one process, without Ray: a service to talk to, and a stranger by hand."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from agentactors.errors import ERROR_BY_CODE
from agentactors.protocol import bodies, greeting, wire
from agentactors.protocol import frames as f
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.stream import END, ITEM, PROGRESS, StreamFrame
from agentactors.runtime import attachments as attached
from agentactors.runtime.channel import Channel, Inbox
from agentactors.runtime.channel_server import ChannelServer
from tests.support.messages import action
from tests.support.waiting import until

SECRET = b"s" * 32
ENDPOINT = "agent/echo/0"
INCARNATION = 7
LIMIT_BYTES = 64 * 1024


class Desk:
    """Does what the action of a message says, and counts what becomes of it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.held: dict[str, tuple[Any, ...]] = {}
        self.granted = asyncio.Semaphore(0)
        self.open = asyncio.Event()
        """What ``wait`` waits for."""

    async def deliver(self, envelope: Envelope, want_ref: bool, attachments: Sequence[Any]) -> tuple[bytes, Any]:
        self.counts["delivered"] += 1
        values: Any = None
        parameters = envelope.body.parameters or {}
        match envelope.body.action:
            case "wait":
                try:
                    await self.open.wait()
                except asyncio.CancelledError:
                    self.counts["cancelled"] += 1
                    raise
            case "give":
                values = tuple(attachments)
            case "fail":
                raise ERROR_BY_CODE[parameters["code"]]("as asked", {"beside": object()})
            case "raise":
                raise ValueError("no paper")
        answer = bodies.action_result(envelope, result=parameters, timestamp=time.time())
        return wire.encode(answer), values

    async def accept(self, envelope: Envelope, keep: bool, attachments: Sequence[Any]) -> Envelope:
        self.counts["kept" if keep else "told"] += 1
        return bodies.action_result(envelope, result=len(attachments), timestamp=time.time())

    async def frames(
        self, envelope: Envelope, window: int, attachments: Sequence[Any]
    ) -> AsyncGenerator[StreamFrame, None]:
        parameters = envelope.body.parameters or {}
        credit = window
        try:
            for number in range(int(parameters["items"])):
                for step in range(int(parameters.get("notes", 0))):
                    yield StreamFrame(PROGRESS, {"step": step, "text": "x" * 1000})
                    self.counts["notes"] += 1
                    await asyncio.sleep(0)
                if not credit:
                    await self.granted.acquire()
                    credit += 1
                credit -= 1
                self.counts["items"] += 1
                yield StreamFrame(ITEM, number, tuple(attachments))
            yield StreamFrame(END, bodies.action_result(envelope, result=None, timestamp=time.time()))
        finally:
            self.counts["closed"] += 1

    def grant(self, message_id: str, count: int) -> None:
        for _ in range(count):
            self.granted.release()

    def hold(self, key: str, carried: tuple[Any, ...], size_bytes: int) -> None:
        self.held[key] = carried
        self.counts["held bytes"] += size_bytes


class Both:
    """A server and what is connected to it."""

    def __init__(self, desk: Desk, server: ChannelServer, path: str) -> None:
        self.desk, self.server, self.path = desk, server, path

    async def connect(
        self, *, secret: bytes = SECRET, endpoint: str = ENDPOINT, incarnation: int = INCARNATION
    ) -> Channel:
        """Make a channel; raises what being refused raises."""
        channel = Channel(secret, endpoint, incarnation)
        await asyncio.get_running_loop().create_unix_connection(lambda: channel, self.path)
        async with asyncio.timeout(5):
            await channel.ready
        return channel

    async def stranger(self) -> Stranger:
        """Connect by hand."""
        return Stranger(*await asyncio.open_unix_connection(self.path))

    def exists(self) -> bool:
        """Say whether the socket is there."""
        return Path(self.path).exists()

    async def collect(self, key: str) -> tuple[Any, ...]:
        """Fetch what the desk holds for the one message whose key ends so."""
        [found] = [one for one in self.desk.held if one.endswith(key)]
        return self.desk.held.pop(found)


class Stranger:
    """A peer that sends what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._decoder = f.FrameDecoder()
        self._frames: list[f.Frame] = []

    async def frame(self) -> f.Frame | None:
        """Return the next frame, None at the end of the connection."""
        while not self._frames:
            async with asyncio.timeout(5):
                data = await self.reader.read(65536)
            if not data:
                return None
            self._frames += self._decoder.feed(data)
        return self._frames.pop(0)

    async def greet(self, *, secret: bytes = SECRET, endpoint: str = ENDPOINT, incarnation: int = INCARNATION) -> None:
        """Prove oneself, and wait for the welcome."""
        first = await self.frame()
        assert first is not None
        asked = msgspec.msgpack.decode(first.body, type=greeting.Challenge)
        own = greeting.nonce()
        mac = greeting.client_mac(secret, asked, own, endpoint)
        self.send(f.PROOF, 0, msgspec.msgpack.encode(greeting.Proof(endpoint, incarnation, own, mac)))
        welcome = await self.frame()
        assert welcome is not None
        assert welcome.kind == f.WELCOME

    def send(self, kind: int, number: int, body: bytes = b"") -> None:
        """Write one frame."""
        self.writer.write(f.encode(kind, number, body))

    async def goodbye(self) -> str:
        """Return the reason with which the other side closes the connection, skipping what comes before it."""
        reason = ""
        while (frame := await self.frame()) is not None:
            if frame.kind == f.GOODBYE:
                reason = frame.body.decode()
        return reason

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        await asyncio.wait({asyncio.create_task(self.writer.wait_closed())}, timeout=5)


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[Both]:
    """Run a server; afterwards no task is left."""
    before = _others()
    desk = Desk()
    server = ChannelServer(
        desk, secret=SECRET, endpoint=ENDPOINT, incarnation=lambda: INCARNATION, inline_limit_bytes=LIMIT_BYTES
    )
    yield Both(desk, server, await server.listen(folder))
    server.close()
    await until(lambda: not server.connections and not _others() - before, within_s=5, what="nothing is left")
    assert server.strangers == 0


def request(name: str, **parameters: Any) -> bytes:
    """Return an encoded request for the desk."""
    return wire.encode(action(name, "echo", parameters))


def soon() -> float:
    """Return a deadline that no test should reach."""
    return time.time() + 20


async def call(channel: Channel, name: str = "echo", *carried: Any, **parameters: Any) -> Any:
    """Call and return (kind, result, values)."""
    payloads = attached.fit(carried, LIMIT_BYTES)
    assert payloads is not None
    kind, body, values = await channel.call(f.CALL, b"", request(name, **parameters), payloads, soon())
    return kind, wire.decode(body).body.result, [attached.load(one) for one in values]


async def opened(both: Both, channel: Channel, *, window: int = 4, deadline: float = 0.0, **parameters: Any) -> Inbox:
    """Open a stream of the desk's."""
    return await channel.open(
        request("count", **parameters), (), window=window, deadline=deadline or soon(), collect=both.collect
    )


def nothing_left(channel: Channel) -> bool:
    """Say whether a channel waits for nothing."""
    return not channel._calls and not channel._payloads.waiting


def _others() -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
