"""What a store promises, whichever database is behind it.

Every acknowledged write survives the death of the process (the memory twin excepted). Each ``open`` is a new
*writer incarnation*: a store that was opened earlier can write no more (StaleIncarnation), which fences a writer
that was thought dead and is not. A database that does not answer or refuses is StoreUnavailable, and then nothing
was acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from agentactors.errors import StaleIncarnation
from agentactors.registry.row import Key, ReplicaRow

REGISTRY_WRITER: Final = "registry"
JOURNAL_WRITER: Final = "journal"


@dataclass(frozen=True, slots=True)
class RegistryState:
    """What the registry had stored."""

    incarnation: int
    """The new writer's; already stored."""
    epoch: int
    rows: list[ReplicaRow]
    counters: Mapping[Key, int] = field(default_factory=dict)
    """The last incarnation of every replica that was ever stored, also of dropped ones."""


@dataclass(frozen=True, slots=True)
class ContextRows:
    """Chain memory of one request, which may have expired and not been swept yet."""

    values: dict[str, bytes]
    expires_at: float
    """Seconds since the epoch."""

    def expired(self, now: float) -> bool:
        """Say whether it must not be read any more."""
        return self.expires_at <= now


class RegistryStore(Protocol):
    """Where the registry's table survives a restart."""

    async def open(self) -> RegistryState:
        """Become the writer and return what is stored.

        Raises:
            StoreUnavailable: The database cannot be opened.
        """
        ...

    async def save(
        self, rows: Iterable[ReplicaRow], dropped: Mapping[Key, int], epoch: int, *, incarnation: int
    ) -> None:
        """Store rows, drop others and note the epoch, in one commit.

        Args:
            rows: What has changed.
            dropped: What is gone: by its key, the last incarnation, which stays stored.
            epoch: Where the feed is.
            incarnation: Of the writer.

        Raises:
            StaleIncarnation: Another writer has opened the store; nothing was written.
            StoreUnavailable: The database failed; nothing was written.
        """
        ...

    async def close(self) -> None:
        """Let go of the database; closing twice is no error."""
        ...


class JournalStore(Protocol):
    """Chain memory and results that are collected later, by request_id. Nothing crosses tenants."""

    async def open(self) -> int:
        """Become the writer; return its incarnation.

        Raises:
            StoreUnavailable: The database cannot be opened.
        """
        ...

    async def put_context(
        self, request_id: str, tenant: str, key: str, value: bytes, *, now: float, ttl_s: float
    ) -> None:
        """Set one value of a chain's memory: :meth:`put_contexts` with one item."""
        ...

    async def put_contexts(
        self, request_id: str, tenant: str, items: Mapping[str, bytes], *, now: float, ttl_s: float
    ) -> None:
        """Set values of a chain's memory, all or none, in one commit; the whole chain lives ``ttl_s`` from now.

        A chain that had expired begins anew.

        Raises:
            TooLarge: A value or the chain would be over its bound; ``details.key`` names it, nothing was written.
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        ...

    async def get_context(self, request_id: str, tenant: str) -> ContextRows | None:
        """Return a chain's memory, expired or not; None when there never was one or it has been swept.

        Raises:
            StoreUnavailable: The database failed.
        """
        ...

    async def put_result(self, request_id: str, tenant: str, envelope: bytes, *, now: float, ttl_s: float) -> bool:
        """Store the terminal result of a request; the first one wins.

        Returns:
            False when there is one already; it stays.

        Raises:
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        ...

    async def get_result(self, request_id: str, tenant: str) -> bytes | None:
        """Return the stored result; None when there is none or it has been swept.

        Raises:
            StoreUnavailable: The database failed.
        """
        ...

    async def sweep(self, now: float, max_rows: int) -> int:
        """Remove what has expired, and the oldest beyond ``max_rows`` chains and as many results.

        Returns:
            How many chains and results were removed.

        Raises:
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        ...

    async def close(self) -> None:
        """Let go of the database; closing twice is no error."""
        ...


def superseded(writer: str, incarnation: int) -> StaleIncarnation:
    """Return the error of a writer that another one has replaced."""
    return StaleIncarnation(
        f"Incarnation {incarnation} of the {writer}'s writer has been replaced by a newer one: stop this process.",
        {"writer": writer, "incarnation": incarnation},
    )
