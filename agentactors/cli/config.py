"""``agentactors config show``: every setting in force, and where its value comes from."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from agentactors.config import Settings, load_settings, source_of


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Settings in force.", no_args_is_help=True)
    app.add_typer(group, name="config")

    @group.command("show")
    def show(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
        """Print every setting with its value and its source: environment, file or default."""
        settings = load_settings().model_dump(mode="json")
        if as_json:
            rows = {name: {"value": value, "source": source_of(name)} for name, value in settings.items()}
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        table = Table(box=None, pad_edge=False)
        for column in ("setting", "value", "source", "meaning"):
            table.add_column(column)
        for name, value in settings.items():
            table.add_row(name, str(value), source_of(name), Settings.model_fields[name].description)
        Console().print(table)
