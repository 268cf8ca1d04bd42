"""Open a database the way every store needs it, and turn its errors into ours."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from agentactors.errors import ConfigInvalid, StoreUnavailable

BUSY_TIMEOUT_MS: Final = 5000
_PRAGMAS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # an acknowledged write survives power loss, not only the process
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    "PRAGMA foreign_keys=ON",
)


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file."""
    return URL.create("sqlite+aiosqlite", database=str(path)).render_as_string(hide_password=False)


def open_engine(url: str) -> AsyncEngine:
    """Return an engine; it connects when it is first used.

    SQLite: the file's folder is made, WAL, ``synchronous=FULL``, and real transactions (the driver's own would
    commit each CREATE TABLE by itself). One process may write to a file.

    Args:
        url: Such as ``sqlite+aiosqlite:////var/lib/x.db`` or ``postgresql+asyncpg://…``; the drivers may be left
            out of it.

    Raises:
        ConfigInvalid: It is no URL of a database, of one that is not supported, or of one whose driver is not
            installed.
        StoreUnavailable: The folder of an SQLite file cannot be made.
    """
    parsed = _parse(url)
    if parsed.get_backend_name() != "sqlite":
        return _open_server(parsed)
    if parsed.database and parsed.database != ":memory:":
        try:
            Path(parsed.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as fault:
            raise StoreUnavailable(f"The folder of {parsed.database} cannot be made: {fault}.") from None
    engine = create_async_engine(parsed)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection in a transaction: committed at the end, rolled back on any error.

    Raises:
        StoreUnavailable: The database did not answer or refused; nothing was written.
    """
    try:
        async with engine.begin() as connection:
            yield connection
    except (SQLAlchemyError, sqlite3.Error, OSError) as fault:
        raise unavailable(fault) from fault


def unavailable(fault: Exception) -> StoreUnavailable:
    """Return our error for one of the database's; no values of the statement are in it."""
    cause = getattr(fault, "orig", None) or fault
    text = str(cause).partition("\n")[0]
    return StoreUnavailable(f"The database failed: {text}.", {"cause": type(cause).__name__})


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ConfigInvalid(f"{url.partition('@')[0][:20]!r}… is no URL of a database.", {"key": "store_url"}) from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    if parsed.get_backend_name() not in drivers:
        raise ConfigInvalid(
            f"Databases of the kind {parsed.get_backend_name()!r} are not supported; use sqlite or postgresql.",
            {"key": "store_url"},
        )
    return parsed.set(drivername=drivers[parsed.get_backend_name()])


def _open_server(url: URL) -> AsyncEngine:
    try:
        return create_async_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError as fault:
        raise ConfigInvalid(
            f"The driver of {url.drivername} is not installed: install the package {fault.name!r}.",
            {"key": "store_url", "package": fault.name},
        ) from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # SQLAlchemy sends BEGIN, the driver sends nothing of its own
    cursor = connection.cursor()
    try:
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
    except connection.dbapi.Error:
        # A file that is no database is found out here, and nobody closes a connection that was never ready.
        cursor.close()
        connection.close()
        raise
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
