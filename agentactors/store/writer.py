"""One writer of a database, fenced by its incarnation: what the SQL stores are built on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from sqlalchemy import Table, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from agentactors.errors import StoreUnavailable
from agentactors.store.base import superseded
from agentactors.store.engine import open_engine, transaction
from agentactors.store.migrate import migrate
from agentactors.store.tables import writers


class Writer:
    """The right to write under one name, until somebody else opens it.

    Args:
        url: The database.
        name: Whose tables: registry, journal.
    """

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        self._engine: AsyncEngine | None = None
        self.incarnation = 0
        # Writes of one process take turns here: SQLite's own waiting is a poll with growing pauses.
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[AsyncConnection, int]]:
        """Migrate, become the writer, and give (connection, stored epoch) in the transaction that says so.

        Raises:
            StoreUnavailable: The database cannot be opened.
        """
        if self._engine is None:
            self._engine = open_engine(self._url)
        try:
            await migrate(self._engine)
            async with self._turn, transaction(self._engine) as connection:
                fresh = {"name": self._name, "incarnation": 0, "epoch": 0}
                await connection.execute(upsert(connection, writers, take=()), fresh)
                mine = writers.c.name == self._name
                await connection.execute(update(writers).where(mine).values(incarnation=writers.c.incarnation + 1))
                found = (await connection.execute(select(writers).where(mine))).one()
                yield connection, int(found.epoch)
                self.incarnation = int(found.incarnation)
        except StoreUnavailable:
            await self.close()
            raise

    @asynccontextmanager
    async def write(self, *, incarnation: int, epoch: int | None = None) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction of the writer; the first statement checks that it still is.

        Raises:
            StaleIncarnation: It is not; nothing was written.
            StoreUnavailable: The database failed; nothing was written.
        """
        async with self._turn, transaction(self._opened()) as connection:
            mine = (writers.c.name == self._name) & (writers.c.incarnation == incarnation)
            value = writers.c.epoch if epoch is None else epoch
            done = await connection.execute(update(writers).where(mine).values(epoch=value))
            if done.rowcount != 1:
                raise superseded(self._name, incarnation)
            yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection to read with: a consistent view, and no waiting for writes.

        Raises:
            StoreUnavailable: The database failed.
        """
        async with transaction(self._opened()) as connection:
            yield connection

    async def close(self) -> None:
        """Close the connections."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.dispose()

    def _opened(self) -> AsyncEngine:
        if self._engine is None:
            raise StoreUnavailable(f"The {self._name}'s store is closed.", {"cause": "closed"})
        return self._engine


def upsert(connection: AsyncConnection, table: Table, *, take: tuple[str, ...]) -> Any:
    """Return the statement that inserts a row, or changes the one that has its key.

    Args:
        connection: Tells the dialect.
        table: Where.
        take: The columns that an existing row takes from the new one; none: it stays as it is, and the
            statement's row count is 0.
    """
    # Of the two dialects, only the one in use is worth its import at every start.
    dialect: Any = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    statement = dialect.insert(table)
    keys = list(table.primary_key.columns)
    if not take:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(index_elements=keys, set_={name: statement.excluded[name] for name in take})
