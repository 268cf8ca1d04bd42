"""The plan of a task, which travels as the Planner's result, and its execution.

Theory of operation. A plan is a graph of steps; each names the role and capability that serve it and the
steps whose results it needs. :func:`run_plan` starts a step as soon as its needs are there, so steps that do
not depend on each other run side by side. A step that fails takes with it whatever needs it (those steps end
as CANCELLED with UPSTREAM_RESULT_MISSING) and nothing else; an ``optional`` step takes nothing with it.
Every step is a :class:`~agentactors.protocol.lifecycle.TaskRecord`, so a result, a failure and a time-out
that race end in one state. Errors that are not ours are bugs: they stop the run and come out of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from agentactors.errors import (
    AgentActorsError,
    Cancelled,
    DeadlineExceeded,
    ResultInvalid,
    RoleCapabilityMismatch,
    UpstreamResultMissing,
)
from agentactors.protocol.lifecycle import TERMINAL, StateChange, TaskRecord, TaskState
from agentactors.protocol.roles import ROLE_CAPABILITIES, Role

CONTEXT_TOOLS: Final = ("os_info", "python_env", "disk_usage", "check_commands")
"""Cheap tools that tell where a build ran; a diagnosis can do without them."""


class Step(BaseModel):
    """One call of a plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step_id: str = Field(min_length=1, max_length=100, description="Unique within the plan.")
    role: Role = Field(description="Who serves it.")
    capability: str = Field(description="What is asked; belongs to the role.")
    parameters: dict[str, Any] = Field(default_factory=dict, description="Plain values known before the run.")
    needs: tuple[str, ...] = Field(default=(), description="Steps whose results it gets.")
    optional: bool = Field(default=False, description="Its failure takes nothing with it.")


class Plan(BaseModel):
    """The steps of one task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_text: str = Field(description="The task, in the words of its caller.")
    steps: tuple[Step, ...] = Field(min_length=1, max_length=1000, description="In no particular order.")


@dataclass(frozen=True, slots=True)
class StepResult:
    """How one step ended."""

    step_id: str
    state: TaskState
    """SUCCEEDED, FAILED, CANCELLED or TIMED_OUT."""
    value: Any = None
    error: AgentActorsError | None = None
    """Why, for every other state than SUCCEEDED."""
    history: tuple[StateChange, ...] = ()
    """Every state with its time."""


def make_plan(
    task_text: str,
    *,
    verify: bool,
    inputs: Mapping[str, Any] | None = None,
    context_tools: Collection[str] = CONTEXT_TOOLS,
) -> Plan:
    """Return the plan that diagnoses a failed build; the same arguments give the same plan.

    Args:
        task_text: The task, in the words of its caller; every role gets it as ``task_text``.
        verify: Whether a Verifier checks the summary.
        inputs: Further plain values (the log, its distribution…) for all that read the log.
        context_tools: Tools of the Executor to run beside ``read_build_log``.
    """
    given = {**(inputs or {}), "task_text": task_text}
    text = {"task_text": task_text}
    evidence = [
        Step(step_id="retrieve", role=Role.RETRIEVER, capability="retrieve.search", parameters=given),
        Step(step_id="read_build_log", role=Role.EXECUTOR, capability="tool.read_build_log", parameters=given),
    ]
    evidence += [
        Step(step_id=tool, role=Role.EXECUTOR, capability=f"tool.{tool}", optional=True) for tool in context_tools
    ]
    needs = tuple(step.step_id for step in evidence)
    summary = Step(step_id="summarize", role=Role.SUMMARIZER, capability="summary.create", parameters=text, needs=needs)
    steps = [*evidence, summary]
    if verify:
        needs = ("summarize", "read_build_log")
        steps.append(
            Step(step_id="verify", role=Role.VERIFIER, capability="verify.check", parameters=given, needs=needs)
        )
    plan = Plan(task_text=task_text, steps=tuple(steps))
    check_plan(plan)
    return plan


def check_plan(plan: Plan) -> None:
    """Check that a plan can be run.

    Raises:
        ResultInvalid: Two steps of one id, a need that is no step, or steps that need each other; a plan is
            the Planner's result, so the Planner is what has to be mended.
        RoleCapabilityMismatch: A step asks a role for what belongs to another, which would go round the role.
    """
    ids = [step.step_id for step in plan.steps]
    twice = next((step_id for step_id in ids if ids.count(step_id) > 1), None) if len(set(ids)) < len(ids) else None
    if twice is not None:
        raise ResultInvalid(f"The plan has two steps {twice!r}.", {"path": "$.steps", "step_id": twice})
    known = set(ids)
    for step in plan.steps:
        if step.capability not in ROLE_CAPABILITIES[step.role]:
            raise RoleCapabilityMismatch(
                f"Step {step.step_id!r} asks a {step.role} for {step.capability!r}, which is not its own.",
                {"step_id": step.step_id, "role": step.role.value, "capability": step.capability},
            )
        unknown = sorted(set(step.needs) - known)
        if unknown:
            raise ResultInvalid(
                f"Step {step.step_id!r} needs {unknown[0]!r}, which is no step.",
                {"path": "$.steps", "step_id": step.step_id, "unknown": unknown},
            )
    try:
        TopologicalSorter({step.step_id: step.needs for step in plan.steps}).prepare()
    except CycleError as fault:
        cycle = list(fault.args[1])
        raise ResultInvalid(
            f"Steps of the plan need each other: {' -> '.join(cycle)}.", {"path": "$.steps", "cycle": cycle}
        ) from None


def ready(plan: Plan, done: Collection[str]) -> list[Step]:
    """Return the steps that are not done and whose needs all are, in the plan's order."""
    finished = set(done)
    return [step for step in plan.steps if step.step_id not in finished and finished.issuperset(step.needs)]


RunStep = Callable[[Step, Mapping[str, Any]], Awaitable[Any]]
"""Runs one step, given the values of its needs by step id (an optional need that failed has no value)."""


async def run_plan(
    plan: Plan, run_step: RunStep, *, clock: Callable[[], float], deadline: float | None = None
) -> dict[str, StepResult]:
    """Run a plan.

    Guarantees: each step is run at most once and ends in a terminal state; a step starts only after its
    needs have ended; when this returns or raises, no step runs any more.

    Args:
        plan: What to do; checked first.
        run_step: Called once for each step, steps that are ready together run concurrently.
        clock: Gives seconds since the epoch.
        deadline: When to stop, on ``clock``. Steps that have not ended by then are cancelled and TIMED_OUT.

    Returns:
        The end of every step, by step id, in the plan's order.

    Raises:
        ResultInvalid: The plan cannot be run.
        RoleCapabilityMismatch: A step goes round its role.
        ExceptionGroup: ``run_step`` raised something that is not an AgentActorsError.
    """
    check_plan(plan)
    run = _Run(plan, run_step, clock)
    left_s = None if deadline is None else max(0.0, deadline - clock())
    try:
        async with asyncio.timeout(left_s) as limit, asyncio.TaskGroup() as group:
            run.start_ready(group)
    except TimeoutError:
        if not limit.expired():
            raise
    run.time_out_rest()
    return run.results()


@dataclass(slots=True)
class _Run:
    """One execution of a plan: the tasks, what they returned, and why they failed."""

    plan: Plan
    run_step: RunStep
    clock: Callable[[], float]
    records: dict[str, TaskRecord] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, AgentActorsError] = field(default_factory=dict)

    def __post_init__(self) -> None:
        now = self.clock()
        self.records = {step.step_id: TaskRecord(step.step_id, now) for step in self.plan.steps}

    def start_ready(self, group: asyncio.TaskGroup) -> None:
        """Settle every step whose needs have ended: start it, or cancel it when a need is lacking."""
        moved = True
        while moved:  # a cancelled step may settle the steps that need it
            ended = {step_id for step_id, record in self.records.items() if record.state in TERMINAL}
            moved = False
            for step in ready(self.plan, ended):
                record = self.records[step.step_id]
                if record.state is not TaskState.CREATED:
                    continue
                lacking = [need for need in step.needs if need not in self.values and not self._optional(need)]
                if lacking:
                    self._lack(step, lacking)
                    moved = True
                else:
                    record.move(TaskState.CREATED, TaskState.REQUESTED, self.clock())
                    group.create_task(self._work(step, group), name=f"step {step.step_id}")

    def time_out_rest(self) -> None:
        """End what has not ended: only a deadline leaves such steps."""
        for step_id, record in self.records.items():
            if record.end(TaskState.TIMED_OUT, self.clock()):
                self.errors[step_id] = DeadlineExceeded(
                    f"Step {step_id!r} had not ended at the deadline of its plan.", {"step_id": step_id}
                )

    def results(self) -> dict[str, StepResult]:
        """Return the end of every step."""
        return {
            step_id: StepResult(
                step_id, record.state, self.values.get(step_id), self.errors.get(step_id), record.history
            )
            for step_id, record in self.records.items()
        }

    async def _work(self, step: Step, group: asyncio.TaskGroup) -> None:
        record = self.records[step.step_id]
        record.move(TaskState.REQUESTED, TaskState.ACCEPTED, self.clock())
        record.move(TaskState.ACCEPTED, TaskState.RUNNING, self.clock())
        upstream = {need: self.values[need] for need in step.needs if need in self.values}
        try:
            value = await self.run_step(step, upstream)
        except AgentActorsError as fault:
            if _being_cancelled():  # the agent's answer to our own cancel is not why the step ended
                return
            if record.end(_end_of(fault), self.clock()):
                self.errors[step.step_id] = fault
        else:
            if record.end(TaskState.SUCCEEDED, self.clock()):
                self.values[step.step_id] = value
        if not _being_cancelled():
            self.start_ready(group)

    def _lack(self, step: Step, lacking: list[str]) -> None:
        self.records[step.step_id].end(TaskState.CANCELLED, self.clock())
        codes = {need: self.errors[need].code for need in lacking}
        self.errors[step.step_id] = UpstreamResultMissing(
            f"Step {step.step_id!r} was not started: it needs the result of "
            f"{', '.join(f'{need} ({code})' for need, code in codes.items())}.",
            {"step_id": step.step_id, "missing": lacking, "causes": codes},
        )

    def _optional(self, step_id: str) -> bool:
        return any(step.optional for step in self.plan.steps if step.step_id == step_id)


def _end_of(fault: AgentActorsError) -> TaskState:
    if isinstance(fault, DeadlineExceeded):
        return TaskState.TIMED_OUT
    return TaskState.CANCELLED if isinstance(fault, Cancelled) else TaskState.FAILED


def _being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
