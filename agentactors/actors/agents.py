"""The agents of one host: one, or many of a kind that are told apart by their keys.

A packed host makes an agent when the first message for its key arrives; messages that come meanwhile wait for
it. What the agent holds is gone with the host: the key moves to another one, where it begins afresh.
"""

from __future__ import annotations

import asyncio
from typing import Any

from agentactors.actors.blueprint import Blueprint
from agentactors.agents.agent import Agent
from agentactors.errors import AgentActorsError, AgentFailed, InvalidParameters, Overloaded
from agentactors.logs import get_logger

_LOG = get_logger(__name__)


def not_started(blueprint: Blueprint, fault: Exception) -> AgentActorsError:
    """Return the error that says why an agent did not start: the user's own sentence, or one of ours as it is."""
    if isinstance(fault, AgentActorsError):
        return fault
    return AgentFailed(
        f"Agent {blueprint.agent_id} did not start: {type(fault).__name__}: {str(fault)[:500]}",
        {"type": type(fault).__name__},
    )


class Agents:
    """Finds or makes the agent that a message is for. Belongs to the loop of the handlers.

    Args:
        blueprint: How each is made.
    """

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._packed = blueprint.packed
        self._limit = blueprint.settings.packed_agents
        self._agents: dict[str, Agent] = {}
        self._making: dict[str, asyncio.Task[Agent]] = {}

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._agents)

    def get(self, key: str) -> Agent | None:
        """Return the agent of a key if it is there; a host that is not packed has one, whatever the key."""
        return self._agents.get(key if self._packed else "")

    async def make(self, key: str) -> Agent:
        """Return the agent of a key, made and started if it is not there yet.

        Raises:
            InvalidParameters: The host is packed, and no key was given.
            Overloaded: There are ``packed_agents`` already; this message has not started.
            AgentFailed: Its constructor or ``on_start`` raised; the next message tries again.
        """
        if self._packed:
            self._check(key)
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.get_running_loop().create_task(self._make(key))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Let every agent give back what it holds.

        Raises:
            Exception: What the only agent's ``on_stop`` raised; of many, each failure is logged.
        """
        for task in list(self._making.values()):
            task.cancel()
        for key, agent in self._agents.items():
            try:
                await agent.on_stop()
            except Exception as fault:
                if not self._packed:
                    raise
                _LOG.warning("on_stop_failed", agent_id=self._blueprint.agent_id, key=key, reason=repr(fault)[:500])

    def _check(self, key: str) -> None:
        if not key:
            raise InvalidParameters(
                f"{self._blueprint.agent_id} is many agents in one host: say which one with key=.",
                {"path": "key", "missing": ["key"]},
            )
        if len(self._agents) + len(self._making) >= self._limit:
            raise Overloaded(
                f"{self._blueprint.agent_id} has {self._limit:,} agents in this host and takes no more.",
                {"started": False, "retry_after_s": 1.0, "limit": self._limit},
            )

    async def _make(self, key: str) -> Agent:
        blueprint = self._blueprint
        cls: Any = blueprint.spec.cls
        try:
            agent: Agent = cls(*blueprint.arguments, **blueprint.keywords)
            await agent.on_start()
        except Exception as fault:
            raise not_started(blueprint, fault) from fault
        else:
            self._agents[key] = agent
            return agent
        finally:
            self._making.pop(key, None)
