"""The transport that prefers the direct channel, and takes the Ray call where there is none.

Through the channel go messages whose values fit into its frames, to replicas that listen where this process can
connect. Everything else is a Ray call: values in the object store, results that are wanted as references,
replicas that cannot be connected to. A connection that breaks under a call is reported as outcome unknown; only
a call that was never written goes another way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Final, NamedTuple

from agentactors.errors import AgentUnavailable, DeadlineExceeded
from agentactors.logs import get_logger
from agentactors.protocol import frames as f
from agentactors.protocol import wire
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.stream import StreamFrame
from agentactors.routing.request import Target
from agentactors.runtime import attachments as attached
from agentactors.runtime.attachments import Carried
from agentactors.runtime.channel import Channel
from agentactors.runtime.transport import CHANNEL, Answer, RayCallTransport, frames_of

_LOG = get_logger(__name__)
_CONNECT_S: Final = 2.0
_AGAIN_AFTER_S: Final = 2.0


class TransportStatistics(NamedTuple):
    """How messages have travelled."""

    channel: int
    ray: int
    connections: int
    connect_failures: int


class ChannelTransport:
    """Delivers through channels, and through Ray where it has to; belongs to one loop.

    Args:
        ray: The transport that always works.
        secret: The system's.
        node_id: Where this process runs: Unix sockets of other nodes cannot be reached.
        inline_limit_bytes: Larger values go through the object store.
        enabled: False: everything is a Ray call.
    """

    def __init__(
        self, ray: RayCallTransport, *, secret: bytes, node_id: str, inline_limit_bytes: int, enabled: bool = True
    ) -> None:
        self._ray = ray
        self._enabled = enabled
        self._secret = secret
        self._node_id = node_id
        self._limit_bytes = inline_limit_bytes
        self._channels: dict[str, Channel] = {}
        self._connecting: dict[str, asyncio.Task[Channel | None]] = {}
        self._opening_now: set[Channel] = set()
        self._tasks: set[asyncio.Task[Channel | None]] = set()
        self._not_before: dict[str, float] = {}
        self._by_channel = self._by_ray = self._failures = 0

    def statistics(self) -> TransportStatistics:
        """Count."""
        connections = sum(not channel.closed for channel in self._channels.values())
        return TransportStatistics(self._by_channel, self._by_ray, connections, self._failures)

    async def ask(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, want_ref: bool, deadline: float
    ) -> Answer:
        """Deliver and wait for the answer."""
        channel, carried = None, self._fit(attachments) if attachments else ()
        if not want_ref and carried is not None:
            channel = self._channels.get(target.endpoint)
            if channel is None or channel.closed or channel.incarnation < target.incarnation:
                channel = await self._connect(target, deadline)
        if channel is None or carried is None:
            self._by_ray += 1
            return await self._ray.ask(target, data, attachments, want_ref=want_ref, deadline=deadline)
        self._by_channel += 1
        kind, body, payloads = await channel.call(f.CALL, b"", data, carried, deadline)
        answer = wire.decode(body)
        if kind == f.HELD:
            values = await self._ray.collect(target, answer.correlation_id or "", deadline=deadline)
        else:
            values = tuple([attached.load(one) for one in payloads]) if payloads else ()
        return Answer(answer, values, CHANNEL)

    async def accept(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, keep: bool, deadline: float
    ) -> Envelope:
        """Deliver and wait only until the replica has taken it."""
        carried = self._fit(attachments)
        channel = await self._connect(target, deadline) if carried is not None else None
        if channel is None or carried is None:
            self._by_ray += 1
            return await self._ray.accept(target, data, attachments, keep=keep, deadline=deadline)
        self._by_channel += 1
        arrived = await channel.call(f.TELL, b"\1" if keep else b"\0", data, carried, deadline)
        return wire.decode(arrived.body)

    async def stream(
        self, target: Target, envelope: Envelope, data: bytes, attachments: Sequence[Any], *, window: int
    ) -> AsyncGenerator[StreamFrame, None]:
        """Deliver and yield frames."""
        deadline = envelope.deadline or time.time()
        carried = self._fit(attachments)
        channel = await self._connect(target, deadline) if carried is not None else None
        if channel is None or carried is None:
            self._by_ray += 1
            frames = self._ray.stream(target, envelope, data, attachments, window=window)
        else:
            self._by_channel += 1

            async def collect(key: str) -> tuple[Any, ...]:
                return await self._ray.collect(target, f"{envelope.message_id}{key}", deadline=deadline)

            inbox = await channel.open(data, carried, window=window, deadline=deadline, collect=collect)
            frames = frames_of(inbox, window, target.endpoint)
        async with aclosing(frames):
            async for frame in frames:
                yield frame

    def forget(self, endpoint: str) -> None:
        """Another process stands behind an endpoint: the connection to the old one is of no use."""
        channel = self._channels.pop(endpoint, None)
        if channel is not None:
            channel.close("another process stands behind the endpoint")
        self._connecting.pop(endpoint, None)  # a connection that is being made is dropped once it is there
        self._not_before.pop(endpoint, None)
        self._ray.forget(endpoint)

    async def close(self) -> None:
        """End every connection, and make none any more: what is asked from now on goes by Ray call."""
        self._enabled = False
        self._connecting.clear()
        for channel in (*self._opening_now, *self._channels.values()):
            channel.close("the caller ends")
        self._channels.clear()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _fit(self, attachments: Sequence[Any]) -> Sequence[Carried] | None:
        return attached.fit(attachments, self._limit_bytes) if attachments else ()

    async def _connect(self, target: Target, deadline: float) -> Channel | None:
        """Return the channel to a replica, None where there can be none."""
        endpoint = target.endpoint
        channel = self._channels.get(endpoint)
        if channel is not None and not channel.closed:
            if channel.incarnation >= target.incarnation:
                return channel
            self.forget(endpoint)
        if not self._enabled or not target.channel or self._not_before.get(endpoint, 0.0) > time.monotonic():
            return None
        task = self._connecting.get(endpoint)
        if task is None:
            task = self._connecting[endpoint] = asyncio.get_running_loop().create_task(self._open(target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            async with asyncio.timeout(max(0.0, deadline - time.time())):
                return await asyncio.shield(task)
        except TimeoutError:
            raise DeadlineExceeded(f"{endpoint} could not be connected to before the deadline.") from None

    async def _open(self, target: Target) -> Channel | None:
        """Connect; a replica that cannot be connected to is left to Ray for a while."""
        endpoint = target.endpoint
        me = asyncio.current_task()
        channel = Channel(self._secret, endpoint, target.incarnation)
        self._opening_now.add(channel)
        reason = ""
        try:
            async with asyncio.timeout(_CONNECT_S):
                await self._opening(target, channel)
                await channel.ready
        except (OSError, ValueError, TimeoutError, AgentUnavailable) as fault:
            reason = str(fault) or type(fault).__name__
        finally:
            self._opening_now.discard(channel)
            wanted = self._connecting.get(endpoint) is me
            if wanted:
                del self._connecting[endpoint]
            if reason or not wanted or not channel.ready.done():
                channel.close("not connected")
        if not wanted:
            return None  # it was forgotten meanwhile
        if channel.closed:
            self._failures += 1
            self._not_before[endpoint] = time.monotonic() + _AGAIN_AFTER_S
            _LOG.info("channel_not_connected", endpoint=endpoint, reason=reason)
            return None
        self._channels = {key: one for key, one in self._channels.items() if not one.closed}
        self._channels[endpoint] = channel
        return channel

    async def _opening(self, target: Target, channel: Channel) -> None:
        loop = asyncio.get_running_loop()
        unix, _, tcp = target.channel.partition(" ")
        if unix and target.node_id == self._node_id:
            await loop.create_unix_connection(lambda: channel, unix)
        elif tcp:
            host, _, port = tcp.rpartition(":")
            await loop.create_connection(lambda: channel, host, int(port))
        else:
            raise ConnectionError("it listens nowhere that this process can reach")
