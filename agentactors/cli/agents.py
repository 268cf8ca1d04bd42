"""``agentactors agents``: who is registered in a running system, and how each one is."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentactors.config import load_settings

_LATE_S = 1.0
_STATUS_STYLE = {"active": "green", "degraded": "yellow", "offline": "red"}

SystemOption = Annotated[str | None, typer.Option("--system", help="Name of the system; the only one by default.")]
TenantOption = Annotated[str, typer.Option(help="Whose agents.")]


def add_to(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("agents")
    def agents(
        system: SystemOption = None,
        tenant: TenantOption = "default",
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ) -> None:
        """List the agents of a running system: status, load, what they can do, what is wrong with them."""
        rows = asyncio.run(_rows(system, tenant))
        if as_json:
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        else:
            Console().print(_table(rows) if rows else "No agents are registered.")


async def _rows(name: str | None, tenant: str) -> list[dict[str, Any]]:
    from agentactors.system.system import AgentSystem

    async with AgentSystem.attach(name, tenant=tenant, settings=load_settings(worker_logs=False)) as system:
        return await system.agents()


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("agent", "replica", "status", "role", "calls", "heartbeat"):
        table.add_column(column, no_wrap=True)
    table.add_column("capabilities, and what is wrong", overflow="fold")
    for row in sorted(rows, key=lambda one: (one["agent_id"], one["replica_id"])):
        table.add_row(
            row["agent_id"],
            f"{row['replica_id']}@{row['incarnation']}",
            Text(row["status"], style=_STATUS_STYLE[row["status"]]),
            row["role"] or "",
            str(row["in_flight"]),
            f"{row['last_heartbeat_age_s']:.1f} s ago",
            Text(", ".join(row["capabilities"])) + Text(_wrong(row), style="red"),
        )
    return table


def _wrong(row: dict[str, Any]) -> str:
    late = f"its loop is {row['lag_s']:.1f} s late" if row["lag_s"] >= _LATE_S else ""
    found = "; ".join(part for part in (row["cause"], late) if part)
    return f" ({found})" if found else ""
