"""Whether a task was really done by a team, judged from the record of its calls.

Theory of operation. Taking part means having served a call of one's own role with success. A HELLO, a
registration or a failed call is no part. The final result counts only when the Summarizer gave it and its
call really consumed what retrieval and execution produced: their message or state ids stand in its record,
and they had ended before it began. One broken rule makes the task no success, however right its answer is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from agentactors.protocol.envelope import MessageType
from agentactors.protocol.roles import CORE_ROLES, ROLE_BY_CAPABILITY, Role
from agentactors.teams.dag import Plan
from agentactors.teams.topology import MIN_CORE_AGENTS

_STAGES: Final = ((Role.PLANNER,), (Role.RETRIEVER, Role.EXECUTOR), (Role.SUMMARIZER,), (Role.VERIFIER,))
_UPSTREAM: Final = (Role.RETRIEVER, Role.EXECUTOR)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One message between agents, and what came of it, as its caller saw it."""

    message_id: str
    task_id: str
    sender: str
    sender_role: Role | None
    """None for infrastructure, such as the runner."""
    receiver: str
    receiver_role: Role | None
    capability: str
    """Empty for a message that asks for none, such as HELLO."""
    started: float
    """Seconds since the epoch, on the caller's clock."""
    ended: float
    ok: bool
    size_bytes: int
    """Request and result, attachments included."""
    consumed: tuple[str, ...] = ()
    """Message and state ids of the results that this step really read."""
    produced: tuple[str, ...] = ()
    """Message id of the answer and state ids of its result; the id of the request counts too."""
    message_type: MessageType = MessageType.ACTION_REQUEST


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What the audit found."""

    multi_agent_collaboration_valid: bool
    problems: tuple[str, ...]
    """One sentence each; empty when valid."""
    roles: tuple[Role, ...]
    """The roles that took part, in the order of the chain."""
    messages_per_role: dict[str, int] = field(default_factory=dict)
    """Messages that each role got, HELLO and failed calls included."""
    call_chain: str = ""
    """Such as ``task -> Planner -> Retriever/Executor -> Summarizer -> result``."""


def audit(records: Iterable[CallRecord], plan: Plan, final: str) -> AuditResult:
    """Judge one task.

    Args:
        records: The messages of the task; one observer's, so that their times compare.
        plan: What the Planner made of the task.
        final: message_id of the call whose result is the task's result.
    """
    all_records = tuple(records)
    summary = next((record for record in all_records if record.message_id == final), None)
    own = [record for record in all_records if summary is None or record.task_id == summary.task_id]
    served = [record for record in own if _took_part(record)]
    taking_part = {record.receiver_role for record in served if record.receiver_role}
    problems = [
        *_bypasses(own),
        *_absences(served, taking_part, plan),
        *_final_faults(summary, served, plan),
    ]
    return AuditResult(
        multi_agent_collaboration_valid=not problems,
        problems=tuple(problems),
        roles=tuple(role for stage in _STAGES for role in stage if role in taking_part),
        messages_per_role=dict(Counter(record.receiver_role.value for record in own if record.receiver_role)),
        call_chain=_chain(taking_part),
    )


def _took_part(record: CallRecord) -> bool:
    return (
        record.ok
        and record.message_type is MessageType.ACTION_REQUEST
        and record.receiver_role is not None
        and ROLE_BY_CAPABILITY.get(record.capability) is record.receiver_role
    )


def _bypasses(records: Sequence[CallRecord]) -> list[str]:
    """Name the calls that went round a role."""
    return [
        f"{record.capability} belongs to the {owner}, and {record.receiver!r} "
        f"({record.receiver_role or 'no role'}) served it."
        for record in records
        if (owner := ROLE_BY_CAPABILITY.get(record.capability)) and owner is not record.receiver_role and record.ok
    ]


def _absences(served: Sequence[CallRecord], taking_part: set[Role], plan: Plan) -> list[str]:
    """Name the core roles, agents and steps that the task was done without."""
    problems = [f"The {role} took no part." for role in CORE_ROLES if role not in taking_part]
    agents = {record.receiver for record in served if record.receiver_role in CORE_ROLES}
    if len(agents) < MIN_CORE_AGENTS:
        problems.append(f"{len(agents)} core agents took part; at least {MIN_CORE_AGENTS} are needed.")
    done = {record.capability for record in served}
    problems += [
        f"Step {step.step_id!r} of the plan was not done."
        for step in plan.steps
        if not step.optional and step.capability not in done
    ]
    return problems


def _final_faults(summary: CallRecord | None, served: Sequence[CallRecord], plan: Plan) -> list[str]:
    """Name what is wrong with the call that gave the final result."""
    if summary is None:
        return ["Nothing in the record gave the final result."]
    if summary not in served or summary.receiver_role is not Role.SUMMARIZER:
        return [f"The final result comes from {summary.receiver!r}, not from a successful call of the Summarizer."]
    producer = {
        name: record for record in served if record is not summary for name in (record.message_id, *record.produced)
    }
    problems = [
        f"The final result claims to consume {name!r}, which nobody produced."
        for name in summary.consumed
        if name not in producer
    ]
    read = [producer[name] for name in summary.consumed if name in producer]
    problems += [
        f"The final result claims to consume {record.message_id!r}, which ended after the summary had begun."
        for record in read
        if record.ended > summary.started
    ]
    return problems + [f"The final result consumed no result of the {lack}." for lack in _unread(read, plan)]


def _unread(read: Sequence[CallRecord], plan: Plan) -> list[str]:
    """Name the upstream roles, with the capabilities the plan asked of them, whose results were not consumed."""
    roles = {record.receiver_role for record in read}
    capabilities = {record.capability for record in read}
    wanted = [step for step in plan.steps if not step.optional and step.capability not in capabilities]
    lacks = []
    for role in _UPSTREAM:
        unread = sorted(step.capability for step in wanted if step.role is role)
        if unread or role not in roles:
            lacks.append(f"{role} ({', '.join(unread)})" if unread else role.value)
    return lacks


def _chain(taking_part: set[Role]) -> str:
    stages = ("/".join(role.capitalize() for role in stage if role in taking_part) for stage in _STAGES)
    return " -> ".join(("task", *(stage for stage in stages if stage), "result"))
