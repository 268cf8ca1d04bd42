"""The system as one object: start or attach, spawn, ask."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from agentactors.agents.agent import Agent
from agentactors.agents.spec import derive_spec
from agentactors.config import Settings
from agentactors.errors import AgentActorsError, DeadlineExceeded, InputInvalid
from agentactors.protocol import wire
from agentactors.protocol.state import StateRef
from agentactors.protocol.stream import ItemStream
from agentactors.protocol.task import Result, ResultStatus, Task
from agentactors.runtime import names
from agentactors.runtime.chain import Call, Chain
from agentactors.runtime.reach import Progress
from agentactors.system import fleet, life
from agentactors.system.chain import OpenChain
from agentactors.system.cluster import LOCAL
from agentactors.system.fleet import Spawned
from agentactors.system.life import Opening, Parts, StartOptions
from agentactors.system.placement import Resources

_COLLECT_S: Final = 5.0


class AgentSystem:
    """A running system: its agents, and the way to them.

    Make one with :meth:`start` or :meth:`attach`; both can be awaited or entered::

        async with AgentSystem.start() as system:
            await system.spawn(Poet)
            result = await system.ask("poetry.create", {"theme": "autumn"})

    All methods belong to the event loop that made the system.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._closed = False

    # Life

    @classmethod
    def start(
        cls,
        name: str | None = None,
        *,
        address: str = LOCAL,
        tenant: str = "default",
        role: str = "user",
        detached: bool = False,
        num_cpus: int | None = None,
        object_store_bytes: int | None = None,
        settings: Settings | None = None,
    ) -> Opening[AgentSystem]:
        """Start a system: registry, router and journal as Ray actors.

        Args:
            name: How others attach to it; by default a name of its own.
            address: ``local`` starts a private Ray, ``auto`` joins the cluster on this machine.
            tenant: Whose requests this object makes, and who owns the agents it spawns.
            role: The caller's role within the tenant.
            detached: The system outlives this process; end it with ``shutdown(everything=True)``.
            num_cpus: CPUs that a private Ray may hand out.
            object_store_bytes: Size of a private Ray's object store.
            settings: Everything else; by default from environment and file.

        Raises:
            ConfigInvalid, SystemNotFound: Settings are wrong; there is no cluster at ``address``.
            StartTimeout: A system actor did not start.

        Cost:
            3-8 s for a private Ray, about 1 s on a running one.
        """
        options = StartOptions(name, address, tenant, role, detached, num_cpus, object_store_bytes, settings)

        async def opening() -> AgentSystem:
            return cls(await life.start(options))

        return Opening(opening)

    @classmethod
    def attach(
        cls, name: str | None = None, *, tenant: str = "default", role: str = "user", settings: Settings | None = None
    ) -> Opening[AgentSystem]:
        """Join a system that another process of this machine has started.

        Args:
            name: Its name; without it, the only one that runs.
            tenant: Whose requests this object makes.
            role: The caller's role within the tenant.
            settings: By default from environment and file.

        Raises:
            SystemNotFound: No such system runs; names that look alike are in ``details.nearest``.
        """

        async def opening() -> AgentSystem:
            return cls(await life.attach(name, tenant=tenant, role=role, settings=settings))

        return Opening(opening)

    async def shutdown(self, *, everything: bool = False) -> None:
        """Leave the system; end it when this process started it and it is not detached.

        Agents get ``shutdown_timeout_s`` for ``on_stop``. Afterwards no actor, process, object or file of the
        system is left. A second call does nothing.

        Args:
            everything: End the system also when it is detached or was attached to.
        """
        if not self._closed:
            self._closed = True
            await life.leave(self._parts, everything=everything)

    # Agents

    async def spawn(
        self,
        cls: type[Agent],
        *arguments: Any,
        agent_id: str | None = None,
        replicas: int = 1,
        resources: Resources | None = None,
        num_cpus: float = 0.0,
        num_gpus: float = 0.0,
        packed: bool = False,
        **keywords: Any,
    ) -> Spawned:
        """Run an agent: each replica as a Ray actor of its own, registered and routable when this returns.

        Packed, each replica is a host for many agents of the class: a call names one by ``key``, and it is
        made, with the same arguments, when the first call for its key arrives. Of the replicas one has a key
        (rendezvous hashing); when it dies, its keys move to the others, whose agents begin afresh.

        Args:
            cls: The agent class; it may be defined in the script that runs.
            *arguments: For its constructor.
            agent_id: Overrides the class's own id.
            replicas: How many; with two or more nodes they lie on different ones.
            resources: What each replica needs, in full; or only
            num_cpus: CPUs to reserve, and
            num_gpus: GPUs to reserve.
            packed: Many light agents in one process (microseconds and kilobytes each, for thousands).
            **keywords: For its constructor.

        Raises:
            InputInvalid: The class is no agent, or lacks types.
            RegistrationRefused, RoleCapabilityMismatch: The registry refuses the declaration.
            StartTimeout: The resources cannot be had, or it took too long; wanted and available are named.
            AgentFailed: Its constructor or ``on_start`` raised.

        Cost:
            0.3-1 s a replica; replicas start side by side.
        """
        return await fleet.spawn(
            self._parts,
            derive_spec(cls, agent_id=agent_id),
            arguments=arguments,
            keywords=keywords,
            replicas=replicas,
            resources=resources or Resources(num_cpus=num_cpus, num_gpus=num_gpus),
            packed=packed,
        )

    async def stop(self, agent_id: str, *, replica_id: str | None = None) -> int:
        """End an agent, or one replica of it: deregistered first, so that nobody is sent there any more.

        Returns:
            How many replicas were ended.

        Raises:
            NoReachableAgent: This tenant has no such agent.
        """
        return await fleet.stop(self._parts, agent_id, replica_id)

    async def agents(self) -> list[dict[str, Any]]:
        """Return every replica that this tenant and role may see, with status, load and cause."""
        return await fleet.visible(self._parts)

    # Calls

    async def ask(
        self,
        capability: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        agent_id: str | None = None,
        version: str = "",
        key: str = "",
        context_refer: str | None = None,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
    ) -> Result:
        """Call a capability and wait for its result.

        At most once, unless the capability is declared idempotent. When this coroutine is cancelled or the
        time is over, the work in the agent, and in whatever it called, is stopped.

        Args:
            capability: The capability id.
            parameters: Its parameters; arrays, Arrow tables, bytes and state refs travel through plasma.
            query: The request in words, for agents that take it.
            agent_id: Only this agent will do.
            version: Only versions in this range, such as ``>=1.0,<2.0``.
            key: Which agent of a packed host, up to 256 characters; elsewhere calls with one key go to one
                replica as long as it is active.
            context_refer: request_id of an earlier request whose conclusions the agent may read.
            timeout_s: Seconds for the whole chain; by default ``default_timeout_s``.
            on_progress: Gets the notes of ``ctx.progress`` while the work runs.

        Returns:
            The result; ``data`` is what the agent returned.

        Raises:
            NoReachableAgent: Nobody serves it; says which check failed.
            InvalidParameters: Before any agent is called; names them.
            DeadlineExceeded, AgentUnavailable, Overloaded, AgentFailed and others: see the error table.
        """
        chain = self._chain(timeout_s, context_refer)
        call = Call(capability, parameters or {}, query, agent_id, version, key)
        return (await self._parts.reach.ask(chain, call, on_progress=on_progress)).result

    async def submit_task(self, task: Task | Mapping[str, Any]) -> Result:
        """Serve a task; every failure is a result with ``status`` failed, none is raised.

        Raises:
            InputInvalid: ``task`` is none, or asks for what this version does not do (``allow_queue``,
                ``idempotency_key``).
        """
        task = _task(task)
        unserved = next((name for name in ("allow_queue", "idempotency_key") if getattr(task, name)), None)
        if unserved is not None:
            raise InputInvalid(f"{unserved} is not served by this version: leave it out.", {"field": unserved})
        timeout_s = None if task.deadline is None else max(0.0, task.deadline - time.time())
        chain = self._chain(timeout_s, task.context_refer)
        call = Call(task.capability, task.input, task.query)
        try:
            return (await self._parts.reach.ask(chain, call)).result
        except AgentActorsError as fault:
            return Result.failed(chain.request_id, fault)

    async def ask_ref(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> StateRef:
        """Call a capability and keep its result in the object store; this process owns it, not the agent.

        Raises:
            AgentActorsError: As :meth:`ask`.
        """
        return await self._parts.reach.ask_ref(
            self._chain(timeout_s), Call(capability, parameters or {}, agent_id=agent_id)
        )

    async def tell(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        key: str = "",
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> str:
        """Hand a call over and return once a replica has taken it; its result is dropped.

        Returns:
            The request_id.

        Raises:
            AgentActorsError: It was not taken.
        """
        return await self._hand_over(
            Call(capability, parameters or {}, query, agent_id, key=key), timeout_s, keep=False
        )

    async def submit(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        key: str = "",
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> str:
        """Hand a call over and collect its result later, from any process: :meth:`result`.

        Returns:
            The request_id.

        Raises:
            AgentActorsError: It was not taken.
        """
        return await self._hand_over(Call(capability, parameters or {}, query, agent_id, key=key), timeout_s, keep=True)

    async def result(self, request_id: str, *, timeout_s: float | None = None) -> Result:
        """Collect the result of a submitted call; it stays collectable for ``result_ttl_s``.

        Raises:
            DeadlineExceeded: It is not there yet, or there is none of that id; nothing else has happened.
        """
        deadline = time.time() + (self._parts.settings.default_timeout_s if timeout_s is None else timeout_s)
        while True:
            left_s = deadline - time.time()
            data = await self._parts.actors.call(
                names.JOURNAL,
                "get_result",
                request_id,
                self._parts.tenant,
                min(_COLLECT_S, max(0.0, left_s)),
                deadline=max(deadline, time.time()) + _COLLECT_S,
            )
            if data is not None:
                return _collected(request_id, data)
            if left_s <= 0:
                raise DeadlineExceeded(f"There is no result of {request_id} yet.", {"request_id": request_id})

    @asynccontextmanager
    async def stream(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        key: str = "",
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> AsyncIterator[ItemStream]:
        """Open a stream of what a capability yields; leaving the block stops the producer within a second.

        At most ``stream_buffer_items`` items are produced ahead of the consumer.

        Raises:
            AgentActorsError: On entering, or while iterating, in its place in the order.
        """
        call = Call(capability, parameters or {}, query, agent_id, key=key)
        async with self._parts.reach.stream(self._chain(timeout_s), call) as stream:
            yield stream

    def open_chain(self, *, timeout_s: float | None = None) -> OpenChain:
        """Begin a chain of several calls: one request_id, one deadline, one memory, a record of every message."""
        return OpenChain(self._chain(timeout_s), self._parts.reach)

    # Large values

    def put(self, value: Any) -> StateRef:
        """Store a numpy array, Arrow table, bytes or plain data in plasma, once; this process owns it."""
        return self._parts.custody.put(value)

    async def read(self, ref: StateRef, *, timeout_s: float | None = None) -> Any:
        """Return the value of a state ref that this process owns: read-only, zero-copy.

        Raises:
            StateLost: It was released, or is another process's.
            DeadlineExceeded: It did not arrive in time.
        """
        timeout_s = self._parts.settings.default_timeout_s if timeout_s is None else timeout_s
        return await self._parts.custody.read(ref, deadline=time.time() + timeout_s)

    def release(self, ref: StateRef) -> bool:
        """Give a value up; say whether it was held."""
        return self._parts.custody.release(ref)

    # What others ask of it

    @property
    def name(self) -> str:
        """How others attach to it."""
        return self._parts.record.name

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._parts.settings

    @property
    def namespace(self) -> str:
        """The Ray namespace that the system's actors live in."""
        return self._parts.record.namespace

    @property
    def data_dir(self) -> Path:
        """Where its databases are."""
        return Path(self._parts.record.data_dir)

    async def ping(self, actor: str, *, timeout_s: float) -> None:
        """Wait until one of the system's own actors (registry, router, journal) answers; raises when it does not."""
        await self._parts.actors.call(actor, "ping", deadline=time.time() + timeout_s)

    async def describe(self, endpoint: str) -> dict[str, Any]:
        """Return what one replica says about itself: incarnation, pid, lag, counters."""
        described: dict[str, Any] = await self._parts.actors.call(
            endpoint, "describe", deadline=time.time() + self._parts.settings.default_timeout_s
        )
        return described

    async def update_capabilities(self, agent_id: str, capabilities: list[Any]) -> tuple[str, ...]:
        """Replace what an agent declares, while it runs; routers follow at once.

        Returns:
            Warnings about the new declaration.

        Raises:
            RegistrationRefused: This tenant has no such agent, or the declaration breaks its schema.
        """
        warnings, epoch = await self._parts.registry("update_capability", agent_id, capabilities, self._parts.tenant)
        self._parts.saw(epoch)
        return tuple(warnings)

    async def _hand_over(self, call: Call, timeout_s: float | None, *, keep: bool) -> str:
        chain = self._chain(timeout_s)
        await self._parts.reach.send(chain, call, keep=keep)
        return chain.request_id

    def _chain(self, timeout_s: float | None, context_refer: str | None = None) -> Chain:
        parts = self._parts
        if self._closed:
            raise InputInvalid("This system has been shut down.")
        timeout_s = parts.settings.default_timeout_s if timeout_s is None else timeout_s
        return Chain.begin(
            tenant=parts.tenant,
            role=parts.role,
            timeout_s=timeout_s,
            context_refer=context_refer,
        )


def _task(task: Task | Mapping[str, Any]) -> Task:
    if isinstance(task, Task):
        return task
    try:
        return Task.model_validate(dict(task))
    except ValueError as fault:
        raise InputInvalid(
            f"This is no task: {str(fault).splitlines()[-2].strip() if str(fault) else fault}."
        ) from None


def _collected(request_id: str, data: bytes) -> Result:
    envelope = wire.decode(data)
    if envelope.body.error is not None:
        fault = AgentActorsError.from_wire(msgspec.to_builtins(envelope.body.error))
        return Result.failed(request_id, fault, agent_id=envelope.sender)
    return Result(
        request_id=request_id, status=ResultStatus.SUCCESS, agent_id=envelope.sender, data=envelope.body.result
    )
