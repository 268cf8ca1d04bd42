"""The four-agent team on real Ray: what each member does, what is refused, what the audit sees."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from agentactors import Agent, AgentSystem, Context, Role, capability
from agentactors.errors import (
    DependencyNotReady,
    RoleCapabilityMismatch,
    UpstreamResultMissing,
)
from agentactors.protocol.envelope import MessageType
from agentactors.protocol.lifecycle import TaskState
from agentactors.teams.diagnosis.driver import DiagnosisTeam, Outcome
from agentactors.teams.diagnosis.members import Executor, Planner, Retrieval, Retriever, Summarizer
from agentactors.teams.diagnosis.model import Findings
from agentactors.teams.diagnosis.plain import outcome_to_plain
from tests.support.systems import running
from tests.support.waiting import until

LOG = (files("agentactors.teams.diagnosis") / "data" / "tidegauge-2.3.1.log").read_bytes()


@pytest.fixture(scope="module")
async def team(system: AgentSystem) -> DiagnosisTeam:
    """Give the full team, Verifier included."""
    return await DiagnosisTeam.assemble(system, verify=True)


@pytest.fixture(scope="module")
async def outcome(team: DiagnosisTeam) -> Outcome:
    """Give the outcome of the bundled log."""
    return await team.diagnose(LOG, ecosystem="rpm")


@pytest.mark.spec("COLLAB-10", "COLLAB-08", "RAY-01")
async def test_a_real_log_is_diagnosed_by_agents_that_are_actors(outcome: Outcome, system: AgentSystem) -> None:
    assert outcome.diagnosis is not None, outcome.error
    assert outcome.state is TaskState.SUCCEEDED
    assert (outcome.diagnosis.stage, outcome.diagnosis.category) == ("compile", "missing_header")
    assert outcome.diagnosis.culprit == "lzo/lzo1x.h"
    quoted = outcome.diagnosis.evidence[0]
    assert LOG.decode().splitlines()[quoted.line_number - 1] == quoted.text
    assert outcome.diagnosis.fix
    assert outcome.diagnosis.knowledge[0].score > 0
    assert outcome.diagnosis.knowledge[0].source
    pids = {(await system.describe(row["endpoint"]))["pid"] for row in await system.agents()}
    assert len(pids) == 5
    assert os.getpid() not in pids


@pytest.mark.spec("COLLAB-09")
async def test_the_audit_sees_who_took_part_and_what_was_consumed(outcome: Outcome) -> None:
    assert outcome.audit.multi_agent_collaboration_valid, outcome.audit.problems
    assert outcome.audit.call_chain == "task -> Planner -> Retriever/Executor -> Summarizer -> Verifier -> result"
    summary = next(record for record in outcome.records if record.capability == "summary.create")
    produced = {name for record in outcome.records for name in record.produced}
    assert len(summary.consumed) == 2
    assert set(summary.consumed) <= produced
    assert outcome.success


@pytest.mark.spec("COLLAB-03", "COLLAB-04")
async def test_every_task_is_requested_accepted_run_and_ended(outcome: Outcome) -> None:
    kinds = [record.message_type for record in outcome.records]
    assert kinds[0] is MessageType.TASK_REQUEST
    assert kinds.count(MessageType.ACTION_REQUEST) == len(outcome.steps) + 1
    for step in outcome.steps:
        states = [change.state for change in step.history]
        assert states == [
            TaskState.CREATED,
            TaskState.REQUESTED,
            TaskState.ACCEPTED,
            TaskState.RUNNING,
            TaskState.SUCCEEDED,
        ]


@pytest.mark.spec("COLLAB-08")
async def test_retrieval_and_execution_run_side_by_side_and_before_the_summary(outcome: Outcome) -> None:
    by_capability = {record.capability: record for record in outcome.records}
    retrieval, reading = by_capability["retrieve.search"], by_capability["tool.read_build_log"]
    assert max(retrieval.started, reading.started) < min(retrieval.ended, reading.ended)
    assert by_capability["summary.create"].started >= max(retrieval.ended, reading.ended)
    assert set(outcome.environment) == {"os_info", "python_env", "disk_usage", "check_commands"}


@pytest.mark.spec("COLLAB-08")
async def test_the_verifier_checks_the_diagnosis_against_the_log(outcome: Outcome) -> None:
    assert outcome.verdict is not None
    assert outcome.verdict.ok, outcome.verdict
    plain = outcome_to_plain(outcome)
    assert plain["success"]
    assert plain["verdict"]["ok"]


@pytest.mark.spec("RAY-04")
async def test_the_log_is_handed_over_once_and_released(team: DiagnosisTeam, system: AgentSystem) -> None:
    await team.diagnose(LOG)
    for row in await system.agents():
        assert (await system.describe(row["endpoint"]))["custody"]["held"] == 0
    held = system._parts.custody.statistics()
    assert held.held == 0


@pytest.mark.spec("COLLAB-07")
async def test_a_capability_is_not_served_by_another_role(team: DiagnosisTeam, system: AgentSystem) -> None:
    del team
    with pytest.raises(RoleCapabilityMismatch, match=r"retrieve\.search"):
        await system.ask("retrieve.search", {"task_text": "x"}, agent_id="diagnosis.executor")


@pytest.mark.spec("COLLAB-08")
async def test_a_summary_without_both_upstream_results_is_refused(team: DiagnosisTeam, system: AgentSystem) -> None:
    del team
    upstream = {"retrieve": {"message_id": "msg-1", "value": {"hits": [], "lines_searched": 0}}}
    with pytest.raises(UpstreamResultMissing, match="read_build_log"):
        await system.ask("summary.create", {"task_text": "x", "upstream": upstream})


class WrongRole(Agent):
    """A planner that would also search."""

    role = Role.PLANNER

    @capability("retrieve.search")
    async def search(self) -> str:
        """Search, which is not its role."""
        return ""


class EveryRole(Agent):
    """One agent that would be the whole team."""

    role = Role.PLANNER

    @capability("plan.create")
    async def plan(self) -> str:
        """Plan."""
        return ""

    @capability("summary.create")
    async def summarize(self) -> str:
        """Summarize."""
        return ""


@pytest.mark.spec("COLLAB-07")
@pytest.mark.parametrize("cls", [WrongRole, EveryRole])
async def test_a_capability_on_the_wrong_role_does_not_register(system: AgentSystem, cls: type[Agent]) -> None:
    before = len(await system.agents())
    with pytest.raises(RoleCapabilityMismatch):
        await system.spawn(cls)
    assert len(await system.agents()) == before


class Deaf(Agent):
    """A Retriever whose structured path is broken: it only understands plain words."""

    agent_id = "deaf.retriever"
    role = Role.RETRIEVER

    def __init__(self) -> None:
        self._inner = Retriever()

    @capability("retrieve.search", takes_query="task_text")
    def search(self, task_text: str, log: memoryview | None = None, ecosystem: str | None = None) -> Retrieval:
        """Search with words alone."""
        if log is not None:
            raise ValueError("cannot read logs")
        return self._inner.search(task_text, None, ecosystem)


class Stubborn(Agent):
    """An Executor whose log reading never ends by itself."""

    agent_id = "stubborn.executor"
    role = Role.EXECUTOR

    @capability("tool.read_build_log")
    async def read(self, ctx: Context, task_text: str, log: memoryview) -> Findings:
        """Wait for ever."""
        ctx.progress("waiting")
        await asyncio.Event().wait()
        raise AssertionError


@pytest.fixture
async def bare_system(tmp_path: Path) -> AsyncIterator[AgentSystem]:
    """Give a system without agents."""
    async with running(tmp_path / "bare") as started:
        yield started


@pytest.mark.spec("COLLAB-07")
async def test_a_team_without_a_core_role_does_not_start(bare_system: AgentSystem) -> None:
    await asyncio.gather(*(bare_system.spawn(member) for member in (Planner, Retriever, Executor)))
    with pytest.raises(DependencyNotReady, match="summarizer"):
        await DiagnosisTeam.join(bare_system)


@pytest.mark.spec("COLLAB-06")
async def test_a_retrieval_that_fails_is_asked_again_in_plain_words(bare_system: AgentSystem) -> None:
    await asyncio.gather(*(bare_system.spawn(member) for member in (Planner, Deaf, Executor, Summarizer)))
    team = await DiagnosisTeam.join(bare_system)
    outcome = await team.diagnose(LOG)
    assert outcome.diagnosis is not None, outcome.error
    (fallback,) = outcome.fallbacks
    assert (fallback.reason, fallback.ok) == ("AGENT_FAILED", True)
    assert fallback.tokens > 0
    assert not fallback.text.lstrip().startswith("{")


@pytest.mark.spec("COLLAB-04", "COLLAB-08")
async def test_a_member_that_dies_fails_the_task_and_not_the_driver(bare_system: AgentSystem) -> None:
    await asyncio.gather(*(bare_system.spawn(member) for member in (Planner, Retriever, Stubborn, Summarizer)))
    team = await DiagnosisTeam.join(bare_system)
    events: list[tuple[str, str]] = []
    running_task = asyncio.create_task(
        team.diagnose(LOG, timeout_s=30.0, on_step=lambda step, _role, event: events.append((step, event)))
    )
    await until(lambda: ("read_build_log", "waiting") in events, within_s=20, what="the log reading to begin")
    described: dict[str, Any] = await bare_system.describe("agent/stubborn.executor/0")
    os.kill(described["pid"], signal.SIGKILL)
    outcome = await running_task
    assert outcome.diagnosis is None
    assert outcome.error is not None
    assert outcome.error.code == "AGENT_UNAVAILABLE"
    assert not outcome.audit.multi_agent_collaboration_valid
    assert not outcome.success
    states = {step.step_id: step.state for step in outcome.steps}
    assert states["summarize"] is TaskState.CANCELLED


@pytest.mark.spec("COLLAB-08")
async def test_a_deadline_ends_the_task_with_every_step_ended(bare_system: AgentSystem) -> None:
    await asyncio.gather(*(bare_system.spawn(member) for member in (Planner, Retriever, Stubborn, Summarizer)))
    team = await DiagnosisTeam.join(bare_system)
    outcome = await team.diagnose(LOG, timeout_s=2.0)
    assert outcome.error is not None
    assert outcome.error.code in {"DEADLINE_EXCEEDED", "UPSTREAM_RESULT_MISSING"}
    assert all(
        step.state in {TaskState.TIMED_OUT, TaskState.CANCELLED, TaskState.SUCCEEDED, TaskState.FAILED}
        for step in outcome.steps
    )
