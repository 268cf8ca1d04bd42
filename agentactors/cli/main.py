"""``agentactors``: the commands, and the one place where errors become a sentence and an exit code."""

from __future__ import annotations

import sys
from typing import Final

import typer
from rich.console import Console

from agentactors import __version__
from agentactors.cli import agents, config, diagnose, doctor
from agentactors.errors import AgentActorsError, UserMistake

EXIT_FAILED: Final = 1
EXIT_WRONG_USE: Final = 2
EXIT_INTERRUPTED: Final = 130

app = typer.Typer(
    name="agentactors",
    help="Agents as Ray actors: found by capability, reached safely, handed large state without copies.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
diagnose.add_to(app)
agents.add_to(app)
doctor.add_to(app)
config.add_to(app)


def _version(show: bool) -> None:
    if show:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Agents as Ray actors: found by capability, reached safely, handed large state without copies."""
    del version


def main() -> None:
    """Run a command: exit 0 done, 1 the work failed, 2 wrong use or input, 130 interrupted."""
    try:
        app()
    except UserMistake as fault:
        _say(fault)
        sys.exit(EXIT_WRONG_USE)
    except AgentActorsError as fault:
        _say(fault)
        sys.exit(EXIT_FAILED)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


def _say(fault: AgentActorsError) -> None:
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(f"[bold red]{fault.code}[/] ", end="")
    console.print(fault.message, markup=False)
