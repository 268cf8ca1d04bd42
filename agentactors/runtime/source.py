"""Where the frames of one stream come from: a Ray generator, or this very process.

A stream to oneself does not go through Ray: the awaiting side of a generator whose producer is the same async
actor misses wake-ups and stands still in most cases (Ray 2.60, two bare actors; a race, so no test re-checks it).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

import ray
from ray.exceptions import RayError

from agentactors.errors import Cancelled
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.stream import MAX_NOTES, PROGRESS, StreamFrame, decode_frame

STREAM_END_S: Final = 1.0
"""How long leaving a stream waits for its producer to end."""


class Producer(Protocol):
    """What a process offers to streams that it opens to itself."""

    def frames(self, envelope: Envelope, window: int, attachments: Sequence[Any]) -> AsyncIterator[StreamFrame]:
        """Yield frames, at most ``window`` unread."""

    def grant(self, message_id: str, count: int) -> None:
        """Let the producer be ``count`` frames further ahead."""


class Source(Protocol):
    """One stream's frames, in order."""

    async def next(self) -> StreamFrame | None:
        """Return the next frame, None after the last.

        Raises:
            TimeoutError: The stream's deadline passed.
            RayError: What Ray reports.
            AgentActorsError: What the connection reports.
        """

    def grant(self, count: int) -> None:
        """Let the producer be ``count`` frames further ahead."""

    async def close(self, *, cancel: bool) -> None:
        """Wait within :data:`STREAM_END_S` for the producer's end; ``cancel``: stop it first."""


class RaySource:
    """A Ray streaming generator."""

    def __init__(self, handle: Any, message_id: str, generator: Any, deadline: float) -> None:
        self._handle = handle
        self._message_id = message_id
        self._generator = generator
        self._deadline = deadline

    async def next(self) -> StreamFrame | None:
        """Return the next frame that the host yielded."""
        async with asyncio.timeout(max(0.0, self._deadline - time.time())):
            try:
                framed = await (await anext(self._generator))
            except StopAsyncIteration:
                return None
        return decode_frame(framed) if isinstance(framed, bytes) else decode_frame(*framed)

    def grant(self, count: int) -> None:
        """Tell the host's control loop; a grant that is lost with the host is not missed."""
        self._handle.grant.remote(self._message_id, count)

    async def close(self, *, cancel: bool) -> None:
        """Cancel the producer's task: neither dropping the generator nor cancelling who awaits it stops it."""
        if cancel:
            ray.cancel(self._generator)
        with suppress(StopAsyncIteration, TimeoutError, RayError):
            async with asyncio.timeout(STREAM_END_S):
                while True:
                    await (await anext(self._generator))


class LocalSource:
    """A producer in this process, run as a task of its own, so that it is cancelled like any other call."""

    def __init__(
        self, producer: Producer, envelope: Envelope, window: int, attachments: Sequence[Any], deadline: float
    ) -> None:
        self._producer = producer
        self._message_id = envelope.message_id
        self._deadline = deadline
        self._queue: asyncio.Queue[StreamFrame | None] = asyncio.Queue()  # bounded by the window and by MAX_NOTES
        self._limit = window + MAX_NOTES
        self._task = asyncio.get_running_loop().create_task(self._pump(envelope, window, attachments))

    async def next(self) -> StreamFrame | None:
        """Return the next frame."""
        async with asyncio.timeout(max(0.0, self._deadline - time.time())):
            frame = await self._queue.get()
            if frame is None:
                await asyncio.wait({self._task})
                if self._task.cancelled():
                    raise Cancelled("The stream was cancelled.")
                self._task.result()
            return frame

    def grant(self, count: int) -> None:
        """Let the producer go on."""
        self._producer.grant(self._message_id, count)

    async def close(self, *, cancel: bool) -> None:
        """End the producer's task."""
        if cancel:
            self._task.cancel()
        await asyncio.wait({self._task}, timeout=STREAM_END_S)
        if self._task.done() and not self._task.cancelled():
            self._task.exception()  # seen: whoever leaves early does not want it

    async def _pump(self, envelope: Envelope, window: int, attachments: Sequence[Any]) -> None:
        try:
            values = [await one if isinstance(one, ray.ObjectRef) else one for one in attachments]
            async for frame in self._producer.frames(envelope, window, values):
                if frame.kind is not PROGRESS or self._queue.qsize() < self._limit:
                    self._queue.put_nowait(frame)
        finally:
            self._queue.put_nowait(None)
