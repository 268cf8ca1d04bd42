"""The stores on SQL: SQLite now, and nothing in here that PostgreSQL does not take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Table, and_, delete, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from agentactors.config import Settings
from agentactors.errors import StoreUnavailable
from agentactors.registry.row import Key, ReplicaRow
from agentactors.store.base import JOURNAL_WRITER, REGISTRY_WRITER, ContextRows, RegistryState
from agentactors.store.bounds import ContextBounds, size_of
from agentactors.store.tables import chains, contexts, replicas, results
from agentactors.store.writer import Writer, upsert

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(ReplicaRow)


class SqlRegistryStore:
    """A :class:`RegistryStore` on SQL.

    Args:
        url: The database; see :func:`.engine.open_engine`.
    """

    def __init__(self, url: str) -> None:
        self._writer = Writer(url, REGISTRY_WRITER)

    async def open(self) -> RegistryState:
        """Become the writer and return what is stored.

        Raises:
            StoreUnavailable: The database cannot be opened, or holds a row that cannot be read.
        """
        async with self._writer.open() as (connection, epoch):
            stored = (await connection.execute(select(replicas))).all()
        rows = [_decoded(row.data) for row in stored if row.data is not None]
        counters = {(row.agent_id, row.replica_id): row.incarnation for row in stored}
        return RegistryState(self._writer.incarnation, epoch, rows, counters)

    async def save(
        self, rows: Iterable[ReplicaRow], dropped: Mapping[Key, int], epoch: int, *, incarnation: int
    ) -> None:
        """Store rows, drop others and note the epoch, in one commit.

        Raises:
            StaleIncarnation: Another writer has opened the store; nothing was written.
            StoreUnavailable: The database failed; nothing was written.
        """
        values = [_stored(row.key, row.incarnation, _ENCODER.encode(row)) for row in rows]
        values += [_stored(key, last, None) for key, last in dropped.items()]
        async with self._writer.write(incarnation=incarnation, epoch=epoch) as connection:
            if values:
                await connection.execute(upsert(connection, replicas, take=("incarnation", "data")), values)

    async def close(self) -> None:
        """Close the connections."""
        await self._writer.close()


class SqlJournalStore:
    """A :class:`JournalStore` on SQL.

    Args:
        url: The database; see :func:`.engine.open_engine`.
        settings: The bounds of chain memory.
    """

    def __init__(self, url: str, settings: Settings) -> None:
        self._writer = Writer(url, JOURNAL_WRITER)
        self._bounds = ContextBounds.of(settings)

    async def open(self) -> int:
        """Become the writer; return its incarnation.

        Raises:
            StoreUnavailable: The database cannot be opened.
        """
        async with self._writer.open():
            pass
        return self._writer.incarnation

    async def put_context(
        self, request_id: str, tenant: str, key: str, value: bytes, *, now: float, ttl_s: float
    ) -> None:
        """Set one value of a chain's memory: :meth:`put_contexts` with one item."""
        await self.put_contexts(request_id, tenant, {key: value}, now=now, ttl_s=ttl_s)

    async def put_contexts(
        self, request_id: str, tenant: str, items: Mapping[str, bytes], *, now: float, ttl_s: float
    ) -> None:
        """Set values of a chain's memory, all or none; see :meth:`JournalStore.put_contexts`.

        Raises:
            TooLarge: A value or the chain would be over its bound.
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        self._bounds.check_values(items)
        names = {"tenant": tenant, "request_id": request_id}
        values = [
            {**names, "key": key, "value": value, "size_bytes": size_of(key, value)} for key, value in items.items()
        ]
        async with self._write() as connection:
            held = await _held_sizes(connection, tenant, request_id, now=now)
            self._bounds.check_chain(held, items)
            header = {**names, "expires_at": now + ttl_s}
            await connection.execute(upsert(connection, chains, take=("expires_at",)), header)
            if values:
                await connection.execute(upsert(connection, contexts, take=("value", "size_bytes")), values)

    async def get_context(self, request_id: str, tenant: str) -> ContextRows | None:
        """Return a chain's memory, expired or not; None when there is none.

        Raises:
            StoreUnavailable: The database failed.
        """
        async with self._writer.read() as connection:
            expires_at = await _expires_at(connection, tenant, request_id)
            if expires_at is None:
                return None
            this = _of(contexts, tenant, request_id)
            held = await connection.execute(select(contexts.c.key, contexts.c.value).where(this))
            return ContextRows({row.key: row.value for row in held}, expires_at)

    async def put_result(self, request_id: str, tenant: str, envelope: bytes, *, now: float, ttl_s: float) -> bool:
        """Store the terminal result of a request; False when there is one already.

        Raises:
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        row = {"tenant": tenant, "request_id": request_id, "envelope": envelope, "expires_at": now + ttl_s}
        async with self._write() as connection:
            done = await connection.execute(upsert(connection, results, take=()), row)
            return bool(done.rowcount == 1)

    async def get_result(self, request_id: str, tenant: str) -> bytes | None:
        """Return the stored result, or None.

        Raises:
            StoreUnavailable: The database failed.
        """
        async with self._writer.read() as connection:
            found: bytes | None = await connection.scalar(
                select(results.c.envelope).where(_of(results, tenant, request_id))
            )
            return found

    async def sweep(self, now: float, max_rows: int) -> int:
        """Remove what has expired, and the oldest beyond the bound.

        Raises:
            StaleIncarnation: Another writer has opened the store.
            StoreUnavailable: The database failed.
        """
        async with self._write() as connection:
            removed = await _sweep(connection, chains, now, max_rows)
            orphans = tuple_(contexts.c.tenant, contexts.c.request_id).not_in(
                select(chains.c.tenant, chains.c.request_id)
            )
            if removed:
                await connection.execute(delete(contexts).where(orphans))
            return removed + await _sweep(connection, results, now, max_rows)

    async def close(self) -> None:
        """Close the connections."""
        await self._writer.close()

    def _write(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._writer.write(incarnation=self._writer.incarnation)


async def _expires_at(connection: AsyncConnection, tenant: str, request_id: str) -> float | None:
    found: float | None = await connection.scalar(select(chains.c.expires_at).where(_of(chains, tenant, request_id)))
    return found


async def _held_sizes(connection: AsyncConnection, tenant: str, request_id: str, *, now: float) -> dict[str, int]:
    """Return the size of each value of a chain; what has expired is cleared first."""
    this = _of(contexts, tenant, request_id)
    expires_at = await _expires_at(connection, tenant, request_id)
    if expires_at is None or expires_at <= now:
        await connection.execute(delete(contexts).where(this))
        return {}
    held = await connection.execute(select(contexts.c.key, contexts.c.size_bytes).where(this))
    return {row.key: row.size_bytes for row in held}


async def _sweep(connection: AsyncConnection, table: Table, now: float, max_rows: int) -> int:
    expired = await connection.execute(delete(table).where(table.c.expires_at <= now))
    removed: int = expired.rowcount
    surplus = int(await connection.scalar(select(func.count()).select_from(table)) or 0) - max_rows
    if surplus > 0:
        key = (table.c.tenant, table.c.request_id)
        oldest = select(*key).order_by(table.c.expires_at, *key).limit(surplus)
        await connection.execute(delete(table).where(tuple_(*key).in_(oldest)))
    return removed + max(0, surplus)


def _of(table: Table, tenant: str, request_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant == tenant, table.c.request_id == request_id)


def _stored(key: Key, incarnation: int, data: bytes | None) -> dict[str, Any]:
    return {"agent_id": key[0], "replica_id": key[1], "incarnation": incarnation, "data": data}


def _decoded(data: bytes) -> ReplicaRow:
    try:
        return _DECODER.decode(data)
    except msgspec.DecodeError as fault:
        raise StoreUnavailable(f"A stored replica cannot be read: {fault}.", {"cause": "decode"}) from fault
