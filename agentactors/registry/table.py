"""The registry's table: every replica of every agent, who they are and whether they are there.

Theory of operation. One actor owns the table and serialises its callers, so the table needs no lock. Every
change of a status, a declaration or a registration is one epoch of its feed and makes the row dirty; the actor
writes dirty rows through and then acknowledges. Heartbeats change only ages and loads: no epoch, no write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from agentactors.config import Settings
from agentactors.errors import RegistrationRefused
from agentactors.feed.log import Changes, FeedLog, Position, Snapshot
from agentactors.protocol.declaration import CapabilityDeclaration, Declaration
from agentactors.protocol.declare import lint, parse_declaration
from agentactors.protocol.roles import check_role
from agentactors.registry.incarnation import Incarnations
from agentactors.registry.row import HeartbeatAnswer, Key, Pulse, Registration, ReplicaRow
from agentactors.registry.status import TRANSITIONS, AgentStatus, StatusEvent, event_by_age

_replace = msgspec.structs.replace


class RegistryTable:
    """All replicas, with their life cycle, their incarnations and the feed of their changes.

    Args:
        settings: Intervals, time-outs and the length of the feed's history.
        incarnation: Of the registry itself, the feed's writer.
        epoch: The last epoch that was stored.
        rows: What was stored: they keep their status.
        counters: The last incarnation of replicas that have left, as stored.
        recovered_at: When the rows were loaded. Their silence counts from then, so that live agents are not
            swept away before their next heartbeat finds the new registry.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        incarnation: int,
        epoch: int = 0,
        rows: Iterable[ReplicaRow] = (),
        counters: Mapping[Key, int] | None = None,
        recovered_at: float | None = None,
    ) -> None:
        self._settings = settings
        self._rows: dict[Key, ReplicaRow] = {}
        for row in rows:
            self._rows[row.key] = row if recovered_at is None else _replace(row, last_heartbeat=recovered_at)
        self._by_agent: dict[str, dict[Key, None]] = {}
        for key in self._rows:
            self._by_agent.setdefault(key[0], {})[key] = None
        stored = {key: row.incarnation for key, row in self._rows.items()}
        known = dict(counters or {})
        self._incarnations = Incarnations({k: max(stored.get(k, 0), known.get(k, 0)) for k in stored | known})
        self._feed: FeedLog[ReplicaRow] = FeedLog(incarnation, epoch, settings.feed_history)
        self._dirty: dict[Key, None] = {}

    @property
    def position(self) -> Position:
        """Incarnation and epoch of the feed."""
        return self._feed.position

    def register(
        self,
        declaration: Declaration,
        *,
        owner: str,
        replica_id: str = "0",
        instance_id: str,
        endpoint: str = "",
        node_id: str = "",
        channel: str = "",
        packed: bool = False,
        known_incarnation: int = 0,
        now: float,
    ) -> Registration:
        """Enter a replica, or renew its entry; it is active from now on.

        Idempotent: the same process that registers again keeps its incarnation, and makes an epoch only when
        something changed. A declaration applies to the replica that brings it.

        Args:
            declaration: What the agent says about itself.
            owner: The tenant that registers it.
            replica_id: Which replica of the agent this is.
            instance_id: Names the process, new with every start.
            endpoint: Name of its Ray actor, if it has one.
            node_id: Where it runs, if known.
            channel: Where it listens, if it does.
            packed: Whether many agents share it.
            known_incarnation: The incarnation that this process was given before; 0 for a fresh one.
            now: Seconds since the epoch.

        Raises:
            RegistrationRefused: The id belongs to another owner, or the heartbeat interval is over half the
                offline time-out.
            RoleCapabilityMismatch: A capability belongs to another role.
            StaleIncarnation: This process has been succeeded by another.
        """
        key = (declaration.agent_id, replica_id)
        self._check_owner(declaration.agent_id, owner)
        check_role(declaration.agent_id, declaration.role, declaration.capability_ids)
        interval_s, offline_after_s = self._intervals(declaration)
        before = self._rows.get(key)
        warnings = lint(declaration)
        row = ReplicaRow(
            agent_id=declaration.agent_id,
            replica_id=replica_id,
            owner=owner,
            incarnation=self._incarnations.assign(key, before, instance_id=instance_id, known=known_incarnation),
            instance_id=instance_id,
            status=TRANSITIONS[before.status if before else AgentStatus.ACTIVE, StatusEvent.REGISTERED],
            declaration=declaration.model_dump(mode="json"),
            warnings=list(warnings),
            endpoint=endpoint,
            node_id=node_id,
            channel=channel,
            packed=packed,
            external=declaration.base_url is not None,
            registered_at=before.registered_at if before and before.instance_id == instance_id else now,
            last_heartbeat=now,
            interval_s=interval_s,
        )
        if before is None or _fixed(before) != _fixed(row):
            self._put(row)
        else:
            self._rows[key] = row
        return Registration(row.incarnation, interval_s, offline_after_s, warnings, self.position.epoch)

    def heartbeat(
        self,
        agent_id: str,
        replica_id: str,
        *,
        incarnation: int,
        load: int = 0,
        in_flight: int = 0,
        lag_s: float = 0.0,
        degraded: bool = False,
        now: float,
    ) -> HeartbeatAnswer:
        """Note that a replica is there; one that was offline comes back.

        Returns:
            ``known=False`` when there is no such replica (any more): it has to register again.

        Raises:
            StaleIncarnation: The process has been succeeded by another.

        Cost:
            A few microseconds; no epoch unless the status changes.
        """
        key = (agent_id, replica_id)
        self._incarnations.check(key, incarnation)
        row = self._rows.get(key)
        if row is None or row.incarnation != incarnation:
            return HeartbeatAnswer(known=False, interval_s=self._settings.heartbeat_interval_s)
        self._rows[key] = row = _replace(row, last_heartbeat=now, load=load, in_flight=in_flight, lag_s=lag_s)
        event = StatusEvent.TROUBLE if degraded else StatusEvent.HEARTBEAT
        self._move(row, event, cause="the agent says so" if degraded else "")
        return HeartbeatAnswer(known=True, interval_s=row.interval_s)

    def mark_down(
        self,
        agent_id: str,
        replica_id: str | None = None,
        *,
        cause: str,
        now: float,  # noqa: ARG002  # every change takes the time, so that callers need not know which use it
        event: StatusEvent = StatusEvent.MARKED_DOWN,
    ) -> int:
        """Take replicas out of routing until their next heartbeat or registration.

        Args:
            agent_id: The agent.
            replica_id: One replica of it; None for all.
            cause: Why, for people.
            now: Seconds since the epoch.
            event: DIED when it is known that the process is dead.

        Returns:
            How many replicas changed.
        """
        return sum(self._move(row, event, cause=cause) for row in list(self._replicas(agent_id, replica_id)))

    def deregister(self, agent_id: str, replica_id: str | None = None, *, owner: str) -> int:
        """Remove replicas for good; their incarnations stay remembered.

        Returns:
            How many were removed: 0 when there is none of this owner's (which of the two is not said).
        """
        gone = [row for row in self._replicas(agent_id, replica_id) if row.owner == owner]
        for row in gone:
            del self._rows[row.key]
            del self._by_agent[agent_id][row.key]
            self._dirty[row.key] = None
            self._feed.append(row.key, None)
        if not self._by_agent.get(agent_id, True):
            del self._by_agent[agent_id]
        return len(gone)

    def update_capability(
        self,
        agent_id: str,
        capabilities: Sequence[CapabilityDeclaration | Mapping[str, Any] | str],
        *,
        owner: str,
        now: float,  # noqa: ARG002  # see mark_down
    ) -> tuple[str, ...]:
        """Replace the capabilities of an agent, on all its replicas at once.

        Args:
            agent_id: The agent.
            capabilities: All it can do from now on. An id string keeps the schemas of the capability of that
                id where the agent has one.
            owner: Who asks.
            now: Seconds since the epoch.

        Returns:
            Warnings about the new declaration.

        Raises:
            RegistrationRefused: The owner has no such agent, or a capability breaks its schema; nothing changed.
            RoleCapabilityMismatch: A capability belongs to another role.
        """
        rows = [row for row in self._replicas(agent_id, None) if row.owner == owner]
        if not rows:
            raise RegistrationRefused(f"You have no agent {agent_id!r}: register it first.", {"path": "agent_id"})
        updated = [(row, _with_capabilities(row, capabilities)) for row in rows]
        for row, declaration in updated:
            plain, warnings = declaration.model_dump(mode="json"), list(lint(declaration))
            if plain != row.declaration:
                self._put(_replace(row, declaration=plain, warnings=warnings))
        return lint(updated[0][1])

    def list_active(self, now: float) -> list[ReplicaRow]:
        """Return the replicas that are active at ``now``, whether or not anybody has swept."""
        return [row for row in self._rows.values() if row.status_at(now, self._settings) is AgentStatus.ACTIVE]

    def find_by_capability(self, capability_id: str, now: float) -> list[ReplicaRow]:
        """Return the active replicas that declare that capability."""
        return [
            row
            for row in self.list_active(now)
            if any(declared["capability_id"] == capability_id for declared in row.declaration["capabilities"])
        ]

    def rows(self) -> list[ReplicaRow]:
        """Return every row, whatever its status."""
        return list(self._rows.values())

    def row(self, agent_id: str, replica_id: str) -> ReplicaRow | None:
        """Return one row, or None."""
        return self._rows.get((agent_id, replica_id))

    def sweep(self, now: float) -> int:
        """Apply what the age of each last heartbeat means; return how many statuses changed. Cost: O(rows)."""
        changed = 0
        for row in list(self._rows.values()):
            limit_s = row.offline_after_s(self._settings)
            age_s = now - row.last_heartbeat
            event = event_by_age(age_s, interval_s=row.interval_s, offline_after_s=limit_s)
            if event is not None:
                changed += self._move(row, event, cause=f"no heartbeat for {age_s:.1f} s (limit {limit_s:g} s)")
        return changed

    def pulses(self, since: float) -> list[Pulse]:
        """Return the heartbeats that came at the time ``since`` or later: what copies cannot learn from the feed."""
        return [
            Pulse(*row.key, row.incarnation, row.last_heartbeat, row.load, row.in_flight, row.lag_s)
            for row in self._rows.values()
            if row.last_heartbeat >= since
        ]

    def since(self, position: Position) -> Changes[ReplicaRow] | None:
        """Return the changes after ``position``; None when only a snapshot helps."""
        return self._feed.since(position)

    def snapshot(self) -> Snapshot[ReplicaRow]:
        """Return every row and the position that they stand at."""
        return self._feed.snapshot(self._rows.values())

    def take_dirty(self) -> tuple[list[ReplicaRow], dict[Key, int], int]:
        """Return and forget what must be written through.

        Returns:
            The changed rows, the last incarnation of each dropped row by its key, and the epoch.
        """
        dirty, self._dirty = self._dirty, {}
        rows = [row for key in dirty if (row := self._rows.get(key)) is not None]
        dropped = {key: self._incarnations.last(key) for key in dirty if key not in self._rows}
        return rows, dropped, self.position.epoch

    def put_back(self, rows: Iterable[ReplicaRow], dropped: Iterable[Key]) -> None:
        """Take back what :meth:`take_dirty` gave and could not be stored; the next write has its newest state."""
        self._dirty.update(dict.fromkeys([*(row.key for row in rows), *dropped]))

    def _put(self, row: ReplicaRow) -> None:
        self._rows[row.key] = row
        self._by_agent.setdefault(row.agent_id, {})[row.key] = None
        self._dirty[row.key] = None
        self._feed.append(row.key, row)

    def _move(self, row: ReplicaRow, event: StatusEvent, *, cause: str) -> bool:
        status = TRANSITIONS[row.status, event]
        if status is row.status:
            return False
        self._put(_replace(row, status=status, cause=cause))
        return True

    def _replicas(self, agent_id: str, replica_id: str | None) -> Iterator[ReplicaRow]:
        for key in self._by_agent.get(agent_id, ()):
            if replica_id is None or key[1] == replica_id:
                yield self._rows[key]

    def _check_owner(self, agent_id: str, owner: str) -> None:
        first = next(self._replicas(agent_id, None), None)  # all replicas of an agent have one owner
        if first is not None and first.owner != owner:
            raise RegistrationRefused(
                f"The agent id {agent_id!r} belongs to another owner: choose another one.", {"path": "agent_id"}
            )

    def _intervals(self, declaration: Declaration) -> tuple[float, float]:
        external = declaration.base_url is not None
        settings = self._settings
        limit_s = settings.external_offline_after_s if external else settings.offline_after_s
        usual_s = settings.external_heartbeat_interval_s if external else settings.heartbeat_interval_s
        wanted_s = declaration.heartbeat_interval_s
        if wanted_s is None:
            return min(usual_s, limit_s / 2), limit_s
        if wanted_s > limit_s / 2:
            raise RegistrationRefused(
                f"A heartbeat every {wanted_s:g} s is too rare: without one for {limit_s:g} s the agent is offline, "
                f"so at most {limit_s / 2:g} s are allowed.",
                {"path": "heartbeat_interval_s", "limit_s": limit_s / 2},
            )
        return wanted_s, limit_s


def _fixed(row: ReplicaRow) -> ReplicaRow:
    """Return the row without what heartbeats move, to compare registrations."""
    return _replace(row, last_heartbeat=0.0, load=0, in_flight=0, lag_s=0.0, cause="")


def _with_capabilities(
    row: ReplicaRow, capabilities: Sequence[CapabilityDeclaration | Mapping[str, Any] | str]
) -> Declaration:
    held = {declared["capability_id"]: declared for declared in row.declaration["capabilities"]}
    entries = [_plain_capability(entry, held) for entry in capabilities]
    ids = [entry.get("capability_id") if isinstance(entry, Mapping) else entry for entry in entries]
    # What stands in for a capability goes with it.
    substitutes = {name: others for name, others in row.declaration["substitutes"].items() if name in ids}
    return parse_declaration({**row.declaration, "capabilities": entries, "substitutes": substitutes})


def _plain_capability(entry: Any, held: Mapping[str, Any]) -> Any:
    if isinstance(entry, CapabilityDeclaration):
        return entry.model_dump(mode="json")
    return held.get(entry, entry) if isinstance(entry, str) else entry
