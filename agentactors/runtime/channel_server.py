"""The host's end of direct channels: proves itself, takes messages, answers.

Each call is a task of its own; a connection that ends cancels what it asked for, since nobody waits for it. What
was told (not asked) goes on.
"""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol, cast

import msgspec

from agentactors.errors import AgentActorsError, AgentFailed, Cancelled, TooLarge
from agentactors.logs import get_logger
from agentactors.protocol import bodies, greeting, wire
from agentactors.protocol import frames as f
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.stream import StreamFrame, encode_frame, split_window
from agentactors.runtime import attachments as attached
from agentactors.runtime.outgoing import Outgoing

_LOG = get_logger(__name__)
_GREETING_S: Final = 5.0
_MAX_STRANGERS: Final = 256
"""Connections that have not proven themselves yet."""
_HIGH_WATER_BYTES: Final = 4 * 1024 * 1024
"""With more answers than this unread, nothing more is read from a caller."""
_LONGEST_PATH: Final = 100  # the kernel's limit is 107
_LONGEST_SENTENCE: Final = 2000


Work = Callable[[int, bytes, Sequence[bytes]], Coroutine[Any, Any, None]]
"""What a call's frame starts: of its number, its body, and the payloads in front of it."""


class Service(Protocol):
    """What answers the messages."""

    async def deliver(self, envelope: Envelope, want_ref: bool, attachments: Sequence[Any]) -> tuple[bytes, Any]:
        """Answer one message; return the encoded answer, and what goes beside it."""

    async def accept(self, envelope: Envelope, keep: bool, attachments: Sequence[Any]) -> Envelope:
        """Take one message."""

    def frames(self, envelope: Envelope, window: int, attachments: Sequence[Any]) -> AsyncGenerator[StreamFrame, None]:
        """Answer one message by a stream."""

    def grant(self, message_id: str, count: int) -> None:
        """Let a stream be further ahead."""

    def hold(self, key: str, carried: tuple[Any, ...], size_bytes: int) -> None:
        """Keep what is too large for a channel until it is collected."""


class ChannelServer:
    """Listens for one replica.

    Args:
        service: What answers.
        secret: The system's.
        endpoint: Who this is.
        incarnation: Gives the number of this process, 0 while it is not registered.
        inline_limit_bytes: Larger values do not go through the channel.
    """

    def __init__(
        self,
        service: Service,
        *,
        secret: bytes,
        endpoint: str,
        incarnation: Callable[[], int],
        inline_limit_bytes: int,
    ) -> None:
        self.service = service
        self.secret = secret
        self.endpoint = endpoint
        self.incarnation = incarnation
        self.limit_bytes = inline_limit_bytes
        self.connections: set[_Served] = set()
        self.strangers = 0
        self._servers: list[asyncio.Server] = []
        self._path: Path | None = None

    async def listen(self, folder: Path) -> str:
        """Listen on a Unix socket in ``folder``; return its path, or "" where the path would be too long.

        Raises:
            OSError: The folder or the socket cannot be made.
        """
        make_private(folder)
        path = folder / f"{secrets.token_hex(6)}.sock"
        if len(os.fsencode(path)) > _LONGEST_PATH:
            _LOG.warning("no_channel", reason="the path of the socket is too long", path=str(path))
            return ""
        loop = asyncio.get_running_loop()
        self._servers.append(await loop.create_unix_server(lambda: _Served(self), str(path), backlog=1024))
        self._path = path
        return str(path)

    async def listen_tcp(self, host: str) -> int:
        """Listen on a free TCP port of ``host`` and return it."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Served(self), host, 0, backlog=1024)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Listen no more, and end every connection."""
        for server in self._servers:
            server.close()
        for connection in list(self.connections):
            connection.close("the replica stops")
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class _Served(asyncio.Protocol):
    """One connection.

    Its memory is bounded also when the caller never reads: beyond some unread bytes it reads no further calls, and
    its streams wait.
    """

    def __init__(self, server: ChannelServer) -> None:
        self._server = server
        self._service = server.service
        self._loop = asyncio.get_running_loop()
        self._decoder = f.FrameDecoder(greeting.MAX_FRAME_BYTES)
        self._challenge = greeting.Challenge(greeting.VERSION, greeting.nonce())
        self._greeted = False
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._streams: dict[int, tuple[str, int]] = {}
        self._given_up: set[int] = set()
        self._payloads = attached.PayloadFrames()
        self._out: Outgoing | None = None
        self._transport: asyncio.Transport | None = None
        self._strangers_end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Challenge whoever it is."""
        self._transport = cast("asyncio.Transport", transport)
        self._out = Outgoing(self._loop, self._transport, _HIGH_WATER_BYTES)
        self._server.connections.add(self)
        self._server.strangers += 1
        if self._server.strangers > _MAX_STRANGERS:
            self.close("too many connections without proof")
            return
        self._send(f.CHALLENGE, 0, msgspec.msgpack.encode(self._challenge))
        self._strangers_end = self._loop.call_later(_GREETING_S, self.close, "no proof in time")

    def pause_writing(self) -> None:
        """The caller does not read: take no more from it."""
        if self._out is not None and self._transport is not None:
            self._out.pause()
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """The caller reads again."""
        if self._out is not None and self._transport is not None:
            self._out.resume()
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Start, feed or end what a frame is about."""
        try:
            if not self._greeted:
                self._greet(data)
                return
            for kind, number, body in self._decoder.feed(data):
                if kind == f.CALL:
                    self._start(number, self._answer, body)
                else:
                    self._other(kind, number, body)
        except (f.BrokenFrame, *greeting.UNREADABLE) as fault:
            self.close(str(fault))

    def _other(self, kind: int, number: int, body: bytes) -> None:
        if kind == f.PAYLOAD:
            self._payloads.add(number, body)
        elif kind == f.GRANT:
            self._grant(number, int.from_bytes(body, "big"))
        elif kind == f.OPEN:
            self._start(number, self._stream, body)
        elif kind == f.TELL:
            self._start(number, self._accept, body)
        elif kind == f.CANCEL:
            self._cancel(number)
        else:
            raise f.BrokenFrame(f"a frame of kind {kind} is not for a host")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Cancel what was asked for: nobody waits for it."""
        self._server.connections.discard(self)
        if not self._greeted:
            self._server.strangers -= 1
        if self._strangers_end is not None:
            self._strangers_end.cancel()
        self._given_up.update(self._tasks)
        for task in list(self._tasks.values()):
            task.cancel()
        if self._out is not None:
            self._out.resume()
        self._payloads.clear()

    def close(self, reason: str) -> None:
        """Say why, and end the connection."""
        _LOG.info("channel_closed", endpoint=self._server.endpoint, reason=reason)
        if self._out is not None:
            self._send(f.GOODBYE, 0, reason.encode()[:200])
            self._out.close()

    def _greet(self, data: bytes) -> None:
        """Check the caller's proof; a caller sends nothing behind it until it is welcome."""
        found = self._decoder.feed(data)
        if not found:
            return
        kind, _, body = found[0]
        if kind != f.PROOF or len(found) > 1 or self._decoder.held_bytes:
            raise f.BrokenFrame("the first frame, and the only one before the welcome, has to be a proof")
        proof = msgspec.msgpack.decode(body, type=greeting.Proof)
        server = self._server
        if not greeting.same(
            proof.mac, greeting.client_mac(server.secret, self._challenge, proof.nonce, proof.endpoint)
        ):
            raise f.BrokenFrame("the proof is wrong: another system's secret, or none")
        own = server.incarnation()
        if proof.endpoint != server.endpoint or (own and proof.incarnation and proof.incarnation != own):
            raise f.BrokenFrame(f"this is {server.endpoint}#{own}, not {proof.endpoint}#{proof.incarnation}")
        self._greeted = True
        server.strangers -= 1
        self._decoder = f.FrameDecoder()
        if self._strangers_end is not None:
            self._strangers_end.cancel()
        mac = greeting.server_mac(server.secret, self._challenge, proof.nonce, server.endpoint)
        self._send(f.WELCOME, 0, msgspec.msgpack.encode(greeting.Welcome(own, mac)))

    def _start(self, number: int, work: Work, body: bytes) -> None:
        payloads = self._payloads.take(number) if self._payloads.waiting else ()
        if number in self._tasks:
            raise f.BrokenFrame(f"number {number} is taken by a call that runs")
        self._tasks[number] = self._loop.create_task(self._serve(number, work, body, payloads))

    def _cancel(self, number: int) -> None:
        task = self._tasks.get(number)
        if task is not None and number not in self._given_up:
            self._given_up.add(number)
            task.cancel()
            # Not in the task itself: one that is cancelled before its first step runs none of its own code.
            task.add_done_callback(lambda _: self._stopped(number))

    def _stopped(self, number: int) -> None:
        """What nobody waited for has ended; a stream's reader waits for that."""
        self._given_up.discard(number)
        self._tasks.pop(number, None)
        self._send(f.END, number)

    def _grant(self, number: int, count: int) -> None:
        found = self._streams.get(number)
        if found is None:
            return  # it has ended
        message_id, window = found
        if not 0 < count <= window:
            raise f.BrokenFrame(f"a grant of {count} items to a stream with a window of {window}")
        self._service.grant(message_id, count)

    async def _serve(self, number: int, work: Work, body: bytes, payloads: Sequence[bytes]) -> None:
        """Do one call's work; whatever becomes of it, the caller hears."""
        try:
            await work(number, body, payloads)
        except asyncio.CancelledError:
            if number not in self._given_up:
                self._refuse(number, Cancelled(f"The call to {self._server.endpoint} was cancelled."))
        except Exception as fault:  # noqa: BLE001 - the caller waits for an answer
            self._refuse(number, fault)
        finally:
            self._tasks.pop(number, None)

    async def _answer(self, number: int, body: bytes, payloads: Sequence[bytes]) -> None:
        envelope = wire.decode(body)
        data, values = await self._service.deliver(envelope, False, [attached.load(one) for one in payloads])
        if values:
            self._send_beside(f.REPLY, number, data, values, envelope.message_id)
        else:
            self._send(f.REPLY, number, data)

    async def _accept(self, number: int, body: bytes, payloads: Sequence[bytes]) -> None:
        values = [attached.load(one) for one in payloads]
        answer = await self._service.accept(wire.decode(body[1:]), body[:1] == b"\1", values)
        self._send(f.REPLY, number, wire.encode(answer))

    async def _stream(self, number: int, body: bytes, payloads: Sequence[bytes]) -> None:
        window, data = split_window(body)
        held = 0
        out = self._sending()
        envelope = wire.decode(data)
        self._streams[number] = (envelope.message_id, window)
        try:
            values = [attached.load(one) for one in payloads]
            async with aclosing(self._service.frames(envelope, window, values)) as frames:
                async for frame in frames:
                    if out.full:
                        await out.writable(envelope.deadline or math.inf)
                    data = encode_frame(frame)
                    if frame.attachments:
                        key = f"{envelope.message_id}/{held + 1}"
                        held += self._send_beside(f.ITEM, number, data, frame.attachments, key)
                    else:
                        self._send(f.ITEM, number, data)
        finally:
            del self._streams[number]
        self._send(f.END, number)

    def _send_beside(self, kind: int, number: int, body: bytes, values: Sequence[Any], key: str) -> bool:
        """Send values in front of their frame; hold them where they are too large, and return True."""
        carried = attached.fit(values, self._server.limit_bytes)
        if carried is not None:
            self._sending().frame(kind, number, body, carried)
            return False
        self._sending().frame(f.HELD, number, body)
        self._service.hold(key, tuple(values), attached.size_bytes(values))
        return True

    def _refuse(self, number: int, fault: Exception) -> None:
        if not isinstance(fault, AgentActorsError):
            _LOG.error("answer_failed", endpoint=self._server.endpoint, exc_info=fault)
            fault = AgentFailed(f"{self._server.endpoint} failed: {type(fault).__name__}: {str(fault)[:500]}")
        try:
            self._send(f.REFUSED, number, msgspec.msgpack.encode(bodies.error_body(fault)))
        except (TooLarge, TypeError, ValueError, OverflowError, RecursionError):  # its details are no plain data
            bare = type(fault)(fault.message[:_LONGEST_SENTENCE], {"started": fault.details.get("started", True)})
            self._send(f.REFUSED, number, msgspec.msgpack.encode(bodies.error_body(bare)))

    def _send(self, kind: int, number: int, body: bytes = b"") -> None:
        self._sending().frame(kind, number, body)

    def _sending(self) -> Outgoing:
        assert self._out is not None, "nothing is sent before a connection is there"
        return self._out


def socket_folder(secret: bytes) -> Path:
    """Return this node's folder for the sockets of the system with this secret; nobody can guess its name."""
    return Path(tempfile.gettempdir()) / f"agentactors-{os.getuid()}" / sha256(b"sockets" + secret).hexdigest()[:12]


def make_private(folder: Path) -> None:
    """Make a socket folder, for its owner alone.

    Raises:
        OSError: It cannot be made, or belongs to somebody else.
    """
    for one in (folder.parent, folder):
        one.mkdir(mode=0o700, exist_ok=True)
        found = one.stat(follow_symlinks=False)
        if found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise PermissionError(f"{one} can be used by others")
