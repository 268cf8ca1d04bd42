"""Everything a host needs to build its replica, made by whoever spawns it."""

from __future__ import annotations

import copyreg
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentactors.agents.spec import AgentSpec
from agentactors.config import Settings

# A dataclass from the user's script travels by value; what marks a field without default must stay what it is.
copyreg.pickle(type(dataclasses.MISSING), lambda _: "MISSING")


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """One replica to be. It travels as one pickled value inside the cluster, so classes keep their identity."""

    system: str
    namespace: str
    settings: Settings
    spec: AgentSpec
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    replica_id: str
    owner: str
    endpoint: str
    secret: bytes
    """Of the system: who opens a channel has to know it."""
    spans_nodes: bool = False
    """Whether callers may be on other nodes."""
    packed: bool = False
    """Whether many agents of this kind share the host, each made for its key."""

    @property
    def agent_id(self) -> str:
        """The agent's id."""
        return self.spec.declaration.agent_id
