"""Starting actors: create under a name, wait until they answer, say what was missing when they do not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import ray
from ray.exceptions import ActorUnschedulableError, RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from agentactors.actors.blueprint import Blueprint
from agentactors.actors.host import RAY_CONCURRENCY, host_class
from agentactors.actors.journal import JournalActor
from agentactors.actors.registry import RegistryActor
from agentactors.actors.router import RouterActor
from agentactors.config import Settings
from agentactors.errors import AgentUnavailable, DependencyNotReady, InputInvalid, StartTimeout
from agentactors.registry.row import Registration
from agentactors.runtime import names
from agentactors.runtime.translate import translate
from agentactors.system.cluster import kill
from agentactors.system.placement import Resources, actor_options, living_nodes

_PING_PAUSE_S: Final = 0.1


async def launch_system_actors(
    wanted: Iterable[str], *, namespace: str, settings: Settings, data_dir: Path, detached: bool
) -> dict[str, Any]:
    """Create system actors where they are missing, and wait until each answers.

    A name that is taken is not trusted: its actor may be dying (Ray returned a dead actor in 2 of 60 tries), so
    it has to answer a ping. They are pinned to this node, where their databases are.

    Returns:
        The handles: an actor that is not detached lives as long as its creator holds its handle.

    Raises:
        StartTimeout: One did not answer within ``start_timeout_s``.
    """
    here = NodeAffinitySchedulingStrategy(node_id=ray.get_runtime_context().get_node_id(), soft=False)
    constructors: Mapping[str, tuple[type, tuple[Any, ...]]] = {
        names.REGISTRY: (RegistryActor, (settings, f"sqlite:///{data_dir / 'registry.db'}")),
        names.JOURNAL: (JournalActor, (settings, f"sqlite:///{data_dir / 'journal.db'}")),
        names.ROUTER: (RouterActor, (settings, namespace)),
    }
    handles: dict[str, Any] = {}
    for name in wanted:
        cls, arguments = constructors[name]
        options = {
            "name": name,
            "namespace": namespace,
            "lifetime": "detached" if detached else None,
            "max_restarts": -1,
            "max_task_retries": 0,
            "max_concurrency": RAY_CONCURRENCY,
            "num_cpus": 0,
            "scheduling_strategy": here,
            "get_if_exists": True,
        }
        handles[name] = ray.remote(cls).options(**options).remote(*arguments)
    deadline = time.time() + settings.start_timeout_s
    await asyncio.gather(*(_answering(name, handle, deadline) for name, handle in handles.items()))
    return handles


async def _answering(name: str, handle: Any, deadline: float) -> None:
    while True:
        try:
            async with asyncio.timeout(max(0.0, deadline - time.time())):
                await handle.ping.remote()
        except TimeoutError:
            raise StartTimeout(f"The {name} actor did not start in time.", {"actor": name}) from None
        except RayError as fault:
            error = translate(fault, target=name)
            # The router says "not ready" while the registry still starts: on a busy machine, many times.
            if not isinstance(error, AgentUnavailable | DependencyNotReady):
                raise error from fault
            await asyncio.sleep(_PING_PAUSE_S)
        else:
            return


async def launch_host(
    blueprint: Blueprint, *, resources: Resources, node_id: str | None, detached: bool, growing: bool
) -> tuple[Any, Registration]:
    """Create one replica and wait until it is registered; nothing is left of one that does not get there.

    Args:
        blueprint: The replica.
        resources: What it needs.
        node_id: Where it should run, None for anywhere.
        detached: Whether it outlives this process.
        growing: Whether nodes may be added while this waits; if not, what no node has is refused at once.

    Returns:
        Its handle, which its creator has to hold, and what the registry answered.

    Raises:
        InputInvalid: There is a replica of that name.
        StartTimeout: It did not start in time, or never can; wanted and available resources are named.
        AgentFailed: Its constructor or ``on_start`` raised.
        RegistrationRefused, RoleCapabilityMismatch: The registry refused it.
    """
    settings = blueprint.settings
    if not growing:
        _check_feasible(blueprint, resources)
    options = {
        "name": blueprint.endpoint,
        "namespace": blueprint.namespace,
        "lifetime": "detached" if detached else None,
        "max_restarts": settings.max_restarts,
        "max_task_retries": 0,
        "max_concurrency": RAY_CONCURRENCY,
        **actor_options(resources, node_id),
    }
    try:
        handle = host_class().options(**options).remote(blueprint)
    except ValueError:
        raise InputInvalid(f"{blueprint.endpoint} runs already in system {blueprint.system}.") from None
    try:
        async with asyncio.timeout(settings.start_timeout_s):
            registration: Registration = await handle.ready.remote()
    except (TimeoutError, ActorUnschedulableError):
        kill(handle)
        raise _start_timeout(blueprint, resources) from None
    except RayError as fault:
        kill(handle)
        raise translate(fault, target=blueprint.endpoint) from fault
    except asyncio.CancelledError:
        kill(handle)
        raise
    return handle, registration


def _check_feasible(blueprint: Blueprint, resources: Resources) -> None:
    if not any(node.could_hold(resources.wanted) for node in living_nodes()):
        raise _start_timeout(blueprint, resources)


def _start_timeout(blueprint: Blueprint, resources: Resources) -> StartTimeout:
    wanted = {name: amount for name, amount in resources.wanted.items() if amount}
    names_ = {"CPU", "GPU", *wanted}
    available = {name: amount for name, amount in sorted(ray.available_resources().items()) if name in names_}
    total = {name: amount for name, amount in sorted(ray.cluster_resources().items()) if name in names_}
    where = f" on node {resources.node_id}" if resources.node_id else ""
    return StartTimeout(
        f"{blueprint.endpoint} could not start: it wants {_shown(wanted)}{where}, and the cluster has "
        f"{_shown(available)} free of {_shown(total)}.",
        {"wanted": wanted, "available": available, "total": total},
    )


def _shown(amounts: Mapping[str, float]) -> str:
    return ", ".join(f"{amount:g} {name}" for name, amount in amounts.items()) or "nothing"
