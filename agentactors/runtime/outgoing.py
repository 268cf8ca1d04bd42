"""The way out of a connection: what is sent in one turn of the loop leaves in one write."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from agentactors.errors import Overloaded
from agentactors.protocol import frames as f

_BURST_FRAMES: Final = 8
"""A longer burst leaves in parts, so that the other side works on the first part while the rest is made."""
_HIGH_WATER_BYTES: Final = 64


class Outgoing:
    """Gathers frames and writes them; belongs to one loop.

    Its buffer is bounded by whoever looks at :attr:`full` before sending, as callers do, or by credit, as
    streams do.

    Args:
        loop: The loop.
        transport: The connection.
    """

    __slots__ = ("_gathered", "_loop", "_transport", "_waiters", "full")

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
        self._gathered: list[Any] = []
        self._waiters: list[asyncio.Future[None]] = []
        self.full = False

    def frame(self, kind: int, number: int, body: bytes = b"") -> None:
        """Send one frame."""
        gathered = self._gathered
        if not gathered:
            self._loop.call_soon(self._write)
        gathered.append(f.HEADER.pack(len(body), kind, number) + body)
        if len(gathered) >= _BURST_FRAMES:
            self._write()

    def payload(self, number: int, head: bytes, data: Any) -> None:
        """Send a value in front of the next frame with this number; it must not change any more."""
        if not self._gathered:
            self._loop.call_soon(self._write)
        self._gathered += (f.head(f.PAYLOAD, number, len(head) + len(data)), head, data)

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
        """Wait while the socket is full.

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
        """Write what is gathered and end the connection."""
        self._write()
        self._transport.close()

    def _write(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered and not self._transport.is_closing():
            self._transport.write(gathered[0] if len(gathered) == 1 else b"".join(gathered))
