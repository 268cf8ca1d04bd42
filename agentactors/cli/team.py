"""Running the diagnosis team for the command line: one log, or a file of many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agentactors.cli.present import StepBoard, show_outcome
from agentactors.config import load_settings
from agentactors.errors import AgentActorsError
from agentactors.system.system import AgentSystem
from agentactors.teams.diagnosis.cases import Case, prediction_row, read_cases
from agentactors.teams.diagnosis.driver import DiagnosisTeam, Outcome
from agentactors.teams.diagnosis.plain import outcome_to_plain


async def diagnose_one(
    name: str, log: list[bytes], *, as_json: bool, verify: bool, ecosystem: str | None, distro: str | None
) -> bool:
    """Diagnose one log and print the report; say whether that failed.

    Args:
        name: Of the log, for the report.
        log: Holds its bytes alone; they are taken out, so that the memory is free once the agents have them.
        as_json: Print JSON.
        verify: Let a Verifier check the result.
        ecosystem: Build world, when known.
        distro: Distribution, when known.
    """
    size_bytes = len(log[0])
    board = StepBoard(name, size_bytes, quiet=as_json)
    with board:
        board.note("starting the agents")
        async with AgentSystem.start(settings=load_settings(worker_logs=False)) as system:
            team = await DiagnosisTeam.assemble(system, verify=verify)
            board.note("the team is there")
            outcome = await team.diagnose(log.pop(), ecosystem=ecosystem, distro=distro, on_step=board.step)
            board.note("done")
    if as_json:
        typer.echo(json.dumps(outcome_to_plain(outcome), ensure_ascii=False, indent=2))
    else:
        show_outcome(Console(), name, size_bytes, outcome)
    return not outcome.success


async def diagnose_many(cases: Path, out: Path, count: int, *, as_json: bool, verify: bool) -> bool:
    """Diagnose a checked file of ``count`` cases; a case that fails is an error in its row, and the run goes on."""
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
