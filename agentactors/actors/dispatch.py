"""What a host does with a message: check, admit, validate, run, answer. Everything lives on one loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

from agentactors.actors.admission import Admission
from agentactors.actors.agents import Agents
from agentactors.actors.blueprint import Blueprint
from agentactors.actors.context import HostContext
from agentactors.actors.execution import Execution, Work
from agentactors.actors.guard import Guard
from agentactors.actors.outbox import Outbox
from agentactors.actors.outflow import Outflow
from agentactors.actors.recall import Recall
from agentactors.errors import AgentActorsError, Cancelled, DeadlineExceeded, InvalidMessage, StateLost
from agentactors.logs import bind_call, get_logger
from agentactors.protocol import bodies, wire
from agentactors.protocol.dedup import MessageMemory, Seen
from agentactors.protocol.envelope import Body, Envelope, MessageType
from agentactors.protocol.ids import new_message_id
from agentactors.protocol.lifecycle import TaskState
from agentactors.protocol.state import StateRef
from agentactors.protocol.stream import END, ITEM, StreamFrame
from agentactors.runtime.chain import Chain
from agentactors.runtime.channel_transport import ChannelTransport
from agentactors.runtime.custody import Custody
from agentactors.runtime.payload import attach, pack_result, unpack
from agentactors.runtime.reach import Reach
from agentactors.runtime.resolver import Resolver
from agentactors.runtime.system_actors import SystemActors
from agentactors.runtime.transport import RayCallTransport

_LOG = get_logger(__name__)
Answered = tuple[bytes, Any]
"""An encoded answer, and what is too large for it."""


class Dispatch:
    """One replica's work. Not thread-safe: all of it runs on the host's default loop."""

    def __init__(self, blueprint: Blueprint, agents: Agents, *, loop: asyncio.AbstractEventLoop, node_id: str) -> None:
        settings = blueprint.settings
        self._blueprint = blueprint
        self._agent_id = blueprint.agent_id
        self._settings = settings
        self._agents = agents
        self._loop = loop
        self._pool = ThreadPoolExecutor(settings.sync_threads, thread_name_prefix=blueprint.agent_id)
        self._admission = Admission(settings.max_in_flight)
        self._execution = Execution(blueprint.agent_id, admission=self._admission, pool=self._pool)
        self._guard = Guard(blueprint)
        ray_calls = RayCallTransport(blueprint.namespace)
        ray_calls.serve_itself(blueprint.endpoint, self)
        actors = SystemActors(blueprint.namespace, ray_calls)
        self._transport = ChannelTransport(
            ray_calls,
            secret=blueprint.secret,
            node_id=node_id,
            inline_limit_bytes=settings.inline_limit_bytes,
            enabled=settings.channel,
        )
        self._recall = Recall(actors, settings)
        self._custody = Custody()
        self._resolver = Resolver(actors)
        self._reach = Reach(
            sender=f"{blueprint.agent_id}/{blueprint.replica_id}",
            settings=settings,
            transport=self._transport,
            resolver=self._resolver,
            custody=self._custody,
        )
        self._memory: MessageMemory[asyncio.Future[bytes] | bytes] = MessageMemory(
            settings.message_memory, settings.message_memory_s
        )
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._background: set[asyncio.Task[Any]] = set()
        self._outflows: dict[str, Outflow] = {}
        self._outbox = Outbox(settings.outbox_bytes, settings.outbox_s)

    @property
    def running(self) -> int:
        """Calls that hold a slot."""
        return self._admission.running

    def statistics(self) -> dict[str, Any]:
        """Return the counters of admission, message memory and custody."""
        return {
            "admission": self._admission.statistics()._asdict(),
            "messages": self._memory.statistics()._asdict(),
            "agents": self._agents.count,
            "custody": self._custody.statistics()._asdict(),
            "outbox": self._outbox.statistics()._asdict(),
            "transport": self._transport.statistics()._asdict(),
        }

    async def deliver(self, envelope: Envelope, want_ref: bool, attachments: Sequence[Any]) -> Answered:
        """Answer one message; an error is an answer too. A message_id that comes twice is executed once."""
        bind_call(envelope.task_id, self._agent_id)
        try:
            bodies.check(envelope)
            if envelope.message_type is not MessageType.ACTION_REQUEST:
                return wire.encode(self._converse(envelope)), None
            seen = self._memory.begin(envelope.message_id, time.monotonic())
            if seen is not None:
                return await self._again(seen), None
        except AgentActorsError as fault:
            return wire.encode(self._refusal(envelope, fault)), None
        remembered: bytes | None = None
        started = True
        try:
            answer, payload = await self._action(envelope, want_ref, attachments)
            error = answer.body.error
            started = error is None or error.details.get("started") is not False
            data, payload = self._encoded(envelope, answer, payload)
            # What goes out beside the envelope belongs to its caller; memory keeps no copy of it.
            remembered = data if payload is None else wire.encode(self._handed_over(envelope))
            return data, payload
        finally:
            if remembered is None:
                remembered = wire.encode(self._refusal(envelope, Cancelled(f"{envelope.body.action} was cancelled.")))
            self._remember(envelope.message_id, remembered, started=started)

    def _remember(self, message_id: str, answer: bytes, *, started: bool) -> None:
        """Keep an answer for repeated arrivals, and give it to those that wait for it already."""
        if started:
            waiting = self._memory.end(message_id, answer, time.monotonic(), len(answer))
        else:  # it was not executed, so sending it again is no repetition
            waiting = self._memory.withdraw(message_id)
        if isinstance(waiting, asyncio.Future) and not waiting.done():
            waiting.set_result(answer)

    async def accept(self, envelope: Envelope, keep: bool, attachments: Sequence[Any]) -> Envelope:
        """Take one message and answer before it is worked on."""
        try:
            bodies.check(envelope)
            self._guard.check(envelope)
            self._admission.check(self._blueprint.agent_id, waiting=len(self._background))
        except AgentActorsError as fault:
            return self._refusal(envelope, fault)
        task = self._loop.create_task(self._work_later(envelope, keep, attachments))
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return self._answer(envelope, MessageType.STATUS, Body(status=TaskState.ACCEPTED.value))

    async def frames(
        self, envelope: Envelope, window: int, attachments: Sequence[Any]
    ) -> AsyncGenerator[StreamFrame, None]:
        """Answer one message by frames: items and progress, at most ``window`` unread, then the end.

        A message_id that comes twice is executed once, and its frames are not sent again.
        """
        bind_call(envelope.task_id, self._agent_id)
        try:
            bodies.check(envelope)
            if self._memory.begin(envelope.message_id, time.monotonic()) is not None:
                raise _answered_before()
        except AgentActorsError as fault:
            yield StreamFrame(END, self._refusal(envelope, fault))
            return
        task = asyncio.current_task()
        assert task is not None
        self._running[envelope.message_id] = task
        outflow = self._outflows[envelope.message_id] = Outflow(window)
        try:
            work = await self._begin(envelope, attachments, on_progress=outflow.note)
            make = self._streamed if work.spec.kind.streams else self._single
            async with aclosing(outflow.frames(make(envelope, work))) as frames:
                async for frame in frames:
                    yield frame
        except AgentActorsError as fault:
            yield StreamFrame(END, self._refusal(envelope, fault))
        finally:
            del self._outflows[envelope.message_id]
            self._running.pop(envelope.message_id, None)
            waiting = self._memory.end(envelope.message_id, None, time.monotonic())
            if isinstance(waiting, asyncio.Future) and not waiting.done():
                waiting.set_exception(_answered_before())

    def saw(self, epoch: int) -> None:
        """Ask only routers that know the registry's change ``epoch``; may be called from another thread."""
        self._resolver.min_epoch = max(self._resolver.min_epoch, epoch)

    def grant(self, message_id: str, count: int) -> None:
        """Let a stream be ``count`` frames further ahead of its consumer."""
        outflow = self._outflows.get(message_id)
        if outflow is not None:
            outflow.grant(count)

    def hold(self, key: str, carried: tuple[Any, ...], size_bytes: int | None) -> None:
        """Keep what is too large for a channel until its caller collects it."""
        self._outbox.put(key, carried, size_bytes or 0, time.monotonic())

    def collect(self, key: str) -> tuple[Any, ...]:
        """Hand over what is held; once.

        Raises:
            StateLost: It was collected before, or dropped.
        """
        return self._outbox.take(key, time.monotonic())

    def cancel(self, message_id: str) -> None:
        """Cancel what runs for a message."""
        task = self._running.get(message_id)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Stop background work and let the agent give back what it holds."""
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._transport.close()
        await self._agents.close()
        self._execution.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _again(self, seen: Seen[asyncio.Future[bytes] | bytes]) -> bytes:
        """A message that is here already: wait for the first one's answer. Only a repetition makes a future."""
        if isinstance(seen.outcome, bytes):
            return seen.outcome
        if seen.ended:
            raise _answered_before()
        if seen.outcome is None:
            seen.outcome = self._loop.create_future()
        return await asyncio.shield(seen.outcome)

    async def _work_later(self, envelope: Envelope, keep: bool, attachments: Sequence[Any]) -> None:
        data, payload = await self.deliver(envelope, False, attachments)
        answer = wire.decode(data)
        if answer.body.error is not None:
            _LOG.warning("told_work_failed", capability=envelope.body.action, error=answer.body.error.code)
        if keep:
            if payload is not None:
                fault = StateLost("A result that is kept for later has to be plain data under the inline limit.")
                answer = self._refusal(envelope, fault)
            try:
                await self._recall.keep_result(envelope, answer)
            except AgentActorsError as fault:
                _LOG.error("result_not_kept", capability=envelope.body.action, code=fault.code, reason=fault.message)

    def _converse(self, envelope: Envelope) -> Envelope:
        """Answer what is no action: greeting, query, task, cancel."""
        kind = envelope.message_type
        declaration = self._blueprint.spec.declaration
        if kind is MessageType.TASK_REQUEST:
            self._guard.check_caller(envelope)
            return self._answer(envelope, MessageType.TASK_ACCEPT, Body(status=TaskState.ACCEPTED.value))
        if kind is MessageType.CANCEL:
            self.cancel(envelope.correlation_id or "")
            return self._answer(envelope, MessageType.STATUS, Body(status=TaskState.CANCELLED.value))
        if kind is MessageType.CAPABILITY_QUERY:
            self._guard.check_caller(envelope)
            found = declaration.capability(str((envelope.body.parameters or {})["capability"]))
            result = found.model_dump(mode="json") if found else None
            return self._answer(envelope, MessageType.STATUS, Body(status=TaskState.SUCCEEDED.value, result=result))
        role = declaration.role.value if declaration.role else None
        result = {"agent": declaration.agent_id, "role": role, "capabilities": list(declaration.capability_ids)}
        return self._answer(envelope, MessageType.STATUS, Body(status=TaskState.SUCCEEDED.value, result=result))

    async def _action(self, envelope: Envelope, want_ref: bool, attachments: Sequence[Any]) -> tuple[Envelope, Any]:
        try:
            work = await self._begin(envelope, attachments, on_progress=None)
        except AgentActorsError as fault:
            return self._refusal(envelope, fault), None
        try:
            return await self._run(envelope, work, want_ref)
        except AgentActorsError as fault:
            return self._failure(envelope, fault, work), None

    async def _begin(self, envelope: Envelope, attachments: Sequence[Any], *, on_progress: Any) -> Work:
        """Everything that can refuse a message before its handler is called."""
        now = time.time()
        deadline = envelope.deadline or now + self._settings.default_timeout_s
        if deadline <= now:
            raise DeadlineExceeded(f"{envelope.body.action} arrived after its deadline.", {"started": False})
        spec = self._guard.check(envelope)
        agent = self._agents.get(envelope.key)
        if agent is None:  # not its truth: an agent may have a length, and that may be 0
            agent = await self._agents.make(envelope.key)
        values = unpack(envelope.body.parameters or {}, attachments)
        if spec.takes_query and envelope.body.query:
            values.setdefault(spec.takes_query, envelope.body.query)
        work = Work(agent, spec, self._guard.compiled(spec).parameters(values), deadline, None)
        if spec.context_parameter:
            work.context = HostContext(
                envelope,
                agent_id=self._agent_id,
                chain=Chain.nested(
                    envelope,
                    deadline=deadline,
                    tenant=self._blueprint.owner,
                    role=self._guard.own_role,
                    has_memory=envelope.has_memory,
                ),
                memory=await self._recall.load(envelope, deadline),
                reach=self._reach,
                flush=self._recall.store,
                on_progress=on_progress,
                loop=self._loop,
            )
        return work

    async def _run(self, envelope: Envelope, work: Work, want_ref: bool) -> tuple[Envelope, Any]:
        task = asyncio.current_task()
        assert task is not None
        self._running[envelope.message_id] = task
        compiled = self._guard.compiled(work.spec)
        try:
            if work.spec.kind.streams:
                async with aclosing(self._execution.items(work)) as items:
                    value = [compiled.result(item) async for item in items]
            else:
                value = compiled.result(await self._execution.run(work))
            if work.context is not None:
                await self._recall.store(work.context)
        finally:
            del self._running[envelope.message_id]
        if want_ref:
            attachment, kind, size_bytes = attach(value)
            described = {"kind": kind.value, "size_bytes": size_bytes}
            return self._success(envelope, described, work), attachment
        result, attachments = pack_result(value, inline_limit_bytes=self._settings.inline_limit_bytes, ref=self._no_ref)
        return self._success(envelope, result, work), tuple(attachments) if attachments else None

    async def _streamed(self, envelope: Envelope, work: Work) -> AsyncGenerator[StreamFrame, None]:
        compiled = self._guard.compiled(work.spec)
        limit_bytes = self._settings.inline_limit_bytes
        try:
            async with aclosing(self._execution.items(work)) as items:
                async for item in items:
                    result, attachments = pack_result(
                        compiled.result(item), inline_limit_bytes=limit_bytes, ref=self._no_ref
                    )
                    yield StreamFrame(ITEM, result, tuple(attachments))
            if work.context is not None:
                await self._recall.store(work.context)
        except AgentActorsError as fault:
            yield StreamFrame(END, self._failure(envelope, fault, work))
        else:
            yield StreamFrame(END, self._success(envelope, None, work))

    async def _single(self, envelope: Envelope, work: Work) -> AsyncGenerator[StreamFrame, None]:
        try:
            answer, carried = await self._run(envelope, work, want_ref=False)
        except AgentActorsError as fault:
            yield StreamFrame(END, self._failure(envelope, fault, work))
        else:
            yield StreamFrame(END, answer, carried or ())

    def _no_ref(self, state: StateRef) -> Any:
        return self._custody.ref(state)

    def _success(self, envelope: Envelope, result: Any, work: Work) -> Envelope:
        has_memory = envelope.has_memory if work.context is None else work.context.has_memory
        return bodies.action_result(envelope, result=result, timestamp=time.time(), has_memory=has_memory)

    def _failure(self, envelope: Envelope, fault: AgentActorsError, work: Work) -> Envelope:
        """The handler failed, or found no slot."""
        if fault.details.get("started") is False:
            return self._refusal(envelope, fault)
        _LOG.info("action_failed", capability=envelope.body.action, code=fault.code, reason=fault.message)
        has_memory = envelope.has_memory if work.context is None else work.context.has_memory
        return bodies.action_result(envelope, error=fault, timestamp=time.time(), has_memory=has_memory)

    def _refusal(self, envelope: Envelope, fault: AgentActorsError) -> Envelope:
        """The message was not executed."""
        _LOG.info("message_refused", action=envelope.body.action, code=fault.code, reason=fault.message)
        return bodies.error(envelope, fault, timestamp=time.time())

    def _encoded(self, envelope: Envelope, answer: Envelope, payload: Any) -> Answered:
        """Encode an answer; a result that holds something else than plain data is answered by an error."""
        try:
            return wire.encode(answer), payload
        except InvalidMessage as fault:
            return wire.encode(self._refusal(envelope, fault)), None

    def _handed_over(self, envelope: Envelope) -> Envelope:
        fault = StateLost(f"{envelope.body.action} was answered before; its large result belongs to who asked first.")
        return self._refusal(envelope, fault)

    @staticmethod
    def _answer(envelope: Envelope, kind: MessageType, body: Body) -> Envelope:
        return envelope.answer(message_id=new_message_id(), message_type=kind, timestamp=time.time(), body=body)


def _answered_before() -> StateLost:
    return StateLost("This message was executed before, and its answer is not kept any more.")
