"""The caller's end of a direct channel: many calls over one socket, each its own number.

Theory of operation. A channel belongs to one loop and to one process behind one endpoint. What a call waits for
is in one table by number: a future for an answer, an inbox for a stream. All of its frames written in one turn
of the loop leave in one write. When the connection ends, for whatever reason, everything that waits fails at
once with *outcome unknown*; nothing is sent again from here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec

from agentactors.errors import AgentActorsError, AgentUnavailable, DeadlineExceeded
from agentactors.logs import get_logger
from agentactors.protocol import frames as f
from agentactors.protocol import greeting
from agentactors.protocol.envelope import ErrorBody
from agentactors.protocol.stream import MAX_NOTES, StreamFrame, decode_frame, is_note, with_window
from agentactors.runtime import attachments as attached
from agentactors.runtime.attachments import Carried
from agentactors.runtime.deadlines import Deadlines
from agentactors.runtime.outgoing import Outgoing
from agentactors.runtime.source import STREAM_END_S

_LOG = get_logger(__name__)
_HIGH_WATER_BYTES: Final = 64
"""A caller waits as soon as the socket itself is full."""

Collect = Callable[[str], Awaitable[tuple[Any, ...]]]


class Arrived(NamedTuple):
    """What answered a call: a frame's kind, its body, and the payloads in front of it."""

    kind: int
    body: bytes
    payloads: Sequence[bytes]


class Channel(asyncio.Protocol):
    """One connection to one endpoint.

    Args:
        secret: The system's.
        endpoint: Who has to be behind the socket.
        incarnation: The number of the process that it has to be.
    """

    def __init__(self, secret: bytes, endpoint: str, incarnation: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._secret = secret
        self.endpoint = endpoint
        self.incarnation = incarnation
        self._nonce = greeting.nonce()
        self._challenge: greeting.Challenge | None = None
        self._decoder = f.FrameDecoder(greeting.MAX_FRAME_BYTES)
        self._out: Outgoing | None = None
        self._calls: dict[int, asyncio.Future[Arrived] | Inbox] = {}
        self._payloads = attached.PayloadFrames()
        self._deadlines = Deadlines(self._expired)
        self._number = 0
        self._reason = ""
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self.closed = False

    # Calls.

    async def call(self, kind: int, prefix: bytes, data: bytes, carried: Sequence[Carried], deadline: float) -> Arrived:
        """Send a message and wait for what answers it.

        Raises:
            AgentUnavailable: The connection ended; whether the call had an effect is unknown, unless ``started``
                is False: then it was never written.
            DeadlineExceeded: The deadline passed; the host has been told.
            Overloaded: The host did not read until the deadline; nothing was sent.
            TooLarge: It fits into no frame.
            AgentActorsError: The host refused the message.
        """
        out = self._open_end()
        if out.full:
            out = await self._writable(out, deadline)
        number = self._next_number()
        future: asyncio.Future[Arrived] = self._loop.create_future()
        self._calls[number] = future
        self._deadlines.add(number, deadline)
        try:
            out.frame(kind, number, prefix + data, carried)
            arrived = await future
        except asyncio.CancelledError:
            self.cancel(number)
            raise
        finally:
            self._calls.pop(number, None)
            self._deadlines.remove(number, deadline)
        if arrived.kind == f.REFUSED:
            raise _refusal(arrived.body)
        return arrived

    async def open(
        self, data: bytes, carried: Sequence[Carried], *, window: int, deadline: float, collect: Collect
    ) -> Inbox:
        """Send a message that is answered by a stream; the inbox has to be closed.

        Args:
            data: The encoded envelope.
            carried: Values beside it.
            window: Items that may be unread.
            deadline: Of the whole stream.
            collect: Fetches, by the number of its kind, what was too large to come along with an item.

        Raises:
            AgentUnavailable: The connection ended before the message was written (``started`` is False).
            Overloaded, TooLarge: As :meth:`call`.
        """
        out = self._open_end()
        if out.full:
            out = await self._writable(out, deadline)
        number = self._next_number()
        out.frame(f.OPEN, number, with_window(window, data), carried)
        inbox = Inbox(self, number, window, deadline, collect)
        self._calls[number] = inbox
        self._deadlines.add(number, deadline)
        return inbox

    def grant(self, number: int, count: int) -> None:
        """Let a stream be ``count`` items further ahead."""
        if self._out is not None and not self.closed:
            self._out.frame(f.GRANT, number, count.to_bytes(4, "big"))

    def cancel(self, number: int) -> None:
        """Tell the host that nobody waits for a call any more."""
        if self._out is not None and not self.closed:
            self._out.frame(f.CANCEL, number)

    def done(self, number: int, deadline: float) -> None:
        """Forget a stream."""
        self._calls.pop(number, None)
        self._deadlines.remove(number, deadline)

    def close(self, reason: str) -> None:
        """End the connection; what waits fails."""
        if not self.closed:
            self._lose(reason)
        if self._out is not None:
            self._out.close()

    # The protocol, called by the loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the server's challenge."""
        self._out = Outgoing(self._loop, cast("asyncio.Transport", transport), _HIGH_WATER_BYTES)
        if self.closed:
            self._out.close()

    def pause_writing(self) -> None:
        """The socket is full."""
        if self._out is not None:
            self._out.pause()

    def resume_writing(self) -> None:
        """The socket takes more."""
        if self._out is not None:
            self._out.resume()

    def data_received(self, data: bytes) -> None:
        """Hand every frame to the call that waits for it."""
        try:
            for kind, number, body in self._decoder.feed(data):
                if kind == f.ITEM or kind == f.REPLY or kind == f.HELD or kind == f.REFUSED or kind == f.END:  # noqa: PLR1714 - the hot path
                    waiting = self._calls.get(number)
                    payloads = self._payloads.take(number) if self._payloads.waiting else ()
                    if waiting is None:
                        continue  # answered after its deadline or its cancellation
                    if type(waiting) is Inbox:
                        waiting.arrived(kind, body, payloads)
                    elif not waiting.done():  # type: ignore[union-attr]
                        waiting.set_result(Arrived(kind, body, payloads))  # type: ignore[union-attr]
                else:
                    self._other(kind, number, body)
        except (f.BrokenFrame, *greeting.UNREADABLE) as fault:
            self.close(f"the host sent what cannot be read: {fault}")

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail everything that waits."""
        if not self.closed:
            self._lose(self._reason or (f"the connection broke: {exc}" if exc else "the connection was closed"))

    def _other(self, kind: int, number: int, body: bytes) -> None:
        if kind == f.PAYLOAD and self.ready.done():
            self._payloads.add(number, body)
        elif kind == f.CHALLENGE and self._challenge is None:
            self._prove(msgspec.msgpack.decode(body, type=greeting.Challenge))
        elif kind == f.WELCOME and self._challenge is not None and not self.ready.done():
            self._welcomed(msgspec.msgpack.decode(body, type=greeting.Welcome))
        elif kind == f.GOODBYE:
            self._reason = f"the host closed it: {body[:200].decode(errors='replace')}"
        else:
            raise f.BrokenFrame(f"a frame of kind {kind} is not for a caller")

    def _prove(self, challenge: greeting.Challenge) -> None:
        if challenge.version != greeting.VERSION:
            raise f.BrokenFrame(f"version {challenge.version} of the channel")
        self._challenge = challenge
        mac = greeting.client_mac(self._secret, challenge, self._nonce, self.endpoint)
        proof = greeting.Proof(self.endpoint, self.incarnation, self._nonce, mac)
        self._open_end().frame(f.PROOF, 0, msgspec.msgpack.encode(proof))

    def _welcomed(self, welcome: greeting.Welcome) -> None:
        assert self._challenge is not None
        expected = greeting.server_mac(self._secret, self._challenge, self._nonce, self.endpoint)
        if not greeting.same(welcome.mac, expected):
            raise f.BrokenFrame("the host does not know the secret of this system")
        self._decoder = f.FrameDecoder()
        self.ready.set_result(None)

    async def _writable(self, out: Outgoing, deadline: float) -> Outgoing:
        await out.writable(deadline)
        return self._open_end()  # it may have been lost meanwhile

    def _open_end(self) -> Outgoing:
        if self._out is None or self.closed:
            raise AgentUnavailable(
                f"The channel to {self.endpoint} is closed ({self._reason}).",
                {"cause": "channel closed", "started": False},
            )
        return self._out

    def _next_number(self) -> int:
        self._number = self._number % 0xFFFF_FFFF + 1
        while self._number in self._calls:
            self._number = self._number % 0xFFFF_FFFF + 1
        return self._number

    def _expired(self, number: int) -> None:
        waiting = self._calls.get(number)
        if waiting is None:
            return
        self.cancel(number)
        _fail(waiting, DeadlineExceeded(f"{self.endpoint} did not answer before the deadline."))

    def _lose(self, reason: str) -> None:
        self.closed = True
        self._reason = reason
        self._deadlines.close()
        if not self.ready.done():
            self.ready.set_exception(self._lost())
            self.ready.exception()  # seen, also when nobody waits for it any more
        for waiting in list(self._calls.values()):
            _fail(waiting, self._lost())
        self._payloads.clear()
        if self._out is not None:
            self._out.resume()

    def _lost(self) -> AgentUnavailable:
        """Return what one call is told: each its own, since raising changes an error."""
        return AgentUnavailable(
            f"{self.endpoint} is unavailable ({self._reason}); whether the call had an effect is unknown.",
            {"cause": self._reason, "started": None},
        )


class Inbox:
    """The frames of one stream as they arrive; a :class:`~agentactors.runtime.source.Source`.

    Holds what the window allows and has not been read, and a bounded number of notes. It needs no closing once
    :meth:`next` has returned None or raised one of our errors.
    """

    __slots__ = (
        "_channel",
        "_collect",
        "_deadline",
        "_ended",
        "_fault",
        "_frames",
        "_held",
        "_limit",
        "_number",
        "_waiter",
    )

    def __init__(self, channel: Channel, number: int, window: int, deadline: float, collect: Collect) -> None:
        self._channel = channel
        self._number = number
        self._limit = window + MAX_NOTES
        self._deadline = deadline
        self._collect = collect
        self._held = 0
        self._frames: deque[Arrived] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._ended = False
        self._fault: AgentActorsError | None = None

    async def next(self) -> StreamFrame | None:
        """Return the next frame; a fault comes after the frames that arrived before it."""
        while not self._frames:
            if self._fault is not None:
                self._channel.done(self._number, self._deadline)
                raise self._fault
            if self._ended:
                self._channel.done(self._number, self._deadline)
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        kind, body, payloads = self._frames.popleft()
        try:
            if kind == f.HELD:
                self._held += 1
                return decode_frame(body, await self._collect(f"/{self._held}"))
            return decode_frame(body, tuple([attached.load(one) for one in payloads]) if payloads else ())
        except AgentActorsError:  # the rest is of no use without this one
            self._channel.cancel(self._number)
            self._channel.done(self._number, self._deadline)
            raise

    def grant(self, count: int) -> None:
        """Let the producer go on."""
        self._channel.grant(self._number, count)

    async def close(self, *, cancel: bool) -> None:
        """Tell the host to stop, and wait within a bound until it says that it has."""
        if cancel and not self._ended and self._fault is None:
            self._channel.cancel(self._number)
        until = min(self._deadline, time.time() + STREAM_END_S)
        try:
            async with asyncio.timeout(max(0.0, until - time.time())):
                while not self._ended and self._fault is None:
                    self._frames.clear()
                    self._waiter = asyncio.get_running_loop().create_future()
                    await self._waiter
        except TimeoutError:
            _LOG.warning("stream_not_ended_in_time", endpoint=self._channel.endpoint)
        finally:
            self._channel.done(self._number, self._deadline)

    def arrived(self, kind: int, body: bytes, payloads: Sequence[bytes]) -> None:
        """Take a frame in."""
        if len(self._frames) >= self._limit and is_note(body):
            return
        if kind == f.ITEM or kind == f.HELD:  # noqa: PLR1714 - the hot path
            self._frames.append(Arrived(kind, body, payloads))
        elif kind == f.REFUSED:
            self._fault = _refusal(body)
        else:
            self._ended = True
        self._wake()

    def fail(self, fault: AgentActorsError) -> None:
        """Nothing more comes."""
        self._fault = self._fault or fault
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _fail(waiting: asyncio.Future[Arrived] | Inbox, fault: AgentActorsError) -> None:
    if isinstance(waiting, Inbox):
        waiting.fail(fault)
    elif not waiting.done():
        waiting.set_exception(fault)


def _refusal(body: bytes) -> AgentActorsError:
    return AgentActorsError.from_wire(msgspec.to_builtins(msgspec.msgpack.decode(body, type=ErrorBody)))
