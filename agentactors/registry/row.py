"""What the registry knows about one replica, and what it answers to registrations and heartbeats."""

from __future__ import annotations

from typing import Any

import msgspec

from agentactors.config import Settings
from agentactors.registry.status import AgentStatus, status_at

Key = tuple[str, str]
"""(agent_id, replica_id)."""


class ReplicaRow(msgspec.Struct, frozen=True, kw_only=True):
    """One replica of one agent. Rows are values: a change makes a new row.

    Times are seconds since the epoch. ``last_heartbeat``, ``load``, ``in_flight`` and ``lag_s`` move with every
    heartbeat and make no epoch, so that copies of a row lag behind in them; see :class:`Pulse`.
    """

    agent_id: str
    replica_id: str
    owner: str
    """The tenant that registered it."""
    incarnation: int
    """Counts the processes that have been this replica; messages of an older one are refused."""
    instance_id: str
    """Names the process; a process that registers again keeps its incarnation."""
    status: AgentStatus
    declaration: dict[str, Any]
    """A :class:`Declaration` as plain data."""
    warnings: list[str] = []
    endpoint: str = ""
    """Name of the Ray actor; empty when there is none."""
    node_id: str = ""
    channel: str = ""
    """Where it listens: the path of a Unix socket and, after a space, host:port, either of which may be missing."""
    packed: bool = False
    """Whether many agents, told apart by a key, share this host."""
    external: bool = False
    registered_at: float = 0.0
    last_heartbeat: float = 0.0
    interval_s: float = 0.0
    """How often it has been told to send heartbeats."""
    load: int = 0
    in_flight: int = 0
    lag_s: float = 0.0
    """How far its event loop was behind at the last heartbeat."""
    cause: str = ""
    """Why it is degraded or offline."""

    @property
    def key(self) -> Key:
        """What names the row."""
        return (self.agent_id, self.replica_id)

    def offline_after_s(self, settings: Settings) -> float:
        """Return how long it may be silent before it is offline."""
        return settings.external_offline_after_s if self.external else settings.offline_after_s

    def status_at(self, now: float, settings: Settings) -> AgentStatus:
        """Return its status at ``now``, the age of its last heartbeat taken into account."""
        return status_at(
            self.status,
            now - self.last_heartbeat,
            interval_s=self.interval_s,
            offline_after_s=self.offline_after_s(settings),
        )


class Pulse(msgspec.Struct, frozen=True, array_like=True):
    """What a heartbeat changes in a row, for copies that want it fresher than the last epoch."""

    agent_id: str
    replica_id: str
    incarnation: int
    last_heartbeat: float
    load: int = 0
    in_flight: int = 0
    lag_s: float = 0.0

    @property
    def key(self) -> Key:
        """What names the row."""
        return (self.agent_id, self.replica_id)

    def onto(self, row: ReplicaRow) -> ReplicaRow:
        """Return ``row`` with this heartbeat in it; a row of another incarnation or with a newer one stays."""
        if row.incarnation != self.incarnation or row.last_heartbeat >= self.last_heartbeat:
            return row
        return msgspec.structs.replace(
            row,
            last_heartbeat=self.last_heartbeat,
            load=self.load,
            in_flight=self.in_flight,
            lag_s=self.lag_s,
        )


class Registration(msgspec.Struct, frozen=True):
    """The registry's answer to a registration."""

    incarnation: int
    heartbeat_interval_s: float
    """How often to send a heartbeat."""
    offline_after_s: float
    warnings: tuple[str, ...]
    """What the owner should mend in the declaration."""
    epoch: int
    """Readers that have this epoch know the registration."""


class HeartbeatAnswer(msgspec.Struct, frozen=True):
    """The registry's answer to a heartbeat."""

    known: bool
    """False: register again."""
    interval_s: float
