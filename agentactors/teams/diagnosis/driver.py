"""The driver: no agent, it runs the Planner's plan, owns log and results, and keeps the record.

Theory of operation. A session begins with HELLO and CAPABILITY_QUERY to every member, and with the check of the
topology. Each task is one chain: TASK_REQUEST to the Planner, its plan, then the plan's steps, each an
ACTION_REQUEST to whoever serves its capability. The log is put into the object store once, by the driver, and
every step that reads it reads it there. What each step handed on carries the message_id it came in, so that the
audit can tell whether the summary really consumed it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from agentactors.errors import AgentActorsError, UpstreamResultMissing
from agentactors.protocol.envelope import MessageType
from agentactors.protocol.lifecycle import TaskRecord, TaskState
from agentactors.protocol.roles import ROLE_BY_CAPABILITY, ROLE_CAPABILITIES, Role
from agentactors.protocol.state import StateRef
from agentactors.teams.audit import AuditResult, CallRecord, audit
from agentactors.teams.dag import Plan, Step, StepResult, run_plan
from agentactors.teams.diagnosis.members import CORE_TEAM, Retrieval, Summary, Verifier
from agentactors.teams.diagnosis.model import Diagnosis, Findings, Verdict
from agentactors.teams.fallback import FallbackRecord, with_text_fallback
from agentactors.teams.textchannel import TextChannel
from agentactors.teams.topology import Member, check_topology

if TYPE_CHECKING:
    from agentactors.system.chain import Exchange, OpenChain
    from agentactors.system.system import AgentSystem

DEFAULT_TASK: Final = "Diagnose why this package build failed: stage, root cause, culprit, evidence and fix."
READS_LOG: Final = frozenset({"retrieve.search", "tool.read_build_log", "verify.check"})
_DRIVER: Final = "driver"

OnStep = Callable[[str, Role, str], None]
"""Told (step id, role, event) when a step begins, makes progress or ends."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that came of one task."""

    request_id: str
    state: TaskState
    diagnosis: Diagnosis | None
    """None when the task failed."""
    error: AgentActorsError | None
    findings: Findings | None
    retrieval: Retrieval | None
    verdict: Verdict | None
    """None without a Verifier."""
    audit: AuditResult
    steps: tuple[StepResult, ...]
    records: tuple[CallRecord, ...]
    fallbacks: tuple[FallbackRecord, ...]
    seconds: float
    environment: Mapping[str, Any] = field(default_factory=dict)
    """What the Executor's other tools told about the machine, by tool."""

    @property
    def success(self) -> bool:
        """Whether there is a diagnosis and a real team made it."""
        return self.diagnosis is not None and self.audit.multi_agent_collaboration_valid


class DiagnosisTeam:
    """A team in a running system; make it with :meth:`assemble`."""

    def __init__(self, system: AgentSystem, *, verify: bool) -> None:
        self._system = system
        self._verify = verify
        self._channel = TextChannel()

    @classmethod
    async def assemble(cls, system: AgentSystem, *, verify: bool = False) -> DiagnosisTeam:
        """Start the members side by side and open the session.

        Args:
            system: Where they run; they end with it.
            verify: Whether a Verifier checks each result.

        Raises:
            DependencyNotReady: A core role is missing.
            RoleCapabilityMismatch: An agent has another role's capability.
            StartTimeout, AgentFailed: A member did not start.
        """
        members = (*CORE_TEAM, Verifier) if verify else CORE_TEAM
        await asyncio.gather(*(system.spawn(member) for member in members))
        return await cls.join(system, verify=verify)

    @classmethod
    async def join(cls, system: AgentSystem, *, verify: bool = False) -> DiagnosisTeam:
        """Open a session with the members that run in a system already; raises like :meth:`assemble`."""
        rows = [row for row in await system.agents() if row["status"] != "offline"]
        check_topology(
            Member(row["agent_id"], Role(row["role"]) if row["role"] else None, tuple(row["capabilities"]))
            for row in rows
        )
        session = system.open_chain()
        served = {capability for row in rows for capability in row["capabilities"]}
        for role in Role:
            own = sorted(served & ROLE_CAPABILITIES[role])
            if own:
                await session.greet(own[0], _DRIVER)
                await session.query_capability(own[0])
        return cls(system, verify=verify)

    async def diagnose(
        self,
        log: bytes,
        *,
        task_text: str = DEFAULT_TASK,
        ecosystem: str | None = None,
        distro: str | None = None,
        timeout_s: float = 120.0,
        on_step: OnStep | None = None,
    ) -> Outcome:
        """Diagnose one build log.

        Args:
            log: The log's bytes; see :func:`.source.read_log`. The caller may drop them at once.
            task_text: The task in words; all that a model would see of it.
            ecosystem: Build world, when known.
            distro: Distribution, when known.
            timeout_s: Seconds for the whole task.
            on_step: Told what happens, as it happens.

        Returns:
            The outcome; a task that failed has its error in it, with everything that was done before.

        Cost:
            The log is copied into the object store once and lies there until this returns.
        """
        ref = self._system.put(log)
        del log
        try:
            task = _Task(self._system.open_chain(timeout_s=timeout_s), ref, self._channel, on_step or _nobody)
            given = {"ecosystem": ecosystem, "distro": distro}
            return await task.run(task_text, verify=self._verify, given={k: v for k, v in given.items() if v})
        finally:
            self._system.release(ref)


class _Task:
    """One task under way."""

    def __init__(self, chain: OpenChain, log: StateRef, channel: TextChannel, on_step: OnStep) -> None:
        self._chain = chain
        self._log = log
        self._channel = channel
        self._on_step = on_step
        self._record = TaskRecord(chain.request_id, time.time())
        self._answers: dict[str, Exchange] = {}
        self._fallbacks: list[FallbackRecord] = []
        self._begun = time.monotonic()

    async def run(self, task_text: str, *, verify: bool, given: Mapping[str, Any]) -> Outcome:
        self._move(TaskState.CREATED, TaskState.REQUESTED)
        try:
            await self._chain.request_task("plan.create", task_text)
            self._move(TaskState.REQUESTED, TaskState.ACCEPTED)
            self._move(TaskState.ACCEPTED, TaskState.RUNNING)
            plan = await self._plan(task_text, verify=verify, given=given)
        except AgentActorsError as refusal:
            self._record.end(TaskState.FAILED, time.time())
            return self._outcome(Plan.model_construct(task_text=task_text, steps=()), {}, refusal)
        results = await run_plan(plan, self._step, clock=time.time, deadline=self._chain.deadline)
        fault = next((r.error for r in results.values() if r.error is not None and not _optional(plan, r)), None)
        self._record.end(TaskState.FAILED if fault else TaskState.SUCCEEDED, time.time())
        return self._outcome(plan, results, fault)

    async def _plan(self, task_text: str, *, verify: bool, given: Mapping[str, Any]) -> Plan:
        self._on_step("plan", Role.PLANNER, "begins")
        parameters = {"task_text": task_text, "verify": verify, **given}
        result, exchange = await self._chain.ask("plan.create", parameters)
        self._answers["plan"] = exchange
        self._on_step("plan", Role.PLANNER, "done")
        return Plan.model_validate(result.data)

    async def _step(self, step: Step, upstream: Mapping[str, Any]) -> Any:
        self._on_step(step.step_id, step.role, "begins")
        parameters = dict(step.parameters)
        if step.capability in READS_LOG:
            parameters["log"] = self._log
        if step.needs:
            parameters["upstream"] = {
                name: {"message_id": self._answers[name].answer.message_id, "value": value}
                for name, value in upstream.items()
            }
        try:
            value = await self._call(step, parameters)
        except AgentActorsError as fault:
            self._on_step(step.step_id, step.role, f"failed: {fault.code}")
            raise
        self._on_step(step.step_id, step.role, "done")
        return value

    async def _call(self, step: Step, parameters: dict[str, Any]) -> Any:
        """Ask; a retrieval that fails in a way that allows it is asked for again in plain words."""

        async def structured() -> Any:
            note = self._progress(step)
            result, exchange = await self._chain.ask(step.capability, parameters, on_progress=note)
            self._answers[step.step_id] = exchange
            return result.data

        async def textual(text: str) -> Any:
            result, exchange = await self._chain.ask(step.capability, query=text)
            self._answers[step.step_id] = exchange
            return result.data

        if step.role is not Role.RETRIEVER:
            return await structured()
        value, _ = await with_text_fallback(
            structured,
            text=str(step.parameters["task_text"]),
            channel=self._channel,
            sender=_DRIVER,
            receiver=step.role.value,
            text_call=textual,
            clock=time.monotonic,
            on_record=self._fallbacks.append,
        )
        return value

    def _progress(self, step: Step) -> Callable[[dict[str, Any]], None] | None:
        """Only what reads the log takes long enough to be watched; a watched call costs a little more."""
        if step.capability != "tool.read_build_log":
            return None
        return lambda note: self._on_step(step.step_id, step.role, str(note.get("message", "")))

    def _outcome(self, plan: Plan, results: Mapping[str, StepResult], fault: AgentActorsError | None) -> Outcome:
        values = {name: result.value for name, result in results.items() if result.state is TaskState.SUCCEEDED}
        summary = Summary.model_validate(values["summarize"]) if "summarize" in values else None
        if summary is None and fault is None:
            fault = UpstreamResultMissing("The plan ended without a summary.")
        records = tuple(self._call_record(exchange, summary) for exchange in self._chain.exchanges)
        final = self._answers["summarize"].request.message_id if summary else ""
        core = {"retrieve", "read_build_log", "summarize", "verify"}
        return Outcome(
            request_id=self._chain.request_id,
            state=self._record.state,
            diagnosis=summary.diagnosis if summary else None,
            error=fault,
            findings=Findings.model_validate(values["read_build_log"]) if "read_build_log" in values else None,
            retrieval=Retrieval.model_validate(values["retrieve"]) if "retrieve" in values else None,
            verdict=Verdict.model_validate(values["verify"]) if "verify" in values else None,
            audit=audit(records, plan, final),
            steps=tuple(results.values()),
            records=records,
            fallbacks=tuple(self._fallbacks),
            seconds=time.monotonic() - self._begun,
            environment={name: value for name, value in values.items() if name not in core},
        )

    def _call_record(self, exchange: Exchange, summary: Summary | None) -> CallRecord:
        request, answer = exchange.request, exchange.answer
        capability = request.body.action or ""
        size_bytes = len(msgspec.msgpack.encode(request)) + len(msgspec.msgpack.encode(answer))
        is_summary = summary is not None and capability == "summary.create"
        return CallRecord(
            message_id=request.message_id,
            task_id=request.task_id,
            sender=request.sender,
            sender_role=None,
            receiver=request.receiver,
            receiver_role=_role_of(exchange),
            capability=capability,
            started=exchange.started,
            ended=exchange.ended,
            ok=answer.body.error is None,
            size_bytes=size_bytes + (self._log.size_bytes if capability in READS_LOG else 0),
            consumed=tuple(summary.consumed) if is_summary and summary else (),
            produced=(answer.message_id,),
            message_type=request.message_type,
        )

    def _move(self, expected: TaskState, new: TaskState) -> None:
        self._record.move(expected, new, time.time())


def _role_of(exchange: Exchange) -> Role | None:
    """The role that served: by the capability asked for; a task is handed to the Planner."""
    if exchange.request.message_type is MessageType.TASK_REQUEST:
        return Role.PLANNER
    return ROLE_BY_CAPABILITY.get(exchange.request.body.action or "")


def _optional(plan: Plan, result: StepResult) -> bool:
    return any(step.optional for step in plan.steps if step.step_id == result.step_id)


def _nobody(_step: str, _role: Role, _event: str) -> None:
    return
