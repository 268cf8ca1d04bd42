"""``agentactors diagnose``: a team of agents, each a Ray actor, diagnoses a failed package build."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agentactors.cli.present import StepBoard, show_outcome
from agentactors.config import load_settings
from agentactors.errors import AgentActorsError, InputInvalid
from agentactors.system.system import AgentSystem
from agentactors.teams.diagnosis.cases import Case, check_cases, prediction_row, read_cases
from agentactors.teams.diagnosis.driver import DiagnosisTeam, Outcome
from agentactors.teams.diagnosis.plain import outcome_to_plain
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
        if log is not None:
            failed = asyncio.run(_one(log, as_json=as_json, verify=verify, ecosystem=ecosystem, distro=distro))
        else:
            assert cases is not None
            assert out is not None
            failed = asyncio.run(_many(cases, out, as_json=as_json, verify=verify))
        if failed:
            raise typer.Exit(EXIT_FAILED)


async def _one(path: Path, *, as_json: bool, verify: bool, ecosystem: str | None, distro: str | None) -> bool:
    data = read_log(path)
    size_bytes = len(data)
    board = StepBoard(path.name, size_bytes, quiet=as_json)
    with board:
        board.note("starting the agents")
        async with AgentSystem.start(settings=load_settings(worker_logs=False)) as system:
            team = await DiagnosisTeam.assemble(system, verify=verify)
            board.note("the team is there")
            diagnosing = team.diagnose(data, ecosystem=ecosystem, distro=distro, on_step=board.step)
            del data
            outcome = await diagnosing
            board.note("done")
    if as_json:
        typer.echo(json.dumps(outcome_to_plain(outcome), ensure_ascii=False, indent=2))
    else:
        show_outcome(Console(), path, size_bytes, outcome)
    return not outcome.success


async def _many(cases: Path, out: Path, *, as_json: bool, verify: bool) -> bool:
    """Check the file first, so that a malformed row costs no work; then a failing case is an error in its row."""
    count = check_cases(cases)
    if not out.parent.is_dir():
        raise InputInvalid(f"The folder of {out} does not exist.", {"path": str(out)})
    failed = 0
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json) as progress, out.open("w", encoding="utf-8") as rows:
        bar = progress.add_task("starting the agents", total=count)
        async with AgentSystem.start(settings=load_settings(worker_logs=False)) as system:
            team = await DiagnosisTeam.assemble(system, verify=verify)
            for case in read_cases(cases):
                progress.update(bar, description=case.case_id[:40])
                failed += await _case(team, case, rows)
                progress.advance(bar)
    summary = {"cases": count, "failed": failed, "out": str(out)}
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
    else:
        console.print(f"{count} cases, {failed} failed: {out}", markup=False, highlight=False)
    return failed > 0


async def _case(team: DiagnosisTeam, case: Case, rows: IO[str]) -> bool:
    try:
        outcome = await team.diagnose(case.log_bytes(), ecosystem=case.ecosystem, distro=case.distro)
    except AgentActorsError as fault:
        return _write(rows, {"case_id": case.case_id, "error": fault.to_wire()})
    return _write(rows, _row(case, outcome))


def _row(case: Case, outcome: Outcome) -> dict[str, Any]:
    if outcome.diagnosis is None or not outcome.success:
        error = outcome.error.to_wire() if outcome.error else {"code": "", "message": "; ".join(outcome.audit.problems)}
        return {"case_id": case.case_id, "error": error}
    return prediction_row(case.case_id, outcome.diagnosis)


def _write(rows: IO[str], row: dict[str, Any]) -> bool:
    rows.write(json.dumps(row, ensure_ascii=False) + "\n")
    rows.flush()
    return "error" in row
