"""The audit: a team's success counts only when the team did the work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agentactors.protocol.envelope import MessageType
from agentactors.protocol.roles import Role
from agentactors.teams.audit import AuditResult, CallRecord, audit
from agentactors.teams.dag import make_plan

PLAN = make_plan("Why did zlib fail to build?", verify=False)
VERIFIED = make_plan("Why did zlib fail to build?", verify=True)


def call(role: Role | None, capability: str, message_id: str, start: float, **more: Any) -> CallRecord:
    fields: dict[str, Any] = {
        "message_id": message_id,
        "task_id": "req-1",
        "sender": "runner",
        "sender_role": None,
        "receiver": f"{role}-1",
        "receiver_role": role,
        "capability": capability,
        "started": start,
        "ended": start + 1,
        "ok": True,
        "size_bytes": 100,
    }
    return CallRecord(**{**fields, **more})


PLANNED = call(Role.PLANNER, "plan.create", "m-plan", 0)
RETRIEVED = call(Role.RETRIEVER, "retrieve.search", "m-retrieve", 1, produced=("m-retrieve-answer", "state-1"))
EXECUTED = call(Role.EXECUTOR, "tool.read_build_log", "m-execute", 1, produced=("m-execute-answer",))
CONTEXT = call(Role.EXECUTOR, "tool.os_info", "m-context", 1)
SUMMARY = call(Role.SUMMARIZER, "summary.create", "m-summary", 3, consumed=("state-1", "m-execute-answer"))
CHECKED = call(Role.VERIFIER, "verify.check", "m-verify", 5, consumed=("m-summary",))
HELLOS = [
    call(role, "", f"m-hello-{role}", 0, message_type=MessageType.HELLO)
    for role in (Role.PLANNER, Role.RETRIEVER, Role.EXECUTOR, Role.SUMMARIZER)
]
WORK = [PLANNED, RETRIEVED, EXECUTED, CONTEXT, SUMMARY]


def judge(*records: CallRecord, final: str = "m-summary") -> AuditResult:
    return audit(records, PLAN, final)


def without(record: CallRecord) -> list[CallRecord]:
    return [one for one in WORK if one is not record]


@pytest.mark.spec("COLLAB-09")
def test_a_team_that_did_the_work_is_valid() -> None:
    result = judge(*HELLOS, *WORK)

    assert result == AuditResult(
        multi_agent_collaboration_valid=True,
        problems=(),
        roles=(Role.PLANNER, Role.RETRIEVER, Role.EXECUTOR, Role.SUMMARIZER),
        messages_per_role={"planner": 2, "retriever": 2, "executor": 3, "summarizer": 2},
        call_chain="task -> Planner -> Retriever/Executor -> Summarizer -> result",
    )


@pytest.mark.spec("COLLAB-09")
def test_the_verifier_stands_in_the_chain_and_the_result_stays_the_summarizers() -> None:
    result = audit([*WORK, CHECKED], VERIFIED, "m-summary")

    assert result.multi_agent_collaboration_valid
    assert result.call_chain == "task -> Planner -> Retriever/Executor -> Summarizer -> Verifier -> result"
    assert not audit(WORK, VERIFIED, "m-summary").multi_agent_collaboration_valid
    assert not audit([*WORK, CHECKED], VERIFIED, "m-verify").multi_agent_collaboration_valid


@pytest.mark.spec("COLLAB-09")
@pytest.mark.parametrize("record", [PLANNED, RETRIEVED, EXECUTED, SUMMARY], ids=lambda record: record.capability)
def test_a_hello_is_no_participation(record: CallRecord) -> None:
    result = judge(*HELLOS, *without(record))

    assert not result.multi_agent_collaboration_valid
    assert record.receiver_role not in result.roles or record is EXECUTED
    assert result.problems


@pytest.mark.spec("COLLAB-09")
def test_hellos_alone_are_nothing() -> None:
    result = judge(*HELLOS)

    assert not result.multi_agent_collaboration_valid
    assert result.roles == ()
    assert result.call_chain == "task -> result"
    assert sum("took no part" in problem for problem in result.problems) == 4


@pytest.mark.spec("COLLAB-09")
@pytest.mark.parametrize("record", [PLANNED, RETRIEVED, EXECUTED, SUMMARY], ids=lambda record: record.capability)
def test_a_failed_call_is_no_participation(record: CallRecord) -> None:
    assert not judge(*without(record), replace(record, ok=False)).multi_agent_collaboration_valid


@pytest.mark.spec("COLLAB-09")
@pytest.mark.parametrize(
    ("consumed", "problem"),
    [
        ((), "consumed no result of the retriever"),
        (("state-1",), "consumed no result of the executor"),
        (("m-execute-answer", "m-plan"), "consumed no result of the retriever"),
        (("m-context", "m-plan", "m-summary"), "consumed no result of the retriever"),
        (("state-1", "m-execute-answer", "state-9"), "'state-9', which nobody produced"),
    ],
)
def test_a_summary_that_read_too_little_or_too_much_is_not_valid(consumed: tuple[str, ...], problem: str) -> None:
    result = judge(*without(SUMMARY), replace(SUMMARY, consumed=consumed))

    assert not result.multi_agent_collaboration_valid
    assert any(problem in one for one in result.problems)


@pytest.mark.spec("COLLAB-09")
def test_a_context_tool_is_not_the_execution_that_the_plan_asked_for() -> None:
    result = judge(*without(SUMMARY), replace(SUMMARY, consumed=("state-1", "m-context")))

    assert not result.multi_agent_collaboration_valid


@pytest.mark.spec("COLLAB-09")
@pytest.mark.parametrize("ids", [("m-retrieve", "m-execute"), ("m-retrieve-answer", "m-execute-answer")])
def test_request_answer_and_state_ids_all_prove_consumption(ids: tuple[str, ...]) -> None:
    assert judge(*without(SUMMARY), replace(SUMMARY, consumed=ids)).multi_agent_collaboration_valid


@pytest.mark.spec("COLLAB-09")
def test_a_result_cannot_be_consumed_before_it_is_there() -> None:
    result = judge(*without(RETRIEVED), replace(RETRIEVED, ended=3.5))

    assert not result.multi_agent_collaboration_valid
    assert "after the summary had begun" in result.problems[0]


@pytest.mark.spec("COLLAB-09")
@pytest.mark.parametrize("final", ["m-execute", "m-plan", "m-hello-summarizer", "m-nowhere"])
def test_the_final_result_comes_from_the_summarizer(final: str) -> None:
    assert not judge(*HELLOS, *WORK, final=final).multi_agent_collaboration_valid


@pytest.mark.spec("COLLAB-07", "COLLAB-09")
@pytest.mark.parametrize("server", [Role.PLANNER, None])
def test_a_call_that_went_round_its_role_is_found(server: Role | None) -> None:
    round_about = replace(RETRIEVED, receiver="somebody", receiver_role=server)
    result = judge(*without(RETRIEVED), round_about)

    assert not result.multi_agent_collaboration_valid
    assert any("retrieve.search belongs to the retriever" in problem for problem in result.problems)


@pytest.mark.spec("COLLAB-09")
def test_one_agent_in_every_role_is_no_team() -> None:
    result = judge(*(replace(record, receiver="all") for record in WORK))

    assert not result.multi_agent_collaboration_valid
    assert "1 core agents took part" in result.problems[0]


@pytest.mark.spec("COLLAB-09")
def test_work_on_another_task_does_not_count() -> None:
    result = judge(*without(EXECUTED), replace(EXECUTED, task_id="req-2"))

    assert not result.multi_agent_collaboration_valid
    assert "The final result claims to consume 'm-execute-answer', which nobody produced." in result.problems


@pytest.mark.spec("COLLAB-09")
def test_a_step_of_the_plan_that_nobody_did_is_found_and_a_context_tool_may_fail() -> None:
    assert judge(*without(CONTEXT)).multi_agent_collaboration_valid
    result = judge(*without(EXECUTED))
    assert "Step 'read_build_log' of the plan was not done." in result.problems
