"""The way out of a stream: frames in their order, progress notes among them, never too far ahead of the consumer.

Theory of operation. One task pulls frames from the producer, one credit each, and puts them into a queue; the
generator that Ray iterates takes them out. The consumer grants credit as it reads, so at most ``window`` frames
are unread. Notes take no credit: at most a fixed number of them wait, further ones are dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

from agentactors.protocol.stream import MAX_NOTES, PROGRESS, StreamFrame

_END: Final = object()


class Outflow:
    """Carries the frames of one stream; lives on the loop that makes it.

    Args:
        window: Frames that may be unread.
    """

    def __init__(self, window: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._credit = asyncio.Semaphore(window)
        self._queue: asyncio.Queue[Any] = asyncio.Queue()  # bounded by credit and by MAX_NOTES
        self._notes = 0

    def note(self, progress: dict[str, Any]) -> None:
        """Put a progress note among the frames; from any thread, in order with what that thread yields."""
        if threading.get_ident() == self._thread:
            self._note(progress)
        else:
            self._loop.call_soon_threadsafe(self._note, progress)

    def grant(self, count: int) -> None:
        """Let the producer be ``count`` frames further ahead."""
        for _ in range(count):
            self._credit.release()

    async def frames(self, source: AsyncGenerator[StreamFrame, None]) -> AsyncGenerator[StreamFrame, None]:
        """Yield frames, notes among them; closing this closes ``source``. Raises what it raises."""
        pump = self._loop.create_task(self._pump(source))
        try:
            while (item := await self._queue.get()) is not _END:
                if item.kind is PROGRESS:
                    self._notes -= 1
                yield item
            await pump
        finally:
            pump.cancel()
            await asyncio.wait({pump})
            if not pump.cancelled():
                pump.exception()  # seen: whoever leaves early does not want it

    async def _pump(self, source: AsyncGenerator[StreamFrame, None]) -> None:
        try:
            async with aclosing(source):
                while True:
                    await self._credit.acquire()
                    frame = await anext(source, None)
                    if frame is None:
                        return
                    self._queue.put_nowait(frame)
        finally:
            self._queue.put_nowait(_END)

    def _note(self, progress: dict[str, Any]) -> None:
        if self._notes < MAX_NOTES:
            self._notes += 1
            self._queue.put_nowait(StreamFrame(PROGRESS, progress))
