"""A migrated database is the one that the code expects."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from agentactors.errors import ConfigInvalid, StoreUnavailable
from agentactors.store.engine import open_engine, sqlite_url, transaction
from agentactors.store.migrate import HEAD, SCRIPTS, migrate, run_scripts
from agentactors.store.tables import metadata


def shape(connection: Connection) -> dict[str, Any]:
    """Return everything about the tables that a database tells."""
    found = inspect(connection)
    return {
        table: {
            "columns": [
                {key: str(value) for key, value in column.items() if key != "comment"}
                for column in found.get_columns(table)
            ],
            "key": found.get_pk_constraint(table),
            "indexes": found.get_indexes(table),
        }
        for table in sorted(found.get_table_names())
        if table != "alembic_version"
    }


async def test_a_fresh_schema_is_the_migrated_schema(tmp_path: Path) -> None:
    migrated, fresh = open_engine(sqlite_url(tmp_path / "a.db")), open_engine(sqlite_url(tmp_path / "b.db"))
    async with transaction(migrated) as connection:
        await connection.run_sync(run_scripts)
    await migrate(fresh)
    async with transaction(fresh) as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one() == HEAD
        expected = await connection.run_sync(shape)
    async with transaction(migrated) as connection:
        assert await connection.run_sync(shape) == expected
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
        )
        assert differences == []
    await migrated.dispose()
    await fresh.dispose()


async def test_migrating_again_changes_nothing(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "a.db"))
    await migrate(engine)
    async with transaction(engine) as connection:
        await connection.execute(text("INSERT INTO writers (name, incarnation, epoch) VALUES ('x', 1, 2)"))
    await migrate(engine)
    async with transaction(engine) as connection:
        assert (await connection.execute(text("SELECT name, incarnation, epoch FROM writers"))).all() == [("x", 1, 2)]
    await engine.dispose()


def test_head_is_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


async def test_a_database_of_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "a.db"))
    await migrate(engine)
    async with transaction(engine) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match="newer version"):
        await migrate(engine)
    await engine.dispose()


async def test_sqlite_is_opened_durable(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "a.db"))
    async with transaction(engine) as connection:
        found = [
            (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        ]
    assert found == ["wal", 2, 5000, 1]
    await engine.dispose()


async def test_a_failed_transaction_leaves_nothing_not_even_tables(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "a.db"))

    async def fail_half_way() -> None:
        async with transaction(engine) as connection:
            await connection.run_sync(metadata.create_all)
            await connection.execute(text("SELECT * FROM no_such_table"))

    with pytest.raises(StoreUnavailable):
        await fail_half_way()
    async with transaction(engine) as connection:
        assert await connection.run_sync(lambda sync: inspect(sync).get_table_names()) == []
    await engine.dispose()


@pytest.mark.parametrize("url", ["", "no url", "mysql://localhost/x", "oracle://x"])
def test_other_databases_are_a_setting_that_is_wrong(url: str) -> None:
    with pytest.raises(ConfigInvalid):
        open_engine(url)


async def test_postgresql_needs_its_driver() -> None:
    if find_spec("asyncpg") is None:
        with pytest.raises(ConfigInvalid, match="asyncpg"):
            open_engine("postgresql://localhost/x")
    else:
        engine = open_engine("postgresql://localhost/x")
        assert engine.dialect.driver == "asyncpg"
        await engine.dispose()
