"""The way out of a connection: what is sent in one turn of the loop leaves in one write."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Sequence
from typing import Any, Final

from agentactors.errors import Overloaded, TooLarge
from agentactors.protocol import frames as f
from agentactors.runtime.attachments import Carried

_BURST_FRAMES: Final = 8
"""A longer burst leaves in parts, so that the other side works on the first part while the rest is made."""
_FLUSH_S: Final = 1.0
"""How long the end of a connection waits for the other side to read what was written."""
VANISHED_S: Final = 20
"""After so many seconds without a sign of the other node's kernel, or with its buffers full, TCP gives up."""
_PROBE_IDLE_S: Final = 5
_PROBE_EVERY_S: Final = 3


class Outgoing:
    """Gathers frames and writes them; belongs to one loop.

    Its buffer is bounded by whoever looks at :attr:`full` before sending, or reads nothing more while it is set.

    Args:
        loop: The loop.
        transport: The connection; over TCP, the kernel is told to watch the other node.
        high_water_bytes: With more than this unsent, it is :attr:`full`.
    """

    __slots__ = ("_gathered", "_loop", "_transport", "_waiters", "full")

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport, high_water_bytes: int) -> None:
        self._loop = loop
        self._transport = transport
        transport.set_write_buffer_limits(high=high_water_bytes)
        _watch(transport)
        self._gathered: list[Any] = []
        self._waiters: list[asyncio.Future[None]] = []
        self.full = False

    def frame(self, kind: int, number: int, body: bytes = b"", carried: Sequence[Carried] = ()) -> None:
        """Send one frame, and in front of it the values that belong to it, which must not change any more.

        Raises:
            TooLarge: The other side would not take it; nothing was sent.
        """
        if len(body) > f.MAX_BODY_BYTES:
            raise TooLarge(
                f"The message has {len(body):,} bytes; {f.MAX_BODY_BYTES:,} are allowed.",
                {"size_bytes": len(body), "limit_bytes": f.MAX_BODY_BYTES},
            )
        gathered = self._gathered
        if not gathered:
            self._loop.call_soon(self._write)
        if carried:
            for head, data in carried:
                gathered += (f.head(f.PAYLOAD, number, len(head) + len(data)), head, data)
        gathered.append(f.HEADER.pack(len(body), kind, number) + body)
        if len(gathered) >= _BURST_FRAMES:
            self._write()

    def pause(self) -> None:
        """The socket takes no more for now."""
        self.full = True

    def resume(self) -> None:
        """The socket takes more again, or is gone."""
        self.full = False
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def writable(self, deadline: float) -> None:
        """Wait while the socket is full; the connection may have ended when this returns.

        Raises:
            Overloaded: The other side did not read until the deadline; nothing was sent.
        """
        while self.full:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._waiters.append(waiter)
            try:
                async with asyncio.timeout(max(0.0, deadline - time.time())):
                    await waiter
            except TimeoutError:
                raise Overloaded(
                    "The other side of the channel does not read.", {"started": False, "retry_after_s": 1.0}
                ) from None

    def close(self) -> None:
        """Write what is gathered and end the connection; a side that does not read loses the rest."""
        if self._transport.is_closing():
            return
        self._write()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._loop.call_later(_FLUSH_S, self._transport.abort)

    def _write(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered and not self._transport.is_closing():
            self._transport.write(gathered[0] if len(gathered) == 1 else b"".join(gathered))


def _watch(transport: asyncio.Transport) -> None:
    """Let the kernel find out that the other node is gone: a node that vanishes says no goodbye.

    The kernels do this among themselves, so that a process whose loop is blocked is not taken for a dead one,
    which a ping of our own would do.
    """
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # Linux; elsewhere the system's own, slower figures hold.
    for name, value in (
        ("TCP_KEEPIDLE", _PROBE_IDLE_S),
        ("TCP_KEEPINTVL", _PROBE_EVERY_S),
        ("TCP_KEEPCNT", (VANISHED_S - _PROBE_IDLE_S) // _PROBE_EVERY_S),
        ("TCP_USER_TIMEOUT", VANISHED_S * 1000),
    ):
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
