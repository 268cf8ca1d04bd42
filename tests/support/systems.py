"""Systems for tests: settings with short intervals, one system per module, and what must not be left of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import ray
from ray._private import state as ray_state
from ray.util import list_named_actors

from agentactors import AgentSystem, Settings
from agentactors.registry.row import ReplicaRow
from agentactors.routing.request import Target
from agentactors.runtime import names
from agentactors.runtime.channel_transport import ChannelTransport
from agentactors.runtime.system_actors import SystemActors
from agentactors.runtime.transport import RayCallTransport
from agentactors.system.records import Records
from tests.support.waiting import until

_QUICK: dict[str, Any] = {
    "heartbeat_interval_s": 0.5,
    "offline_after_s": 4.0,
    "idle_sweep_s": 0.2,
    "resolution_lease_s": 0.5,
    "start_timeout_s": 30.0,
    "default_timeout_s": 20.0,
    "shutdown_timeout_s": 3.0,
    "log_level": "ERROR",
}


def quick(state_dir: Path, **more: Any) -> Settings:
    """Return settings with intervals that suit a test."""
    return Settings(state_dir=state_dir, **{**_QUICK, **more})


@asynccontextmanager
async def running(state_dir: Path, **more: Any) -> AsyncIterator[AgentSystem]:
    """Run a system on the session's Ray; afterwards nothing of it may be left."""
    tasks, actors = set(asyncio.all_tasks()), living_actors()
    async with AgentSystem.start(settings=quick(state_dir, **more)) as system:
        namespace = system.namespace
        # The start does not wait for the journal; a test that counts actors does.
        await SystemActors(namespace).call(names.JOURNAL, "ping", deadline=time.time() + 20)
        yield system
    assert not named_actors(namespace)
    await gone_since(actors)
    assert not files(state_dir)
    await until(lambda: not pending_tasks(tasks), within_s=2, what="no task is left")


async def gone_since(before: Iterable[str]) -> None:
    """Wait until every actor that has come since ``before`` is dead."""
    known = set(before)
    left: dict[str, Any] = {}

    def none_left() -> bool:
        nonlocal left
        left = {key: a for key, a in ray_state.actors().items() if key not in known and a["State"] != "DEAD"}
        return not left

    try:
        await until(none_left, within_s=10)
    except AssertionError:
        raise AssertionError(f"actors are left: {left}") from None


def files(folder: Path) -> list[Path]:
    """Return every file below a folder."""
    return [path for path in folder.rglob("*") if path.is_file()]


def pending_tasks(before: set[asyncio.Task[Any]]) -> list[asyncio.Task[Any]]:
    """Return the tasks of this loop that have come since ``before``, without the one that asks."""
    return [task for task in asyncio.all_tasks() - before if task is not asyncio.current_task()]


def named_actors(namespace: str) -> set[str]:
    """Return the names of a namespace's actors."""
    return {one["name"] for one in list_named_actors(all_namespaces=True) if one["namespace"] == namespace}


def living_actors() -> dict[str, str]:
    """Return id and class of every actor that is not dead, as Ray's control service knows them."""
    return {key: str(a["ActorClassName"]) for key, a in ray_state.actors().items() if a["State"] != "DEAD"}


def living_since(before: Iterable[str]) -> dict[str, str]:
    """Return the actors that have come since and live."""
    known = set(before)
    return {key: name for key, name in living_actors().items() if key not in known}


async def pid_of(system: AgentSystem, agent_id: str, replica_id: str = "0") -> int:
    """Return the process id of one replica."""
    return int((await system.describe(names.host(agent_id, replica_id)))["pid"])


async def system_pid(system: AgentSystem, name: str) -> int:
    """Return the process id of a system actor."""
    handle = ray.get_actor(name, system.namespace)
    pid: int = await handle.__ray_call__.remote(_own_pid)
    return pid


def _own_pid(_actor: Any) -> int:
    return os.getpid()


def kill(pid: int) -> None:
    """Kill one process the hard way."""
    os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Stop a process for a while: it answers nothing and is not dead."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def lives(pid: int) -> bool:
    """Say whether a process runs and is no zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def ray_calls(system: AgentSystem) -> RayCallTransport:
    """Return Ray calls into a system."""
    return RayCallTransport(system.namespace)


@asynccontextmanager
async def sender(system: AgentSystem) -> AsyncIterator[ChannelTransport]:
    """Give a transport of its own into a system: what a caller sends below resolution and validation."""
    transport = ChannelTransport(
        ray_calls(system),
        secret=secret_of(system),
        node_id=ray.get_runtime_context().get_node_id(),
        inline_limit_bytes=system.settings.inline_limit_bytes,
        enabled=system.settings.channel,
    )
    try:
        yield transport
    finally:
        await transport.close()


def secret_of(system: AgentSystem) -> bytes:
    """Return what opens channels to a system's agents."""
    return bytes.fromhex(Records(system.settings.state_dir).find(system.name).secret)


async def target_of(system: AgentSystem, agent_id: str, replica_id: str = "0") -> Target:
    """Return where a replica is reached."""
    rows = msgspec.msgpack.decode(
        await SystemActors(system.namespace).call(names.REGISTRY, "rows", deadline=time.time() + 5),
        type=list[ReplicaRow],
    )
    row = next(one for one in rows if one.key == (agent_id, replica_id))
    return Target(agent_id, replica_id, row.incarnation, row.endpoint, node_id=row.node_id, channel=row.channel)


async def row_of(system: AgentSystem, agent_id: str, replica_id: str = "0") -> dict[str, Any]:
    """Return what the registry says of one replica."""
    rows = [row for row in await system.agents() if (row["agent_id"], row["replica_id"]) == (agent_id, replica_id)]
    return rows[0] if rows else {}
