"""agentactors: agents as Ray actors, found by capability, reached safely, handed large state without copies.

Everything here is loaded on first use (PEP 562), so that the parts without Ray stay importable without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentactors.agents.agent import Agent, capability
    from agentactors.agents.context import Context
    from agentactors.config import Settings
    from agentactors.errors import AgentActorsError
    from agentactors.protocol.declaration import Visibility
    from agentactors.protocol.roles import Role
    from agentactors.protocol.state import StateRef
    from agentactors.protocol.task import Result, ResultStatus, Task
    from agentactors.system.system import AgentSystem

_HOME = {
    "Agent": "agentactors.agents.agent",
    "AgentActorsError": "agentactors.errors",
    "AgentSystem": "agentactors.system.system",
    "Context": "agentactors.agents.context",
    "Result": "agentactors.protocol.task",
    "ResultStatus": "agentactors.protocol.task",
    "Role": "agentactors.protocol.roles",
    "Settings": "agentactors.config",
    "StateRef": "agentactors.protocol.state",
    "Task": "agentactors.protocol.task",
    "Visibility": "agentactors.protocol.declaration",
    "capability": "agentactors.agents.agent",
}

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentActorsError",
    "AgentSystem",
    "Context",
    "Result",
    "ResultStatus",
    "Role",
    "Settings",
    "StateRef",
    "Task",
    "Visibility",
    "__version__",
    "capability",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
