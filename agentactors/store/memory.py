"""The stores in memory: the same promises but durability, for tests and for systems that keep nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from agentactors.config import Settings
from agentactors.registry.row import Key, ReplicaRow
from agentactors.store.base import JOURNAL_WRITER, REGISTRY_WRITER, ContextRows, RegistryState, superseded
from agentactors.store.bounds import ContextBounds, size_of

T = TypeVar("T")


class MemoryRegistryStore:
    """A :class:`RegistryStore` that lives as long as its object; open it again for a new writer."""

    def __init__(self) -> None:
        self._incarnation = 0
        self._epoch = 0
        self._rows: dict[Key, ReplicaRow] = {}
        self._counters: dict[Key, int] = {}

    async def open(self) -> RegistryState:
        """Become the writer and return what is held."""
        self._incarnation += 1
        return RegistryState(self._incarnation, self._epoch, list(self._rows.values()), dict(self._counters))

    async def save(
        self, rows: Iterable[ReplicaRow], dropped: Mapping[Key, int], epoch: int, *, incarnation: int
    ) -> None:
        """Hold rows, drop others and note the epoch.

        Raises:
            StaleIncarnation: Another writer has opened the store.
        """
        if incarnation != self._incarnation:
            raise superseded(REGISTRY_WRITER, incarnation)
        for row in rows:
            self._rows[row.key] = row
            self._counters[row.key] = row.incarnation
        for key, last in dropped.items():
            self._rows.pop(key, None)
            self._counters[key] = last
        self._epoch = epoch

    async def close(self) -> None:
        """Do nothing: what is held stays for the next writer."""


@dataclass(slots=True)
class _Shelf:
    """What several stores on the same data share; times are when things expire."""

    incarnation: int = 0
    chains: dict[Key, tuple[dict[str, bytes], float]] = field(default_factory=dict)
    results: dict[Key, tuple[bytes, float]] = field(default_factory=dict)


class MemoryJournalStore:
    """A :class:`JournalStore` that lives as long as its object.

    Args:
        settings: The bounds of chain memory.
        earlier: A store whose data this one goes on with, as a restarted writer would.
    """

    def __init__(self, settings: Settings, earlier: MemoryJournalStore | None = None) -> None:
        self._bounds = ContextBounds.of(settings)
        self._shelf: _Shelf = earlier._shelf if earlier else _Shelf()  # noqa: SLF001  # its own class
        self._incarnation = 0

    async def open(self) -> int:
        """Become the writer; return its incarnation."""
        self._shelf.incarnation += 1
        self._incarnation = self._shelf.incarnation
        return self._incarnation

    async def put_context(
        self, request_id: str, tenant: str, key: str, value: bytes, *, now: float, ttl_s: float
    ) -> None:
        """Set one value of a chain's memory: :meth:`put_contexts` with one item."""
        await self.put_contexts(request_id, tenant, {key: value}, now=now, ttl_s=ttl_s)

    async def put_contexts(
        self, request_id: str, tenant: str, items: Mapping[str, bytes], *, now: float, ttl_s: float
    ) -> None:
        """Set values of a chain's memory, all or none.

        Raises:
            TooLarge: A value or the chain would be over its bound.
            StaleIncarnation: Another writer has opened the store.
        """
        self._bounds.check_values(items)
        self._check_writer()
        values, expires_at = self._shelf.chains.get((tenant, request_id), ({}, now))
        held = values if expires_at > now else {}
        self._bounds.check_chain({name: size_of(name, value) for name, value in held.items()}, items)
        self._shelf.chains[tenant, request_id] = ({**held, **items}, now + ttl_s)

    async def get_context(self, request_id: str, tenant: str) -> ContextRows | None:
        """Return a chain's memory, expired or not; None when there is none."""
        held = self._shelf.chains.get((tenant, request_id))
        return None if held is None else ContextRows(dict(held[0]), held[1])

    async def put_result(self, request_id: str, tenant: str, envelope: bytes, *, now: float, ttl_s: float) -> bool:
        """Hold the result of a request unless there is one.

        Raises:
            StaleIncarnation: Another writer has opened the store.
        """
        self._check_writer()
        if (tenant, request_id) in self._shelf.results:
            return False
        self._shelf.results[tenant, request_id] = (envelope, now + ttl_s)
        return True

    async def get_result(self, request_id: str, tenant: str) -> bytes | None:
        """Return the result, or None."""
        held = self._shelf.results.get((tenant, request_id))
        return None if held is None else held[0]

    async def sweep(self, now: float, max_rows: int) -> int:
        """Remove what has expired, and the oldest beyond the bound.

        Raises:
            StaleIncarnation: Another writer has opened the store.
        """
        self._check_writer()
        return _sweep(self._shelf.chains, now, max_rows) + _sweep(self._shelf.results, now, max_rows)

    async def close(self) -> None:
        """Do nothing: what is held stays for the next writer."""

    def _check_writer(self) -> None:
        if self._incarnation != self._shelf.incarnation:
            raise superseded(JOURNAL_WRITER, self._incarnation)


def _sweep(shelf: dict[Key, tuple[T, float]], now: float, max_rows: int) -> int:
    oldest_first = sorted(shelf, key=lambda key: (shelf[key][1], key))
    surplus = len(shelf) - max_rows
    gone = [key for place, key in enumerate(oldest_first) if place < surplus or shelf[key][1] <= now]
    for key in gone:
        del shelf[key]
    return len(gone)
