"""Who may see an agent, and who may call it. Asked before anything else is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentactors.registry.row import ReplicaRow

EVERYBODY = "*"


@dataclass(frozen=True, slots=True)
class Access:
    """An agent's two lists in the form that is quick to ask."""

    see: frozenset[str]
    call: frozenset[str]

    @classmethod
    def of(cls, see: Iterable[str] | None, call: Iterable[str] | None, owner: str) -> Access:
        """Return the access that two declared lists mean; without them the owner's own."""
        seen_by = frozenset({owner} if see is None else see)
        return cls(seen_by, seen_by if call is None else frozenset(call))

    def may_see(self, tenant: str, role: str) -> bool:
        """Say whether that caller may know that the agent exists."""
        return _in(self.see, tenant, role) or _in(self.call, tenant, role)

    def may_call(self, tenant: str, role: str) -> bool:
        """Say whether that caller may call it."""
        return _in(self.call, tenant, role)


def access_of(row: ReplicaRow) -> Access:
    """Return the access that a row declares; its own tenant's when it declares none."""
    declared = row.declaration.get("visibility") or {}
    return Access.of(declared.get("see"), declared.get("call"), row.owner)


def may_see(row: ReplicaRow, tenant: str, role: str) -> bool:
    """Say whether a caller of that tenant and role may know that the agent exists."""
    return access_of(row).may_see(tenant, role)


def may_call(row: ReplicaRow, tenant: str, role: str) -> bool:
    """Say whether a caller of that tenant and role may call the agent; whoever may call it may see it."""
    return access_of(row).may_call(tenant, role)


def _in(entries: Iterable[str], tenant: str, role: str) -> bool:
    return EVERYBODY in entries or tenant in entries or f"{tenant}:{role}" in entries
