"""What a host checks before a handler runs: who asks, for what, and of whom."""

from __future__ import annotations

from agentactors.actors.blueprint import Blueprint
from agentactors.agents.signature import CompiledHandler
from agentactors.agents.spec import HandlerSpec
from agentactors.errors import NoReachableAgent, PermissionDenied, RoleCapabilityMismatch
from agentactors.protocol import bodies
from agentactors.protocol.envelope import Envelope
from agentactors.protocol.roles import ROLE_BY_CAPABILITY
from agentactors.routing.visibility import Access


class Guard:
    """Checks of one replica. A resolution gives no rights, so the host looks again."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._declaration = blueprint.spec.declaration
        self._handlers = blueprint.spec.handlers
        self._compiled = {spec.capability_id: spec.compile() for spec in blueprint.spec.handlers.values()}
        self._access = Access.of(self._declaration.visibility.see, self._declaration.visibility.call, blueprint.owner)
        self.own_role = self._declaration.role.value if self._declaration.role else "agent"
        """In whose role nested calls are made."""

    def compiled(self, spec: HandlerSpec) -> CompiledHandler:
        """Return the validators of a handler."""
        return self._compiled[spec.capability_id]

    def check(self, envelope: Envelope) -> HandlerSpec:
        """Return the handler that a request asks for.

        Raises:
            PermissionDenied: The caller may see the agent and not call it.
            NoReachableAgent: The caller may not even see it.
            RoleCapabilityMismatch: The capability belongs to another role: the call goes round it.
            UnknownAction: The agent has no such action.
        """
        self.check_caller(envelope)
        action = envelope.body.action or ""
        owner = ROLE_BY_CAPABILITY.get(action)
        if owner is not None and owner != self._declaration.role:
            raise RoleCapabilityMismatch(
                f"{action} belongs to the role {owner}; {self._declaration.agent_id} has another one and does not do it.",
                {"agent_id": self._declaration.agent_id, "capability": action, "role": owner.value},
            )
        bodies.check_action(envelope, self._handlers)
        return self._handlers[action]

    def check_caller(self, envelope: Envelope) -> None:
        """Check that the caller may call the agent.

        Raises:
            PermissionDenied: It may see the agent and not call it.
            NoReachableAgent: It may not even see it.
        """
        if self._access.may_call(envelope.tenant, envelope.role):
            return
        if self._access.may_see(envelope.tenant, envelope.role):
            raise PermissionDenied(
                f"{envelope.tenant}:{envelope.role} may not call {self._declaration.agent_id}.",
                {"agent_id": self._declaration.agent_id},
            )
        raise NoReachableAgent("There is no such agent.", {"failed_check": "registered"})
