"""The seam between a caller and a replica, and its first implementation: the Ray call.

A transport moves one encoded envelope and its attachments to an endpoint and brings the answer back. It knows
deadlines and cancellation, and nothing of routing, validation or retry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import ray
from ray.exceptions import RayError

from agentactors.errors import AgentActorsError, AgentUnavailable, DeadlineExceeded
from agentactors.protocol import wire
from agentactors.protocol.envelope import Envelope, MessageType
from agentactors.protocol.stream import ITEM
from agentactors.runtime.source import LocalSource, Producer, RaySource, Source
from agentactors.runtime.translate import translate

WINDOW_BYTES: Final = 4
"""A stream's request begins with its window in so many bytes: one argument costs less than two."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the envelope, and what it names beside it."""

    envelope: Envelope
    payload: Any
    """The attachments; or, when a reference was wanted, the reference of the result."""


@dataclass(frozen=True, slots=True)
class _Own:
    """The endpoint that this process is."""

    endpoint: str
    producer: Producer


class Transport(Protocol):
    """Delivers to one endpoint; at most once."""

    async def ask(
        self, endpoint: str, data: bytes, attachments: Sequence[Any], *, want_ref: bool, deadline: float
    ) -> Answer:
        """Deliver and wait for the answer; raises what the tree calls DeliveryError when none comes."""

    async def accept(
        self, endpoint: str, data: bytes, attachments: Sequence[Any], *, keep: bool, deadline: float
    ) -> Envelope:
        """Deliver and wait only until the replica has taken it."""

    def stream(
        self,
        endpoint: str,
        message_id: str,
        data: bytes,
        attachments: Sequence[Any],
        *,
        buffer_items: int,
        deadline: float,
    ) -> AsyncIterator[tuple[Envelope, tuple[Any, ...]]]:
        """Deliver and yield frames, at most ``buffer_items`` ahead; closing the iterator stops the producer."""

    def forget(self, endpoint: str) -> None:
        """Look an endpoint up anew next time: another process stands behind it now."""


class RayCallTransport:
    """Delivers by Ray actor calls: works everywhere, carries object references."""

    def __init__(self, namespace: str) -> None:
        self._namespace = namespace
        self._handles: dict[str, Any] = {}
        self._own: _Own | None = None

    def serve_itself(self, endpoint: str, producer: Producer) -> None:
        """Open streams to ``endpoint``, which is this process, without Ray."""
        self._own = _Own(endpoint, producer)

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

    async def ask(
        self, endpoint: str, data: bytes, attachments: Sequence[Any], *, want_ref: bool, deadline: float
    ) -> Answer:
        """Call ``deliver``, or ``deliver_ref``, whose second return this process then owns."""
        handle = self._handles.get(endpoint) or await self.handle(endpoint, deadline=deadline)
        if want_ref:
            control, ref = handle.deliver_ref.remote(data, *attachments)
            return Answer(wire.decode(await self.wait(control, endpoint, deadline)), ref)
        # One argument and one return: each further one costs a tenth of a call.
        answered = await self.wait(handle.deliver.remote(data, *attachments), endpoint, deadline)
        answer, carried = (answered, ()) if isinstance(answered, bytes) else answered
        return Answer(wire.decode(answer), carried)

    async def accept(
        self, endpoint: str, data: bytes, attachments: Sequence[Any], *, keep: bool, deadline: float
    ) -> Envelope:
        """Call ``accept``: the replica answers once it has taken the message."""
        handle = await self.handle(endpoint, deadline=deadline)
        return wire.decode(await self.wait(handle.accept.remote(data, keep, *attachments), endpoint, deadline))

    async def stream(
        self,
        endpoint: str,
        message_id: str,
        data: bytes,
        attachments: Sequence[Any],
        *,
        buffer_items: int,
        deadline: float,
    ) -> AsyncIterator[tuple[Envelope, tuple[Any, ...]]]:
        """Call ``stream``, a streaming generator, or oneself directly; the producer waits when ``buffer_items`` frames are unread.

        The bound is ours: the consumer grants credit as it reads, half a window at a time. Ray's own bound
        holds each item back for a round trip (1.4 ms until the first one, Ray 2.60).
        """
        source = await self._open(endpoint, message_id, data, attachments, window=buffer_items, deadline=deadline)
        ended = finished = False
        read, share = 0, max(1, buffer_items // 2)
        try:
            while True:
                try:
                    async with asyncio.timeout(max(0.0, deadline - time.time())):
                        framed = await source.next()
                except StopAsyncIteration:
                    ended = finished = True
                    return
                except TimeoutError:
                    raise DeadlineExceeded(f"The stream from {endpoint} passed its deadline.") from None
                except RayError as fault:
                    ended = finished = True
                    raise self.lost(fault, endpoint) from fault
                frame, carried = (framed, ()) if isinstance(framed, bytes) else framed
                envelope = wire.decode(frame) if isinstance(frame, bytes) else frame
                ended = envelope.message_type is not MessageType.STATUS
                yield envelope, carried
                read += envelope.body.action == ITEM  # notes take no credit
                if read >= share:
                    read = 0
                    source.grant(share)
        finally:
            if not finished:
                await source.close(cancel=not ended)

    async def _open(
        self, endpoint: str, message_id: str, data: bytes, attachments: Sequence[Any], *, window: int, deadline: float
    ) -> Source:
        if self._own is not None and self._own.endpoint == endpoint:
            return LocalSource(self._own.producer, wire.decode(data), window, attachments)
        handle = await self.handle(endpoint, deadline=deadline)
        request = window.to_bytes(WINDOW_BYTES, "big") + data
        return RaySource(
            handle, message_id, handle.stream.options(num_returns="streaming").remote(request, *attachments)
        )

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
        """Drop the handle: an actor that was ended and spawned again has the same name and another handle."""
        self._handles.pop(endpoint, None)

    def lost(self, fault: BaseException, endpoint: str) -> AgentActorsError:
        """Translate a failure, and forget the handle of an endpoint that cannot be reached."""
        error = translate(fault, target=endpoint)
        if isinstance(error, AgentUnavailable):
            self.forget(endpoint)
        return error
