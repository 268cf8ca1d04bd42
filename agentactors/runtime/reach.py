"""Reaching an agent: resolve, validate, deliver, and repeat only where that is safe.

Drivers and hosts use the same object; what differs is in whose name it speaks. The rules of repetition
(:meth:`Reach._elsewhere`): a call goes to another replica when it provably never started, or when it was lost
and the capability is declared idempotent. Everything else is reported to the caller as it is.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import msgspec

from agentactors.config import Settings
from agentactors.errors import (
    AgentActorsError,
    AgentUnavailable,
    DeadlineExceeded,
    InvalidMessage,
    InvalidParameters,
    NoReachableAgent,
)
from agentactors.protocol import wire
from agentactors.protocol.envelope import Body, Envelope, MessageType
from agentactors.protocol.ids import new_message_id
from agentactors.protocol.schema import Validator, check_input, compile_schema
from agentactors.protocol.state import StateKind, StateRef
from agentactors.protocol.stream import END, ITEM, PROGRESS, StreamFrame, envelope_of
from agentactors.protocol.task import Result, ResultStatus
from agentactors.routing.replica import choose_replica, rendezvous
from agentactors.routing.request import Resolution, RouteRequest, Target
from agentactors.runtime.chain import Call, Chain
from agentactors.runtime.custody import Custody
from agentactors.runtime.payload import carries_state, pack, unpack_result
from agentactors.runtime.resolver import Resolver
from agentactors.runtime.transport import Answer, Transport

Progress = Callable[[dict[str, Any]], None]
_MAX_VALIDATORS: Final = 4096
_MAX_KEY: Final = 256


class _Delivery(NamedTuple):
    """One attempt's worth of everything that is known before sending."""

    target: Target
    request: RouteRequest
    envelope: Envelope
    data: bytes
    attachments: list[Any]


class Reply(NamedTuple):
    """A result, and the two messages that made it."""

    result: Result
    request: Envelope
    answer: Envelope


class _Failed(NamedTuple):
    """An attempt that may be repeated elsewhere."""

    target: Target
    fault: AgentActorsError


class Reach:
    """Delivers calls in one sender's name.

    Args:
        sender: Names the caller in envelopes and audit.
        settings: Bounds and time-outs.
        transport: How envelopes travel.
        resolver: Who can serve.
        custody: Which large values this process owns.
        seed: Makes the choice among replicas repeatable.
    """

    def __init__(
        self,
        *,
        sender: str,
        settings: Settings,
        transport: Transport,
        resolver: Resolver,
        custody: Custody,
        seed: int | None = None,
    ) -> None:
        self._sender = sender
        self._settings = settings
        self._transport = transport
        self._resolver = resolver
        self._custody = custody
        self._random = random.Random(seed)  # noqa: S311 - spreads load, no secret
        self._in_flight: Counter[tuple[str, str]] = Counter()
        self._validators: dict[str, Validator] = {}
        self._lost: dict[str, tuple[int, float]] = {}

    async def ask(self, chain: Chain, call: Call, *, on_progress: Progress | None = None) -> Reply:
        """Call and wait.

        Returns:
            The result with the messages that made it. Arrays, tables and bytes in ``data`` are read-only
            views on values that this process owns while it holds them.

        Raises:
            AgentActorsError: Any error of the tree, the agent's included.
        """
        if on_progress is not None:
            return await self._ask_watching(chain, call, on_progress)
        delivery, answer = await self._deliver(chain, call, want_ref=False)
        data = _content(answer.envelope)
        if carries_state(data):
            data = unpack_result(data, answer.payload)
        return _reply(chain, delivery, answer.envelope, data, answer.transport)

    async def ask_ref(self, chain: Chain, call: Call) -> StateRef:
        """Call, and keep the result in the object store; this process owns it.

        Raises:
            AgentActorsError: As :meth:`ask`.
        """
        _, answer = await self._deliver(chain, call, want_ref=True)
        described = _content(answer.envelope)
        return self._custody.adopt(answer.payload, StateKind(described["kind"]), int(described["size_bytes"]))

    async def send(self, chain: Chain, call: Call, *, keep: bool) -> None:
        """Hand a call over and return once a replica has taken it; at most once.

        Args:
            chain: The chain; its request_id is how a kept result is collected.
            call: What is asked for.
            keep: Whether the replica records the result in the journal.

        Raises:
            AgentActorsError: It was not taken.
        """
        tried: list[_Failed] = []
        while True:
            delivery = await self._prepare(chain, call, tried)
            try:
                answer = await self._transport.accept(
                    delivery.target, delivery.data, delivery.attachments, keep=keep, deadline=chain.deadline
                )
                _content(answer)
            except AgentActorsError as fault:
                if not self._elsewhere(fault, delivery, tried):
                    raise
            else:
                return

    @asynccontextmanager
    async def stream(self, chain: Chain, call: Call) -> AsyncIterator[Stream]:
        """Open a stream; leaving the block for any reason stops the producer and waits for its end.

        Raises:
            AgentActorsError: On opening, or while iterating, any error of the tree.
        """
        async with self._open(chain, call) as (_, stream):
            yield stream

    @asynccontextmanager
    async def _open(self, chain: Chain, call: Call) -> AsyncIterator[tuple[_Delivery, Stream]]:
        delivery = await self._prepare(chain, call, [])
        frames = self._transport.stream(
            delivery.target,
            delivery.envelope,
            delivery.data,
            delivery.attachments,
            window=self._settings.stream_buffer_items,
        )
        key = (delivery.target.agent_id, delivery.target.replica_id)
        self._in_flight[key] += 1
        try:
            yield delivery, Stream(chain.request_id, delivery.target, frames)
        except AgentUnavailable:
            self._note_lost(delivery)
            raise
        finally:
            self._in_flight[key] -= 1
            await frames.aclose()

    async def exchange(self, chain: Chain, capability: str, kind: MessageType, body: Body) -> tuple[Envelope, Envelope]:
        """Send one message that is no action (HELLO, TASK_REQUEST…) to whoever serves a capability.

        Returns:
            The message and its answer.

        Raises:
            AgentActorsError: As :meth:`ask`; also the error that the agent answers.
        """
        request = RouteRequest(capability=capability, tenant=chain.tenant, role=chain.role)
        target = (await self._resolver.resolve(request, deadline=chain.deadline)).targets[0]
        envelope = self._envelope(chain, target, kind, body)
        answer = await self._transport.ask(target, wire.encode(envelope), (), want_ref=False, deadline=chain.deadline)
        _content(answer.envelope)
        return envelope, answer.envelope

    async def _ask_watching(self, chain: Chain, call: Call, on_progress: Progress) -> Reply:
        """An ask whose progress is wanted travels as a stream: status frames, then the result."""
        items: list[Any] = []
        async with self._open(chain, call) as (delivery, stream):
            async for frame in stream.frames:
                if frame.kind is PROGRESS:
                    on_progress(frame.value)
                elif frame.kind is ITEM:
                    items.append(unpack_result(frame.value, frame.attachments))
                else:
                    answer = envelope_of(frame)
                    result = unpack_result(_content(answer), frame.attachments)
                    return _reply(chain, delivery, answer, items if delivery.target.streaming else result)
        raise AgentUnavailable(f"{call.capability} ended without a result.", {"cause": "stream ended"})

    async def _deliver(self, chain: Chain, call: Call, *, want_ref: bool) -> tuple[_Delivery, Answer]:
        tried: list[_Failed] = []
        while True:
            delivery = await self._prepare(chain, call, tried)
            key = (delivery.target.agent_id, delivery.target.replica_id)
            self._in_flight[key] += 1
            try:
                answer = await self._transport.ask(
                    delivery.target,
                    delivery.data,
                    delivery.attachments,
                    want_ref=want_ref,
                    deadline=chain.deadline,
                )
                _content(answer.envelope)
            except AgentActorsError as fault:
                if not self._elsewhere(fault, delivery, tried):
                    raise
            else:
                return delivery, answer
            finally:
                self._in_flight[key] -= 1

    def _elsewhere(self, fault: AgentActorsError, delivery: _Delivery, tried: list[_Failed]) -> bool:
        """Decide whether a failed call may go to another replica, and note where it has been."""
        started = fault.details.get("started", True)
        lost = isinstance(fault, AgentUnavailable)
        if lost:
            self._note_lost(delivery)
        if delivery.target.packed and not lost:
            return False  # elsewhere the key would have a second agent
        if started is False or (lost and delivery.target.idempotent):
            tried.append(_Failed(delivery.target, fault))
            return True
        return False

    def _note_lost(self, delivery: _Delivery) -> None:
        """Avoid a process that was lost for as long as the registry may take to notice."""
        self._resolver.drop(delivery.request)
        now = time.monotonic()
        self._lost = {endpoint: one for endpoint, one in self._lost.items() if one[1] > now}
        target = delivery.target
        self._lost[target.endpoint] = (target.incarnation, now + self._settings.offline_after_s)

    def _present(self, targets: list[Target]) -> list[Target]:
        """Return the replicas that were not lost a moment ago, or all when there are no others."""
        if not self._lost:
            return targets
        now = time.monotonic()
        gone = {endpoint: incarnation for endpoint, (incarnation, until) in self._lost.items() if until > now}
        return [one for one in targets if gone.get(one.endpoint) != one.incarnation] or targets

    async def _prepare(self, chain: Chain, call: Call, tried: list[_Failed]) -> _Delivery:
        if chain.deadline <= time.time():
            raise DeadlineExceeded(f"The deadline passed before {call.capability or 'the request'} was sent.")
        if chain.hops > self._settings.max_hops:
            raise InvalidMessage(
                f"The chain {chain.request_id} has more than {self._settings.max_hops} nested calls: its agents call "
                "each other in a loop.",
                {"hops": chain.hops},
            )
        request = RouteRequest(
            query=call.query,
            capability=call.capability,
            version_range=call.version,
            tenant=chain.tenant,
            role=chain.role,
            agent_id=call.agent_id,
            exclude=[(failed.target.agent_id, failed.target.replica_id) for failed in tried],
        )
        resolution = await self._resolve(request, tried, chain.deadline)
        target, parameters, attachments = self._fit(call, resolution)
        body = Body(action=resolution.capability, parameters=parameters, query=call.query or None)
        envelope = self._envelope(chain, target, MessageType.ACTION_REQUEST, body, key=call.key)
        return _Delivery(target, request, envelope, wire.encode(envelope), attachments)

    def _envelope(self, chain: Chain, target: Target, kind: MessageType, body: Body, *, key: str = "") -> Envelope:
        return Envelope(
            message_id=new_message_id(),
            task_id=chain.request_id,
            sender=self._sender,
            receiver=target.agent_id,
            message_type=kind,
            timestamp=time.time(),
            session_id=chain.session_id,
            trace_id=chain.trace_id,
            deadline=chain.deadline,
            tenant=chain.tenant,
            role=chain.role,
            context_refer=chain.context_refer,
            has_memory=chain.has_memory,
            key=key,
            hops=chain.hops,
            body=body,
        )

    async def _resolve(self, request: RouteRequest, tried: list[_Failed], deadline: float) -> Resolution:
        try:
            return await self._resolver.resolve(request, deadline=deadline)
        except NoReachableAgent:
            if not tried:
                raise
            raise tried[-1].fault from None  # what happened there says more than that nobody else is left

    def _fit(self, call: Call, resolution: Resolution) -> tuple[Target, dict[str, Any], list[Any]]:
        """Choose the agent whose schema takes the parameters, then one of its replicas."""
        first_fault: InvalidParameters | None = None
        seen: set[str] = set()
        for target in resolution.targets:
            if target.agent_id in seen:
                continue
            seen.add(target.agent_id)
            _check_key(call, target)
            try:
                parameters, attachments = self._fill(call, target, resolution)
            except InvalidParameters as fault:
                first_fault = first_fault or fault
                continue
            replicas = self._present([one for one in resolution.targets if one.agent_id == target.agent_id])
            if call.key:
                return rendezvous(replicas, call.key), parameters, attachments
            return choose_replica(replicas, self._in_flight, self._random), parameters, attachments
        raise first_fault or NoReachableAgent(f"Nobody serves {call.capability}.")

    def _fill(self, call: Call, target: Target, resolution: Resolution) -> tuple[dict[str, Any], list[Any]]:
        given = dict(call.parameters)
        if target.takes_query and call.query and target.takes_query not in given:
            given[target.takes_query] = call.query
        plain, attachments = pack(given, inline_limit_bytes=self._settings.inline_limit_bytes, ref=self._custody.ref)
        schema = resolution.schemas.get(target.schema_id)
        if schema:
            plain = check_input(self._validator(target.schema_id, schema), schema, plain)
        return plain, attachments

    def _validator(self, schema_id: str, schema: dict[str, Any]) -> Validator:
        found = self._validators.get(schema_id)
        if found is None:
            if len(self._validators) >= _MAX_VALIDATORS:
                self._validators.clear()
            found = self._validators[schema_id] = compile_schema(schema)
        return found


class Stream:
    """An open stream; see :class:`agentactors.protocol.stream.ItemStream`."""

    def __init__(self, request_id: str, target: Target, frames: AsyncIterator[StreamFrame]) -> None:
        self.request_id = request_id
        self.agent_id = target.agent_id
        self.frames = frames
        self._streaming = target.streaming

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yield the items; an error of the producer is raised here, in its place in the order.

        The result of a capability that does not stream is its one item.
        """
        async for kind, value, carried in self.frames:
            if kind is ITEM:
                yield unpack_result(value, carried) if carried else value
            elif kind is END:
                result = unpack_result(_content(value), carried)
                if not self._streaming:
                    yield result
                return


def _reply(chain: Chain, delivery: _Delivery, answer: Envelope, data: Any, transport: str | None = None) -> Reply:
    result = Result(
        request_id=chain.request_id,
        status=ResultStatus.SUCCESS,
        agent_id=delivery.target.agent_id,
        data=data,
        transport=transport,
    )
    return Reply(result, delivery.envelope, answer)


def _check_key(call: Call, target: Target) -> None:
    if len(call.key) > _MAX_KEY:
        raise InvalidParameters(f"The key has {len(call.key):,} characters; {_MAX_KEY} are allowed.", {"path": "key"})
    if target.packed and not call.key:
        raise InvalidParameters(
            f"{target.agent_id} is many agents in one host: say which one with key=.",
            {"path": "key", "missing": ["key"]},
        )


def _content(envelope: Envelope) -> Any:
    """Return the result in an answer; raise the error in it."""
    if envelope.body.error is not None:
        raise AgentActorsError.from_wire(msgspec.to_builtins(envelope.body.error))
    return envelope.body.result
