"""Plans: what makes one runnable, and what happens when it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import (
    AgentActorsError,
    AgentFailed,
    Cancelled,
    DeadlineExceeded,
    ResultInvalid,
    RoleCapabilityMismatch,
    UpstreamResultMissing,
)
from agentactors.protocol.lifecycle import TERMINAL, TRANSITIONS, TaskState
from agentactors.protocol.roles import Role
from agentactors.teams.dag import CONTEXT_TOOLS, Plan, Step, StepResult, check_plan, make_plan, ready, run_plan

S = TaskState
TEXT = "Why did zlib fail to build?"


def step(step_id: str, *needs: str, optional: bool = False) -> Step:
    return Step(step_id=step_id, role=Role.EXECUTOR, capability="tool.os_info", needs=needs, optional=optional)


def plan(*steps: Step) -> Plan:
    return Plan(task_text=TEXT, steps=steps)


DIAMOND = plan(step("d", "b", "c"), step("a"), step("b", "a"), step("c", "a"))


async def echo(one: Step, upstream: Mapping[str, Any]) -> Any:
    return one.step_id, dict(upstream)


def failing(*bad: str, fault: Callable[[], BaseException] = lambda: AgentFailed("Boom.")) -> Any:
    async def run_step(one: Step, upstream: Mapping[str, Any]) -> Any:
        if one.step_id in bad:
            raise fault()
        return await echo(one, upstream)

    return run_step


async def run(
    what: Plan,
    run_step: Callable[[Step, Mapping[str, Any]], Awaitable[Any]] = echo,
    *,
    clock: Callable[[], float] = time.time,
    deadline: float | None = None,
) -> dict[str, StepResult]:
    async with asyncio.timeout(10):
        return await run_plan(what, run_step, clock=clock, deadline=deadline)


def states(results: Mapping[str, StepResult]) -> dict[str, TaskState]:
    return {step_id: result.state for step_id, result in results.items()}


# ---- the plan of a diagnosis


@pytest.mark.spec("COLLAB-08")
def test_a_diagnosis_retrieves_and_executes_before_it_summarizes() -> None:
    made = make_plan(TEXT, verify=True)
    first = ready(made, set())

    assert {one.role for one in first} == {Role.RETRIEVER, Role.EXECUTOR}
    assert {one.capability for one in first} == {
        "retrieve.search",
        "tool.read_build_log",
        *(f"tool.{tool}" for tool in CONTEXT_TOOLS),
    }
    done = {one.step_id for one in first}
    assert [one.role for one in ready(made, done)] == [Role.SUMMARIZER]
    assert [one.role for one in ready(made, done | {"summarize"})] == [Role.VERIFIER]
    assert ready(made, done | {"summarize", "verify"}) == []


@pytest.mark.spec("COLLAB-08")
def test_the_verifier_is_an_option_and_changes_nothing_else() -> None:
    assert make_plan(TEXT, verify=True).steps[:-1] == make_plan(TEXT, verify=False).steps


@pytest.mark.spec("COLLAB-08")
@given(text=st.text(), verify=st.booleans())
def test_planning_is_deterministic_and_travels(text: str, verify: bool) -> None:
    made = make_plan(text, verify=verify, inputs={"log": "l", "task_text": "never wins"})

    assert made == make_plan(text, verify=verify, inputs={"log": "l"})
    assert Plan.model_validate_json(made.model_dump_json()) == made
    readers = {one.step_id for one in made.steps if one.parameters.get("log") == "l"}
    assert readers == {"retrieve", "read_build_log", *(["verify"] if verify else [])}
    assert all(one.parameters.get("task_text", text) == text for one in made.steps)


@pytest.mark.spec("COLLAB-08")
async def test_the_summary_gets_both_results() -> None:
    results = await run(make_plan(TEXT, verify=True))

    assert set(states(results).values()) == {S.SUCCEEDED}
    _, upstream = results["summarize"].value
    assert set(upstream) == {"retrieve", "read_build_log", *CONTEXT_TOOLS}
    assert set(results["verify"].value[1]) == {"summarize", "read_build_log"}


@pytest.mark.spec("COLLAB-08")
@pytest.mark.parametrize("bad", ["retrieve", "read_build_log"])
async def test_a_summary_without_one_of_both_is_not_made(bad: str) -> None:
    results = await run(make_plan(TEXT, verify=True), failing(bad))

    assert results[bad].state is S.FAILED
    assert (results["summarize"].state, results["verify"].state) == (S.CANCELLED, S.CANCELLED)
    error = results["summarize"].error
    assert isinstance(error, UpstreamResultMissing)
    assert error.details == {"step_id": "summarize", "missing": [bad], "causes": {bad: "AGENT_FAILED"}}


@pytest.mark.spec("COLLAB-08")
async def test_a_context_tool_that_fails_takes_nothing_with_it() -> None:
    results = await run(make_plan(TEXT, verify=True), failing("disk_usage", "os_info"))

    assert results["disk_usage"].state is S.FAILED
    assert results["verify"].state is S.SUCCEEDED
    assert "disk_usage" not in results["summarize"].value[1]


# ---- what makes a plan runnable


@pytest.mark.spec("COLLAB-08")
@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (plan(step("a"), step("a")), "two steps 'a'"),
        (plan(step("a", "b")), "needs 'b', which is no step"),
        (plan(step("a", "a")), "need each other: a -> a"),
        (plan(step("x"), step("a", "b", "x"), step("b", "c"), step("c", "a")), "need each other"),
    ],
)
async def test_a_plan_that_cannot_run_is_refused(bad: Plan, says: str) -> None:
    with pytest.raises(ResultInvalid, match=says):
        check_plan(bad)
    with pytest.raises(ResultInvalid, match=says):
        await run(bad)


@pytest.mark.spec("COLLAB-07", "COLLAB-08")
@pytest.mark.parametrize(
    ("role", "capability"),
    [(Role.PLANNER, "retrieve.search"), (Role.VERIFIER, "summary.create"), (Role.EXECUTOR, "tool.shell")],
)
async def test_a_plan_that_goes_round_a_role_is_refused(role: Role, capability: str) -> None:
    bad = plan(Step(step_id="a", role=role, capability=capability))

    with pytest.raises(RoleCapabilityMismatch):
        check_plan(bad)
    with pytest.raises(RoleCapabilityMismatch):
        await run(bad)


# ---- running


@pytest.mark.spec("COLLAB-08")
async def test_steps_that_are_ready_together_run_together() -> None:
    meeting = asyncio.Barrier(2)

    async def run_step(one: Step, upstream: Mapping[str, Any]) -> Any:
        if one.step_id in "bc":
            await asyncio.wait_for(meeting.wait(), timeout=5)
        return await echo(one, upstream)

    results = await run(DIAMOND, run_step)

    assert list(results) == ["d", "a", "b", "c"]
    assert results["d"].value[1] == {"b": ("b", {"a": ("a", {})}), "c": ("c", {"a": ("a", {})})}


async def test_a_step_starts_as_soon_as_its_own_needs_are_there() -> None:
    ended = asyncio.Event()

    async def run_step(one: Step, upstream: Mapping[str, Any]) -> Any:
        if one.step_id == "slow":
            await asyncio.wait_for(ended.wait(), timeout=5)
        if one.step_id == "after":
            ended.set()
        return await echo(one, upstream)

    results = await run(plan(step("slow"), step("fast"), step("after", "fast")), run_step)

    assert set(states(results).values()) == {S.SUCCEEDED}


@pytest.mark.spec("COLLAB-04")
async def test_a_failure_takes_what_needs_it_and_nothing_else() -> None:
    what = plan(step("a"), step("b", "a"), step("c", "b"), step("x"), step("y", "x"))
    results = await run(what, failing("a"))

    assert states(results) == {"a": S.FAILED, "b": S.CANCELLED, "c": S.CANCELLED, "x": S.SUCCEEDED, "y": S.SUCCEEDED}
    assert results["c"].error is not None
    assert results["c"].error.details["causes"] == {"b": "UPSTREAM_RESULT_MISSING"}


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        (DeadlineExceeded("Late."), S.TIMED_OUT),
        (Cancelled("Stopped."), S.CANCELLED),
        (AgentFailed("Boom."), S.FAILED),
    ],
)
async def test_an_error_decides_the_end(fault: AgentActorsError, end: TaskState) -> None:
    result = (await run(plan(step("a")), failing("a", fault=lambda: fault)))["a"]

    assert (result.state, result.error, result.value) == (end, fault, None)


async def test_a_step_may_return_none() -> None:
    async def nothing(_one: Step, upstream: Mapping[str, Any]) -> Any:
        assert set(upstream.values()) <= {None}

    assert set(states(await run(DIAMOND, nothing)).values()) == {S.SUCCEEDED}


@pytest.mark.spec("COLLAB-04")
async def test_the_deadline_ends_what_runs_and_what_waits() -> None:
    stopped = []

    async def run_step(one: Step, upstream: Mapping[str, Any]) -> Any:
        if one.step_id == "b":
            try:
                await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
            finally:
                stopped.append(one.step_id)
        return await echo(one, upstream)

    results = await run(DIAMOND, run_step, clock=lambda: 100.0, deadline=100.3)

    assert states(results) == {"a": S.SUCCEEDED, "b": S.TIMED_OUT, "c": S.SUCCEEDED, "d": S.TIMED_OUT}
    assert stopped == ["b"]
    assert isinstance(results["d"].error, DeadlineExceeded)


async def test_an_agents_word_on_our_own_cancel_is_no_reason() -> None:
    async def run_step(_one: Step, _upstream: Mapping[str, Any]) -> Any:
        try:
            await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
        except asyncio.CancelledError:
            raise Cancelled("The caller left.") from None

    what = plan(step("a", optional=True), step("b", "a"))
    results = await run(what, run_step, clock=lambda: 100.0, deadline=100.02)

    assert states(results) == {"a": S.TIMED_OUT, "b": S.TIMED_OUT}


async def test_nothing_is_run_after_the_deadline() -> None:
    seen = []

    async def run_step(one: Step, _upstream: Mapping[str, Any]) -> Any:
        seen.append(one.step_id)
        await asyncio.wait_for(asyncio.Event().wait(), timeout=5)

    results = await run(DIAMOND, run_step, clock=lambda: 100.0, deadline=99.0)

    assert set(states(results).values()) == {S.TIMED_OUT}
    assert set(seen) <= {"a"}


async def test_a_bug_comes_out_and_stops_the_rest() -> None:
    stopped = asyncio.Event()

    async def run_step(one: Step, _upstream: Mapping[str, Any]) -> Any:
        if one.step_id == "bug":
            raise ZeroDivisionError
        try:
            await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
        finally:
            stopped.set()

    with pytest.raises(ExceptionGroup) as caught:
        await run(plan(step("other"), step("bug")), run_step, clock=lambda: 0.0, deadline=5.0)
    assert caught.group_contains(ZeroDivisionError)
    assert stopped.is_set()


async def test_a_time_out_inside_a_step_is_a_bug_not_the_deadline() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await run(plan(step("a")), failing("a", fault=TimeoutError), clock=lambda: 0.0, deadline=5.0)
    assert caught.group_contains(TimeoutError)


async def test_a_cancel_of_the_caller_stops_every_step() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def run_step(_one: Step, _upstream: Mapping[str, Any]) -> Any:
        started.set()
        try:
            await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
        finally:
            stopped.set()

    task = asyncio.create_task(run(plan(step("a")), run_step))
    async with asyncio.timeout(5):
        await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped.is_set()


@st.composite
def plans(draw: st.DrawFn) -> tuple[Plan, frozenset[str]]:
    """Draw an acyclic plan in any order, and which of its steps fail."""
    count = draw(st.integers(1, 8))
    names = [f"s{number}" for number in range(count)]
    steps = [
        step(
            name,
            *draw(st.lists(st.sampled_from(names[:number]), unique=True, max_size=3) if number else st.just([])),
            optional=draw(st.booleans()),
        )
        for number, name in enumerate(names)
    ]
    return plan(*draw(st.permutations(steps))), draw(st.frozensets(st.sampled_from(names)))


@pytest.mark.spec("COLLAB-04", "COLLAB-08")
@given(drawn=plans())
def test_every_plan_ends_well_ordered(drawn: tuple[Plan, frozenset[str]]) -> None:
    what, bad = drawn
    begun: list[str] = []

    async def run_step(one: Step, upstream: Mapping[str, Any]) -> Any:
        begun.append(one.step_id)
        await asyncio.sleep(0)
        return await failing(*bad)(one, upstream)

    results = asyncio.run(run(what, run_step))
    by_id = {one.step_id: one for one in what.steps}

    assert set(results) == set(by_id)
    assert len(begun) == len(set(begun))
    for step_id, result in results.items():
        lacking = [
            need for need in by_id[step_id].needs if results[need].state is not S.SUCCEEDED and not by_id[need].optional
        ]
        assert (step_id not in begun) is bool(lacking)
        assert result.state is (S.CANCELLED if lacking else S.FAILED if step_id in bad else S.SUCCEEDED)
        assert (result.error is None) is (result.state is S.SUCCEEDED)
        assert all(later.state in TRANSITIONS[earlier.state] for earlier, later in pairwise(result.history))
        assert result.history[-1].state in TERMINAL
