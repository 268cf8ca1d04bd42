"""A team of agents, each a Ray actor, diagnoses a failed package build: ``python examples/build_diagnosis.py [LOG]``."""

from __future__ import annotations

import asyncio
import sys
from importlib.resources import files
from pathlib import Path

from agentactors import AgentSystem
from agentactors.teams.diagnosis.driver import DiagnosisTeam
from agentactors.teams.diagnosis.report import to_markdown
from agentactors.teams.diagnosis.source import read_log

BUNDLED = files("agentactors.teams.diagnosis") / "data" / "tidegauge-2.3.1.log"


async def main(path: Path) -> None:
    """Start a system, assemble the team, diagnose one log and print the report as Markdown."""
    log = read_log(path)
    async with AgentSystem.start() as system:
        team = await DiagnosisTeam.assemble(system, verify=True)
        outcome = await team.diagnose(log, on_step=lambda step, role, event: print(f"[{role}] {step}: {event}"))
    if outcome.diagnosis is None:
        print(f"No diagnosis: {outcome.error}")
        return
    print(to_markdown(outcome.diagnosis, outcome.findings, outcome.verdict))
    print(f"{outcome.audit.call_chain}, collaboration valid: {outcome.audit.multi_agent_collaboration_valid}")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else str(BUNDLED))))
