"""The local copy of the table that decisions are made on, indexed by capability and by agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import msgspec

from agentactors.protocol.declaration import JsonSchema
from agentactors.protocol.schema import Validator, compile_schema
from agentactors.registry.row import Key, Pulse, ReplicaRow
from agentactors.routing.version import Version, parse_version
from agentactors.routing.visibility import Access, access_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A row, and what decisions ask of it in the form that is quick to ask."""

    row: ReplicaRow
    access: Access
    version: Version
    capabilities: Mapping[str, Mapping[str, Any]]
    priority: int
    _schema_ids: Mapping[str, str]
    _validators: dict[str, Validator] = field(default_factory=dict)

    @property
    def role(self) -> str | None:
        """The agent's role in a team, if any."""
        role: str | None = self.row.declaration.get("role")
        return role

    def input_schema(self, capability_id: str) -> JsonSchema:
        """Return the input schema of a capability that it declares."""
        return dict(self.capabilities[capability_id].get("input_schema") or {})

    def schema_id(self, capability_id: str) -> str:
        """Return a name for that schema, the same wherever the schema is the same."""
        return self._schema_ids[capability_id]

    def validator(self, capability_id: str) -> Validator:
        """Return that schema compiled; compiled when first asked for."""
        found = self._validators.get(capability_id)
        if found is None:
            found = self._validators[capability_id] = compile_schema(self.input_schema(capability_id))
        return found


class Directory:
    """Rows by key, by capability and by agent, kept up to date one key at a time.

    Ages are judged by each row's last heartbeat, and heartbeats make no epoch: whoever follows the feed has to
    apply the registry's pulses too (:meth:`apply_pulses`), or live replicas age until nobody routes to them.

    Args:
        rows: What to begin with.
    """

    def __init__(self, rows: Iterable[ReplicaRow] = ()) -> None:
        self.epoch = 0
        """Set by whoever feeds the directory; goes into every resolution."""
        self._entries: dict[Key, Entry] = {}
        self._by_capability: dict[str, dict[Key, None]] = {}
        self._by_agent: dict[str, dict[Key, None]] = {}
        for row in rows:
            self.put(row.key, row)

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, key: Key, row: ReplicaRow | None) -> None:
        """Enter a row, or remove it (None). Fits :class:`Follower`'s ``on_change``. Cost: O(its capabilities)."""
        before = self._entries.pop(key, None)
        if before is not None and row is not None and _same_terms(before.row, row):
            self._entries[key] = replace(before, row=row)
            return
        if before is not None:
            _unindex(self._by_agent, key[0], key)
            for capability_id in before.capabilities:
                _unindex(self._by_capability, capability_id, key)
        if row is None:
            return
        entry = self._entries[key] = _entry(row)
        self._by_agent.setdefault(key[0], {})[key] = None
        for capability_id in entry.capabilities:
            self._by_capability.setdefault(capability_id, {})[key] = None

    def apply_pulses(self, pulses: Iterable[Pulse]) -> None:
        """Bring heartbeat times and loads up to date. Cost: a microsecond or two each."""
        for pulse in pulses:
            entry = self._entries.get(pulse.key)
            if entry is not None:
                self._entries[pulse.key] = replace(entry, row=pulse.onto(entry.row))

    def entries(self) -> Iterator[Entry]:
        """Yield every entry."""
        return iter(self._entries.values())

    def serving(self, capability_id: str) -> list[Entry]:
        """Return the replicas that declare that capability."""
        return [self._entries[key] for key in self._by_capability.get(capability_id, ())]

    def replicas(self, agent_id: str) -> list[Entry]:
        """Return the replicas of that agent."""
        return [self._entries[key] for key in self._by_agent.get(agent_id, ())]


def _entry(row: ReplicaRow) -> Entry:
    declaration = row.declaration
    capabilities = {declared["capability_id"]: declared for declared in declaration["capabilities"]}
    return Entry(
        row=row,
        access=access_of(row),
        version=parse_version(declaration.get("version", "1.0.0")),
        capabilities=capabilities,
        priority=declaration.get("priority", 10),
        _schema_ids={name: _fingerprint(declared.get("input_schema") or {}) for name, declared in capabilities.items()},
    )


def _fingerprint(schema: Mapping[str, Any]) -> str:
    return blake2b(msgspec.json.encode(schema, order="deterministic"), digest_size=12).hexdigest()


def _same_terms(one: ReplicaRow, other: ReplicaRow) -> bool:
    return one.owner == other.owner and one.declaration == other.declaration


def _unindex(index: dict[str, dict[Key, None]], name: str, key: Key) -> None:
    keys = index[name]
    del keys[key]
    if not keys:
        del index[name]
