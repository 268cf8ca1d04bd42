"""``agentactors diagnose``: a team of agents, each a Ray actor, diagnoses a failed package build."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.cases import check_cases
from agentactors.teams.diagnosis.source import read_log

EXIT_FAILED = 1

LogArgument = Annotated[
    Path | None, typer.Argument(help="A build log, plain or .gz, up to 100 MB.", show_default=False)
]
CasesOption = Annotated[Path | None, typer.Option("--cases", help="Many logs: JSON lines with case_id and log.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Where the predictions for --cases go.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
VerifyOption = Annotated[bool, typer.Option("--verify", help="Let a Verifier check the result.")]
EcosystemOption = Annotated[str | None, typer.Option(help="Build world, such as rpm, deb, python.")]
DistroOption = Annotated[str | None, typer.Option(help="Distribution, such as 'openEuler 24.03'.")]


def add_to(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("diagnose")
    def diagnose(  # noqa: PLR0917 - a command's parameters are its options
        log: LogArgument = None,
        cases: CasesOption = None,
        out: OutOption = None,
        as_json: JsonOption = False,
        verify: VerifyOption = False,
        ecosystem: EcosystemOption = None,
        distro: DistroOption = None,
    ) -> None:
        """Diagnose a failed package build: stage, root cause, culprit, evidence, fix."""
        if (log is None) == (cases is None):
            raise InputInvalid("Name either a log, or --cases with a file of many.")
        if (cases is None) != (out is None):
            raise InputInvalid("--cases and --out belong together: where the logs are, and where the predictions go.")
        # Input is checked before Ray is even imported: what is wrong with it is told at once.
        if log is not None:
            data = read_log(log)
            from agentactors.cli.team import diagnose_one

            given = {"ecosystem": ecosystem, "distro": distro}
            failed = asyncio.run(diagnose_one(log.name, [data], as_json=as_json, verify=verify, **given))
        else:
            assert cases is not None
            assert out is not None
            count = check_cases(cases)
            if not out.parent.is_dir():
                raise InputInvalid(f"The folder of {out} does not exist.", {"path": str(out)})
            from agentactors.cli.team import diagnose_many

            failed = asyncio.run(diagnose_many(cases, out, count, as_json=as_json, verify=verify))
        if failed:
            raise typer.Exit(EXIT_FAILED)
