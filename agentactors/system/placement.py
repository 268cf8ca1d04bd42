"""Where a replica goes: onto the node that has room and the fewest replicas of its agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from agentactors.errors import InputInvalid


@dataclass(frozen=True, slots=True)
class Resources:
    """What one replica needs.

    Args:
        num_cpus: CPUs to reserve; 0 suits agents that mostly wait.
        num_gpus: GPUs to reserve.
        custom: Further Ray resources by name.
        node_id: Only this node will do.
    """

    num_cpus: float = 0.0
    num_gpus: float = 0.0
    custom: Mapping[str, float] = field(default_factory=dict)
    node_id: str | None = None

    def __post_init__(self) -> None:
        """Refuse negative amounts."""
        for name, amount in self.wanted.items():
            if amount < 0:
                raise InputInvalid(f"{amount} of resource {name} is no amount.")

    @property
    def wanted(self) -> dict[str, float]:
        """Every resource by Ray's name for it."""
        return {"CPU": self.num_cpus, "GPU": self.num_gpus, **self.custom}


@dataclass(frozen=True, slots=True)
class Node:
    """One living node."""

    node_id: str
    total: Mapping[str, float]

    def could_hold(self, wanted: Mapping[str, float]) -> bool:
        """Say whether it has that much when it is empty."""
        return all(self.total.get(name, 0.0) >= amount for name, amount in wanted.items() if amount)


def living_nodes() -> list[Node]:
    """Return the cluster's living nodes, in a stable order. Cost: one call to Ray's control service, blocking."""
    nodes = [Node(node["NodeID"], node["Resources"]) for node in ray.nodes() if node["Alive"]]
    return sorted(nodes, key=lambda node: node.node_id)


def choose_node(nodes: Sequence[Node], resources: Resources, taken: Counter[str | None]) -> str | None:
    """Return the node for the next replica: among those that could hold it, the one with the fewest so far.

    Returns:
        None when no node could ever hold it, or when there is only one node to choose.
    """
    if resources.node_id is not None:
        return resources.node_id
    fit = [node.node_id for node in nodes if node.could_hold(resources.wanted)]
    if len(nodes) < 2 or not fit:  # noqa: PLR2004 - with one node there is nothing to choose
        return None
    return min(fit, key=lambda node_id: (taken[node_id], node_id))


def actor_options(resources: Resources, node_id: str | None) -> dict[str, Any]:
    """Return what Ray is told of an actor's resources and of its node.

    Only a replica whose ``Resources`` name a node waits for it; others move when theirs is lost.
    """
    options = {
        "num_cpus": resources.num_cpus,
        "num_gpus": resources.num_gpus,
        "resources": dict(resources.custom) or None,
    }
    if node_id is None:
        return options
    preferred = NodeAffinitySchedulingStrategy(node_id=node_id, soft=resources.node_id is None)
    # For an actor that reserves nothing Ray ignores the node that it prefers (seen on 2.60): it reserves a byte.
    return {**options, "memory": 1, "scheduling_strategy": preferred}
