"""Bring a database to the schema of this version."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from agentactors.errors import StoreUnavailable
from agentactors.store.engine import transaction
from agentactors.store.tables import metadata

HEAD: Final = "0001"
"""The newest revision; a test compares it with the files."""
SCRIPTS: Final = Path(__file__).parent / "migrations"


async def migrate(engine: AsyncEngine) -> None:
    """Bring the database to :data:`HEAD`, in one transaction. A database that is there already costs one read.

    Raises:
        StoreUnavailable: The database failed, or a newer version of agentactors has written it.
    """
    async with transaction(engine) as connection:
        await connection.run_sync(_bring_to_head)


def _bring_to_head(connection: Connection) -> None:
    if not inspect(connection).get_table_names():
        # An empty database needs no history: a test holds that this schema and the scripts' are the same.
        metadata.create_all(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": HEAD})
    elif _revision(connection) != HEAD:
        run_scripts(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return revision


def run_scripts(connection: Connection) -> None:
    """Run the migration scripts that the database has not seen yet.

    Raises:
        StoreUnavailable: A newer version of agentactors has written it.
    """
    # Alembic takes a third of a second to import, and most starts have nothing to migrate.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util.exc import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as fault:
        raise StoreUnavailable(
            f"The database cannot be brought to revision {HEAD} ({fault}): a newer version of agentactors wrote it.",
            {"cause": "revision"},
        ) from fault
