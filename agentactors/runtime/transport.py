"""The seam between a caller and a replica, and its first implementation: the Ray call.

A transport moves one encoded envelope and its attachments to an endpoint and brings the answer back. It knows
deadlines and cancellation, and nothing of routing, validation or retry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Final, NamedTuple, Protocol

import ray
from ray.exceptions import RayError

from agentactors.errors import AgentActorsError, AgentUnavailable, DeadlineExceeded
from agentactors.protocol import wire
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.stream import END, ITEM, StreamFrame, with_window
from agentactors.routing.request import Target
from agentactors.runtime.source import LocalSource, Producer, RaySource, Source
from agentactors.runtime.translate import translate

RAY: Final = "ray"
CHANNEL: Final = "channel"


class Answer(NamedTuple):
    """What came back: the envelope, and what it names beside it."""

    envelope: Envelope
    payload: Any
    """The attachments; or, when a reference was wanted, the reference of the result."""
    transport: str
    """How it travelled."""


class Transport(Protocol):
    """Delivers to one replica; at most once."""

    async def ask(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, want_ref: bool, deadline: float
    ) -> Answer:
        """Deliver and wait for the answer; raises what the tree calls DeliveryError when none comes."""

    async def accept(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, keep: bool, deadline: float
    ) -> Envelope:
        """Deliver and wait only until the replica has taken it."""

    def stream(
        self, target: Target, envelope: Envelope, data: bytes, attachments: Sequence[Any], *, window: int
    ) -> AsyncGenerator[StreamFrame, None]:
        """Deliver and yield frames, at most ``window`` items ahead; closing the iterator stops the producer."""


class RayCallTransport:
    """Delivers by Ray actor calls: works everywhere, carries object references."""

    def __init__(self, namespace: str) -> None:
        self._namespace = namespace
        self._handles: dict[str, Any] = {}
        self._incarnations: dict[str, int] = {}
        self._own: tuple[str, Producer] | None = None

    def serve_itself(self, endpoint: str, producer: Producer) -> None:
        """Open streams to ``endpoint``, which is this process, without Ray."""
        self._own = (endpoint, producer)

    async def handle(self, endpoint: str, *, deadline: float) -> Any:
        """Return the actor behind an endpoint.

        Raises:
            AgentUnavailable: There is none (``started`` is False).
        """
        found = self._handles.get(endpoint)
        if found is None:
            try:
                async with asyncio.timeout(max(0.0, deadline - time.time())):
                    found = await asyncio.to_thread(ray.get_actor, endpoint, self._namespace)
            except (ValueError, RayError):
                raise AgentUnavailable(
                    f"There is no actor {endpoint!r}.", {"cause": "not found", "started": False}
                ) from None
            except TimeoutError:
                raise DeadlineExceeded(f"Actor {endpoint!r} was not found in time.") from None
            self._handles[endpoint] = found
        return found

    async def _replica(self, target: Target, deadline: float) -> Any:
        """Return the actor of a replica: of the same name, but another one when it was ended and spawned again."""
        endpoint = target.endpoint
        if self._incarnations.get(endpoint) != target.incarnation:
            self._incarnations[endpoint] = target.incarnation
            self.forget(endpoint)
        return self._handles.get(endpoint) or await self.handle(endpoint, deadline=deadline)

    async def ask(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, want_ref: bool, deadline: float
    ) -> Answer:
        """Call ``deliver``, or ``deliver_ref``, whose second return this process then owns."""
        endpoint = target.endpoint
        handle = await self._replica(target, deadline)
        if want_ref:
            control, ref = handle.deliver_ref.remote(data, *attachments)
            return Answer(wire.decode(await self.wait(control, endpoint, deadline)), ref, RAY)
        # One argument and one return: each further one costs a tenth of a call.
        answered = await self.wait(handle.deliver.remote(data, *attachments), endpoint, deadline)
        answer, carried = (answered, ()) if isinstance(answered, bytes) else answered
        return Answer(wire.decode(answer), carried, RAY)

    async def collect(self, target: Target, message_id: str, *, deadline: float) -> tuple[Any, ...]:
        """Fetch what was too large to come back beside the answer to a message; once.

        Raises:
            StateLost: It is not there any more.
            AgentActorsError: As :meth:`wait`.
        """
        handle = await self._replica(target, deadline)
        carried: tuple[Any, ...] = await self.wait(handle.collect.remote(message_id), target.endpoint, deadline)
        return carried

    async def accept(
        self, target: Target, data: bytes, attachments: Sequence[Any], *, keep: bool, deadline: float
    ) -> Envelope:
        """Call ``accept``: the replica answers once it has taken the message."""
        handle = await self._replica(target, deadline)
        return wire.decode(await self.wait(handle.accept.remote(data, keep, *attachments), target.endpoint, deadline))

    async def stream(
        self, target: Target, envelope: Envelope, data: bytes, attachments: Sequence[Any], *, window: int
    ) -> AsyncGenerator[StreamFrame, None]:
        """Call ``stream``, a streaming generator, or oneself directly; the producer waits beyond the window.

        The bound is ours: Ray's own holds each item back for a round trip (1.4 ms until the first one, Ray 2.60).
        """
        deadline = envelope.deadline or time.time()
        source: Source
        if self._own is not None and self._own[0] == target.endpoint:
            source = LocalSource(self._own[1], envelope, window, attachments, deadline)
        else:
            handle = await self._replica(target, deadline)
            # One argument costs less than two.
            generator = handle.stream.options(num_returns="streaming").remote(with_window(window, data), *attachments)
            source = RaySource(handle, envelope.message_id, generator, deadline)
        try:
            async with aclosing(frames_of(source, window, target.endpoint)) as frames:
                async for frame in frames:
                    yield frame
        except RayError as fault:
            raise self.lost(fault, target.endpoint) from fault

    async def wait(self, ref: Any, endpoint: str, deadline: float) -> Any:
        """Await one object; at the deadline, or when the waiter is cancelled, the work is cancelled too.

        Raises:
            DeadlineExceeded: The deadline passed.
            AgentActorsError: Whatever Ray reported, translated.
        """
        loop = asyncio.get_running_loop()
        future = asyncio.wrap_future(ref.future())
        expired = False

        def expire() -> None:
            nonlocal expired
            expired = True
            future.cancel()

        timer = loop.call_later(max(0.0, deadline - time.time()), expire)
        try:
            return await future
        except asyncio.CancelledError:
            ray.cancel(ref)
            if expired:
                raise DeadlineExceeded(f"{endpoint} did not answer before the deadline.") from None
            raise
        except RayError as fault:
            raise self.lost(fault, endpoint) from fault
        finally:
            timer.cancel()

    def forget(self, endpoint: str) -> None:
        """Look an endpoint up anew next time."""
        self._handles.pop(endpoint, None)

    def lost(self, fault: BaseException, endpoint: str) -> AgentActorsError:
        """Translate a failure, and forget the handle of an endpoint that cannot be reached."""
        error = translate(fault, target=endpoint)
        if isinstance(error, AgentUnavailable):
            self.forget(endpoint)
        return error


async def frames_of(source: Source, window: int, endpoint: str) -> AsyncGenerator[StreamFrame, None]:
    """Read a source to its end, granting credit half a window at a time; closing this closes the source.

    Raises:
        DeadlineExceeded: The stream's deadline passed.
        RayError, AgentActorsError: What the source reports.
    """
    ended = finished = False
    read, share = 0, max(1, window // 2)
    try:
        while True:
            frame = await source.next()
            if frame is None:
                ended = finished = True
                return
            ended = frame.kind is END
            yield frame
            if frame.kind is ITEM:  # notes take no credit
                read += 1
                if read >= share:
                    read = 0
                    source.grant(share)
    except TimeoutError:
        raise DeadlineExceeded(f"The stream from {endpoint} passed its deadline.") from None
    except (RayError, AgentActorsError):
        ended = finished = True
        raise
    finally:
        if not finished:
            await source.close(cancel=not ended)
