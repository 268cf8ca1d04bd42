"""The tables, as the code uses them; :mod:`.migrations` is how a database gets them, a test compares the two.

One schema for every database. On SQLite each writing actor has a file of its own and uses its own tables in it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Double, Index, Integer, LargeBinary, MetaData, String, Table

NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}

metadata = MetaData(naming_convention=NAMING)

writers = Table(
    "writers",
    metadata,
    Column("name", String(64), primary_key=True, comment="registry, journal…"),
    Column("incarnation", BigInteger, nullable=False, comment="The writer that counts; earlier ones are refused."),
    Column("epoch", BigInteger, nullable=False, comment="The last epoch of its feed; 0 without a feed."),
)

replicas = Table(
    "replicas",
    metadata,
    Column("agent_id", String(128), primary_key=True),
    Column("replica_id", String(128), primary_key=True),
    Column("incarnation", BigInteger, nullable=False, comment="The last one, kept when the row is dropped."),
    Column("data", LargeBinary, nullable=True, comment="A ReplicaRow in msgpack; null: dropped."),
)

chains = Table(
    "chains",
    metadata,
    Column("tenant", String(128), primary_key=True),
    Column("request_id", String(200), primary_key=True),
    Column("expires_at", Double, nullable=False, comment="Seconds since the epoch."),
    Index(None, "expires_at"),
)

contexts = Table(
    "contexts",
    metadata,
    Column("tenant", String(128), primary_key=True),
    Column("request_id", String(200), primary_key=True),
    Column("key", String(256), primary_key=True),
    Column("value", LargeBinary, nullable=False),
    Column("size_bytes", Integer, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("tenant", String(128), primary_key=True),
    Column("request_id", String(200), primary_key=True),
    Column("envelope", LargeBinary, nullable=False),
    Column("expires_at", Double, nullable=False, comment="Seconds since the epoch."),
    Index(None, "expires_at"),
)
