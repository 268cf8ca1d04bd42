"""Bring a database to the schema of this version."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from agentactors.errors import StoreUnavailable
from agentactors.store.engine import transaction

HEAD: Final = "0001"
"""The newest revision; a test compares it with the files."""
SCRIPTS: Final = Path(__file__).parent / "migrations"


async def migrate(engine: AsyncEngine) -> None:
    """Bring the database to :data:`HEAD`, in one transaction. A database that is there already costs one read.

    Raises:
        StoreUnavailable: The database failed, or a newer version of agentactors has written it.
    """
    async with transaction(engine) as connection:
        if await connection.run_sync(_revision) != HEAD:
            await connection.run_sync(_upgrade)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return revision


def _upgrade(connection: Connection) -> None:
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
