"""Tables of the registry and of the journal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "writers",
        sa.Column("name", sa.String(64), nullable=False, comment="registry, journal…"),
        sa.Column(
            "incarnation", sa.BigInteger, nullable=False, comment="The writer that counts; earlier ones are refused."
        ),
        sa.Column("epoch", sa.BigInteger, nullable=False, comment="The last epoch of its feed; 0 without a feed."),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_writers")),
    )
    op.create_table(
        "replicas",
        sa.Column("agent_id", sa.String(128), nullable=False),
        sa.Column("replica_id", sa.String(128), nullable=False),
        sa.Column("incarnation", sa.BigInteger, nullable=False, comment="The last one, kept when the row is dropped."),
        sa.Column("data", sa.LargeBinary, nullable=True, comment="A ReplicaRow in msgpack; null: dropped."),
        sa.PrimaryKeyConstraint("agent_id", "replica_id", name=op.f("pk_replicas")),
    )
    op.create_table(
        "chains",
        sa.Column("tenant", sa.String(128), nullable=False),
        sa.Column("request_id", sa.String(200), nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False, comment="Seconds since the epoch."),
        sa.PrimaryKeyConstraint("tenant", "request_id", name=op.f("pk_chains")),
    )
    op.create_index(op.f("ix_chains_expires_at"), "chains", ["expires_at"])
    op.create_table(
        "contexts",
        sa.Column("tenant", sa.String(128), nullable=False),
        sa.Column("request_id", sa.String(200), nullable=False),
        sa.Column("key", sa.String(256), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.Column("size_bytes", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("tenant", "request_id", "key", name=op.f("pk_contexts")),
    )
    op.create_table(
        "results",
        sa.Column("tenant", sa.String(128), nullable=False),
        sa.Column("request_id", sa.String(200), nullable=False),
        sa.Column("envelope", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False, comment="Seconds since the epoch."),
        sa.PrimaryKeyConstraint("tenant", "request_id", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_expires_at"), "results", ["expires_at"])


def downgrade() -> None:
    for table in ("results", "contexts", "chains", "replicas", "writers"):
        op.drop_table(table)
