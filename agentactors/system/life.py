"""The life of a system: started or joined, and ended so that nothing of it is left."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import shutil
import time
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Protocol, TypeVar

import ray
from ray.util import list_named_actors

from agentactors.config import Settings, load_settings
from agentactors.errors import AgentActorsError, InputInvalid
from agentactors.logs import configure_logs, get_logger
from agentactors.runtime import names
from agentactors.runtime.channel_server import socket_folder
from agentactors.runtime.channel_transport import ChannelTransport
from agentactors.runtime.custody import Custody
from agentactors.runtime.reach import Reach
from agentactors.runtime.resolver import Resolver
from agentactors.runtime.system_actors import SystemActors
from agentactors.runtime.transport import RayCallTransport
from agentactors.system.cluster import Connection, connect, disconnect, kill
from agentactors.system.records import Records, SystemRecord

_LOG = get_logger(__name__)
_NUMBER: Final = itertools.count(1)
_JOURNAL_AFTER_S: Final = 10.0


@dataclass(slots=True)
class Parts:
    """Everything that one process holds of a system."""

    record: SystemRecord
    settings: Settings
    connection: Connection
    tenant: str
    role: str
    owned: bool
    """Whether this process started it."""
    actors: SystemActors
    resolver: Resolver
    custody: Custody
    reach: Reach
    transport: ChannelTransport
    spawning: int = 0
    """Spawns under way."""
    spawned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when agents have been spawned and none is under way."""
    later: asyncio.Task[None] | None = None
    """Brings up what the start did not wait for."""
    held: dict[str, Any] = field(default_factory=dict)
    """Handles by actor name: an actor that is not detached lives as long as its creator holds one."""

    def saw(self, epoch: int) -> None:
        """Make sure that later resolutions know the registry's change ``epoch``: reading one's own writes."""
        self.resolver.min_epoch = max(self.resolver.min_epoch, epoch)
        self.resolver.forget()

    async def registry(self, method: str, *arguments: Any) -> Any:
        """Call the registry."""
        deadline = time.time() + self.settings.default_timeout_s
        return await self.actors.call(names.REGISTRY, method, *arguments, deadline=deadline)


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What :meth:`AgentSystem.start` was given."""

    name: str | None
    address: str
    tenant: str
    role: str
    detached: bool
    num_cpus: int | None
    object_store_bytes: int | None
    settings: Settings | None


async def start(options: StartOptions) -> Parts:
    """Start a system; what was begun is undone when a part fails. See :meth:`AgentSystem.start`."""
    settings = options.settings or load_settings()
    configure_logs(settings.log_level)
    name = options.name or f"system-{os.getpid()}-{next(_NUMBER)}"
    namespace = names.namespace(name)
    records = Records(settings.state_dir)
    if any(record.name == name for record in records.all()):
        raise InputInvalid(f"A system {name!r} runs already on this machine: attach to it, or choose another name.")
    connecting = asyncio.to_thread(
        connect,
        options.address,
        num_cpus=options.num_cpus,
        object_store_bytes=options.object_store_bytes,
        worker_logs=settings.worker_logs,
    )
    # What the actors are made of is loaded while Ray starts, which leaves this process idle for seconds.
    connection, _ = await asyncio.gather(connecting, asyncio.to_thread(import_module, "agentactors.system.launch"))
    data_dir = records.data_dir(name, detached=options.detached)
    record = SystemRecord(
        name,
        connection.address,
        namespace,
        os.getpid(),
        time.time(),
        options.detached,
        str(data_dir),
        connection.token_auth,
        secrets.token_hex(32),
    )
    parts = _parts(record, settings, connection, options.tenant, options.role, owned=True)
    try:
        parts.held.update(await _launch(parts, (names.REGISTRY, names.ROUTER)))
    except BaseException:
        await asyncio.shield(_end(parts))
        records.remove(record)
        disconnect(connection)
        raise
    records.write(record)
    # Nobody asks the journal before a chain has memory: it does not hold up the start, nor the first agents'.
    parts.later = asyncio.create_task(_launch_journal(parts))
    return parts


async def attach(name: str | None, *, tenant: str, role: str, settings: Settings | None) -> Parts:
    """Join a system that another process started. See :meth:`AgentSystem.attach`."""
    settings = settings or load_settings()
    configure_logs(settings.log_level)
    record = Records(settings.state_dir).find(name)
    connection = await asyncio.to_thread(
        connect,
        record.address,
        num_cpus=None,
        object_store_bytes=None,
        worker_logs=settings.worker_logs,
        token_auth=record.token_auth,
    )
    parts = _parts(record, settings, connection, tenant, role, owned=False)
    try:
        parts.saw(await parts.registry("epoch"))  # whoever joins finds all who were there before
    except AgentActorsError:
        disconnect(connection)
        raise
    return parts


async def leave(parts: Parts, *, everything: bool) -> None:
    """Leave a system, and end it when this process started it for itself or ``everything`` is asked for."""
    ends = everything or (parts.owned and not parts.record.detached)
    if parts.later is not None:
        if not ends:
            parts.spawned.set()  # a system that goes on without this process has to be complete
            await parts.later
        parts.later.cancel()
        await asyncio.wait({parts.later})
    parts.custody.clear()
    await parts.transport.close()
    if ends:
        await _end(parts)
        shutil.rmtree(socket_folder(bytes.fromhex(parts.record.secret)), ignore_errors=True)
    parts.held.clear()
    if ends:
        Records(parts.settings.state_dir).remove(parts.record)
    await asyncio.to_thread(disconnect, parts.connection)


async def withdraw_host(parts: Parts, endpoint: str) -> None:
    """Keep a replica from registering again; one that does not answer is ended all the same."""
    with contextlib.suppress(AgentActorsError):
        await parts.actors.call(endpoint, "withdraw", deadline=time.time() + parts.settings.shutdown_timeout_s)


async def stop_host(parts: Parts, endpoint: str) -> None:
    """Let a replica give back what it holds, then end it."""
    timeout_s = parts.settings.shutdown_timeout_s
    with contextlib.suppress(AgentActorsError):  # killed next: what it could not give back goes with its process
        await parts.actors.call(endpoint, "stop", timeout_s, deadline=time.time() + timeout_s)
    await kill_named(parts, endpoint)


async def kill_named(parts: Parts, name: str) -> None:
    """End an actor of the system for good; one that is gone already is fine."""
    await asyncio.to_thread(_kill_named, name, parts.record.namespace)
    parts.held.pop(name, None)


def _kill_named(name: str, namespace: str) -> None:
    try:
        handle = ray.get_actor(name, namespace)
    except ValueError:
        return
    kill(handle)


async def _end(parts: Parts) -> None:
    """End every actor in the system's namespace: agents first, the registry last."""
    everywhere = await asyncio.to_thread(list_named_actors, all_namespaces=True)
    mine = [one["name"] for one in everywhere if one["namespace"] == parts.record.namespace]
    await asyncio.gather(*(stop_host(parts, name) for name in mine if name.startswith("agent/")))
    for name in (names.ROUTER, names.JOURNAL, names.REGISTRY):
        await kill_named(parts, name)


async def _launch(parts: Parts, wanted: Iterable[str]) -> dict[str, Any]:
    record = parts.record
    from agentactors.system.launch import launch_system_actors  # noqa: PLC0415 - see start

    return await launch_system_actors(
        wanted,
        namespace=record.namespace,
        settings=parts.settings,
        data_dir=Path(record.data_dir),
        detached=record.detached,
    )


async def _launch_journal(parts: Parts) -> None:
    """Start the journal once the first agents are there, or after a while; calls to it wait until it answers."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_JOURNAL_AFTER_S):
            await parts.spawned.wait()
    try:
        parts.held.update(await _launch(parts, (names.JOURNAL,)))
    except AgentActorsError as fault:
        _LOG.error("journal_not_started", code=fault.code, reason=fault.message)


def _parts(
    record: SystemRecord, settings: Settings, connection: Connection, tenant: str, role: str, *, owned: bool
) -> Parts:
    ray_calls = RayCallTransport(record.namespace)
    actors = SystemActors(record.namespace, ray_calls)
    transport = ChannelTransport(
        ray_calls,
        secret=bytes.fromhex(record.secret),
        node_id=ray.get_runtime_context().get_node_id(),
        inline_limit_bytes=settings.inline_limit_bytes,
        enabled=settings.channel,
    )
    resolver = Resolver(actors)
    custody = Custody()
    reach = Reach(
        sender=f"driver-{os.getpid()}", settings=settings, transport=transport, resolver=resolver, custody=custody
    )
    return Parts(record, settings, connection, tenant, role, owned, actors, resolver, custody, reach, transport)


class Closable(Protocol):
    """What an :class:`Opening` opens."""

    async def shutdown(self) -> None:
        """End it."""


System = TypeVar("System", bound=Closable)


class Opening(AbstractAsyncContextManager[System], Generic[System]):
    """What ``start`` and ``attach`` return: await it, or enter it.

    Args:
        opening: Opens the system when it is called.
    """

    def __init__(self, opening: Callable[[], Awaitable[System]]) -> None:
        self._opening = opening
        self._system: System | None = None

    def __await__(self) -> Generator[Any, None, System]:
        """Open it; whoever awaits has to call ``shutdown``."""
        return self._opening().__await__()

    async def __aenter__(self) -> System:
        """Open it."""
        self._system = await self._opening()
        return self._system

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it, whatever happened in the block."""
        if self._system is not None:
            await self._system.shutdown()
