"""Calls on real actors: parameters, results, errors, tasks, results that are collected later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from agentactors import AgentSystem, Task
from agentactors.errors import (
    ERROR_BY_CODE,
    AgentActorsError,
    AgentFailed,
    DeadlineExceeded,
    InputInvalid,
    InvalidParameters,
    NoReachableAgent,
    ResultInvalid,
)
from agentactors.protocol import wire
from agentactors.protocol.envelope import Body, Envelope, MessageType
from agentactors.protocol.stream import END, envelope_of
from agentactors.runtime import names
from tests.support.agents import Echo, Misbehaving, Refusing, Sleeper
from tests.support.messages import action
from tests.support.systems import running, sender, target_of
from tests.support.waiting import until


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    async with running(tmp_path_factory.mktemp("calls")) as started:
        await asyncio.gather(*(started.spawn(agent) for agent in (Echo, Misbehaving, Refusing, Sleeper)))
        yield started


@pytest.mark.spec("REACH-26")
async def test_a_result_says_who_served_which_request(system: AgentSystem) -> None:
    result = await system.ask("echo.say", {"text": "hello"})
    assert (result.status, result.agent_id, result.data["text"]) == ("success", "echo", "hello")
    assert result.data["request_id"] == result.request_id


@pytest.mark.spec("REACH-26")
async def test_defaults_and_the_sentence_fill_what_is_missing(system: AgentSystem) -> None:
    result = await system.ask("echo.say", query="ab", parameters={"times": 2})
    assert (result.data["text"], result.data["query"]) == ("abab", "ab")
    given = await system.ask("echo.say", {"text": "cd"}, query="ab")
    assert given.data["text"] == "cd"


@pytest.mark.spec("REACH-26", "REACH-31")
async def test_missing_parameters_are_named_before_any_agent_is_called(system: AgentSystem) -> None:
    before = (await system.describe(names.host("refusing", "0")))["admission"]
    with pytest.raises(InvalidParameters) as caught:
        await system.ask("bounded.take", {})
    assert caught.value.details["missing"] == ["number", "name"]
    with pytest.raises(InvalidParameters, match="number"):
        await system.ask("bounded.take", {"number": 6, "name": "six"})
    after = (await system.describe(names.host("refusing", "0")))["admission"]
    assert (after["admitted"], after["refused"]) == (before["admitted"], before["refused"])


@pytest.mark.spec("REACH-31", "COLLAB-02")
@pytest.mark.parametrize("parameters", [{"number": 9, "name": "n"}, {"name": "n"}, {"number": 1, "name": "n", "x": 1}])
async def test_the_host_validates_what_a_caller_did_not(system: AgentSystem, parameters: dict[str, Any]) -> None:
    request = action("bounded.take", "refusing", parameters)
    async with sender(system) as sending:
        target = await target_of(system, "refusing")
        answer = await sending.ask(target, wire.encode(request), (), want_ref=False, deadline=time.time() + 10)
    assert answer.envelope.body.error is not None
    assert answer.envelope.body.error.code == "INVALID_PARAMETERS"
    assert answer.envelope.correlation_id == request.message_id


@pytest.mark.spec("REACH-31")
async def test_a_result_that_breaks_the_output_schema_is_refused(system: AgentSystem) -> None:
    with pytest.raises(ResultInvalid, match=r"fail\.wrong_result"):
        await system.ask("fail.wrong_result")
    async with system.stream("fail.wrong_item") as stream:
        items = aiter(stream)
        assert await anext(items) == 1
        with pytest.raises(ResultInvalid):
            await anext(items)


@pytest.mark.spec("COLLAB-05")
@pytest.mark.parametrize("code", sorted(ERROR_BY_CODE))
async def test_every_error_survives_the_way_back(system: AgentSystem, code: str) -> None:
    details = {"path": "a.b", "limit": 3, "nearest": ["x"]}
    with pytest.raises(AgentActorsError) as caught:
        await system.ask("fail.ours", {"code": code, "details": details})
    assert type(caught.value) is ERROR_BY_CODE[code]
    assert caught.value.message == "as asked"
    assert caught.value.details == details


@pytest.mark.spec("RAY-01", "OPS-03")
async def test_a_users_exception_arrives_with_its_type_and_message(system: AgentSystem) -> None:
    with pytest.raises(AgentFailed, match="OutOfPaper: no more") as caught:
        await system.ask("fail.theirs", {"text": "no more"})
    assert caught.value.details["type"] == "OutOfPaper"
    assert "raise OutOfPaper" in caught.value.details["traceback"]
    with pytest.raises(AgentFailed, match="KeyError: 'drawer'"):
        await system.ask("fail.in_thread", {"text": "drawer"})


@pytest.mark.spec("COLLAB-03")
async def test_a_message_that_comes_twice_is_executed_once(system: AgentSystem) -> None:
    data = wire.encode(action("sleep.wait", "sleeper", {"name": "twice", "seconds": 0.2}))
    deadline = time.time() + 10
    target = await target_of(system, "sleeper")
    async with sender(system) as sending:
        both = [sending.ask(target, data, (), want_ref=False, deadline=deadline) for _ in range(2)]
        first, second = await asyncio.gather(*both)
        third = await sending.ask(target, data, (), want_ref=False, deadline=deadline)
    assert first.envelope == second.envelope == third.envelope
    notes = (await system.ask("sleep.notes")).data
    assert [note for note in notes if note.startswith("twice")] == ["twice began", "twice ended"]


@pytest.mark.spec("COLLAB-03")
async def test_a_stream_that_is_opened_twice_is_produced_once(system: AgentSystem) -> None:
    request = action("sleep.count", "sleeper", {"name": "stream twice", "items": 3})
    data, target, deadline = wire.encode(request), await target_of(system, "sleeper"), time.time() + 10

    async def opened() -> list[str]:
        kinds = []
        async for frame in sending.stream(target, request, data, (), window=16):
            kinds.append(frame.kind)
            if frame.kind == END:
                error = envelope_of(frame).body.error
                kinds.append(error.code if error else str(envelope_of(frame).body.status))
        return kinds

    async with sender(system) as sending:
        assert await opened() == ["item", "item", "item", "end", "success"]
        assert await opened() == ["end", "STATE_LOST"]
        answer = await sending.ask(target, data, (), want_ref=False, deadline=deadline)
    assert answer.envelope.body.error is not None
    notes = (await system.ask("sleep.notes")).data
    assert len([note for note in notes if note.startswith("stream twice")]) == 4


@pytest.mark.spec("COLLAB-03")
async def test_a_message_that_is_handed_over_twice_is_executed_once(system: AgentSystem) -> None:
    data = wire.encode(action("sleep.wait", "sleeper", {"name": "handed", "seconds": 0.0}))
    target, deadline = await target_of(system, "sleeper"), time.time() + 10
    async with sender(system) as sending:
        for _ in range(2):
            await sending.accept(target, data, (), keep=False, deadline=deadline)
        await sending.ask(target, data, (), want_ref=False, deadline=deadline)
    notes = (await system.ask("sleep.notes")).data
    assert [note for note in notes if note.startswith("handed")] == ["handed began", "handed ended"]


@pytest.mark.spec("COLLAB-02")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"protocol_version": "2.0"}, "VERSION_UNSUPPORTED"),
        ({"body": Body(action="echo.sing", parameters={})}, "UNKNOWN_ACTION"),
        ({"message_type": MessageType.ACTION_RESULT, "body": Body(status="SUCCEEDED")}, "MISSING_CORRELATION_ID"),
        ({"body": Body()}, "INVALID_MESSAGE"),
    ],
)
async def test_a_message_that_breaks_the_rules_never_reaches_the_agent(
    system: AgentSystem, changes: dict[str, Any], code: str
) -> None:
    request = msgspec.structs.replace(action("echo.say", "echo", {"text": "x"}), **changes)
    admitted = (await system.describe(names.host("echo", "0")))["admission"]["admitted"]
    assert await refused(system, request) == code
    assert (await system.describe(names.host("echo", "0")))["admission"]["admitted"] == admitted


async def refused(system: AgentSystem, request: Envelope) -> str:
    """Return the code that a message by hand is refused with: in an answer, or as far as nobody can read it."""
    try:
        async with sender(system) as sending:
            target = await target_of(system, "echo")
            answer = await sending.ask(target, wire.encode(request), (), want_ref=False, deadline=time.time() + 10)
    except AgentActorsError as fault:
        return fault.code
    return answer.envelope.body.error.code if answer.envelope.body.error else ""


@pytest.mark.spec("REACH-26")
async def test_a_task_is_answered_by_a_result_whatever_happens(system: AgentSystem) -> None:
    good = await system.submit_task({"query": "hello", "capability": "echo.say"})
    assert (good.status, good.data["text"]) == ("success", "hello")
    typed = await system.submit_task(Task(capability="echo.say", input={"text": "typed"}, deadline=time.time() + 5))
    assert typed.data["text"] == "typed"
    missing = await system.submit_task({"query": "a", "capability": "bounded.take"})
    assert (missing.status, missing.code) == ("failed", "INVALID_PARAMETERS")
    assert missing.advice
    late = await system.submit_task({"capability": "echo.say", "query": "a", "deadline": time.time() - 1})
    assert late.code == "DEADLINE_EXCEEDED"
    nobody = await system.submit_task({"capability": "say.echo", "query": "a"})
    assert (nobody.code, nobody.reason) == ("NO_REACHABLE_AGENT", "no_reachable_agent")
    assert "echo.say" in str(nobody.advice)
    failed = await system.submit_task({"capability": "fail.in_thread", "input": {"text": "x"}})
    assert failed.code == "AGENT_FAILED"
    assert "KeyError" in str(failed.reason)
    with pytest.raises(InputInvalid):
        await system.submit_task({"question": "hello"})


@pytest.mark.spec("REACH-25", "REACH-06")
async def test_a_capability_that_nobody_serves_is_refused_with_the_nearest(system: AgentSystem) -> None:
    with pytest.raises(NoReachableAgent) as caught:
        await system.ask("say.echo", {"text": "x"})
    assert caught.value.details["failed_check"] == "capability_id"
    assert "echo.say" in caught.value.details["nearest"]
    with pytest.raises(NoReachableAgent) as caught:
        await system.ask("echo.say", {"text": "x"}, agent_id="ecoh")
    assert (caught.value.details["failed_check"], caught.value.details["nearest"]) == ("registered", ["echo"])
    with pytest.raises(NoReachableAgent, match=r"1\.0\.0"):
        await system.ask("echo.say", {"text": "x"}, version=">=2.0")


@pytest.mark.spec("REACH-12")
async def test_a_result_is_collected_later(system: AgentSystem) -> None:
    request_id = await system.submit("sleep.wait", {"name": "later", "seconds": 0.3})
    with pytest.raises(DeadlineExceeded):
        await system.result(request_id, timeout_s=0.0)
    result = await system.result(request_id, timeout_s=10)
    assert (result.request_id, result.status, result.data) == (request_id, "success", "later")
    assert (await system.result(request_id, timeout_s=0.0)).data == "later"
    failed = await system.result(await system.submit("fail.theirs", {"text": "no more"}), timeout_s=10)
    assert (failed.status, failed.code) == ("failed", "AGENT_FAILED")
    with pytest.raises(DeadlineExceeded):
        await system.result("req-unknown", timeout_s=0.1)


async def test_a_call_that_is_told_runs_and_answers_nobody(system: AgentSystem) -> None:
    await system.tell("sleep.wait", {"name": "told", "seconds": 0.0})

    async def told() -> bool:
        return "told ended" in (await system.ask("sleep.notes")).data

    await until(told, within_s=5)


@pytest.mark.spec("REACH-12")
async def test_a_sync_handler_asks_without_blocking_the_loop(system: AgentSystem) -> None:
    answers = await asyncio.gather(*(system.ask("echo.blocking", {"text": str(n)}) for n in range(6)))
    assert [answer.data for answer in answers] == [str(n) for n in range(6)]


async def test_progress_comes_while_the_work_runs(system: AgentSystem) -> None:
    notes: list[dict[str, Any]] = []
    result = await system.ask("echo.progress", {"steps": 3}, on_progress=notes.append)
    assert result.data == 3
    assert [note["step"] for note in notes] == [0, 1, 2]
    assert notes[0] == {"message": "step 0", "step": 0, "steps": 3, "agent_id": "echo"}


@pytest.mark.spec("REACH-14")
async def test_a_capability_is_asked_or_streamed_as_the_caller_likes(system: AgentSystem) -> None:
    async with system.stream("echo.say", {"text": "one"}) as stream:
        assert [item["text"] async for item in stream] == ["one"]
    asked = {"name": "asked", "items": 3}
    assert (await system.ask("sleep.count", asked)).data == [0, 1, 2]
    assert (await system.ask("sleep.count", asked, on_progress=lambda _note: None)).data == [0, 1, 2]


@pytest.mark.spec("RAY-01")
async def test_the_control_group_answers_while_a_handler_blocks_the_loop(system: AgentSystem) -> None:
    endpoint = names.host("misbehaving", "0")
    blocked = asyncio.ensure_future(system.ask("fail.block_loop", {"seconds": 2.0}))

    async def lagging() -> float:
        begun = time.monotonic()
        lag_s: float = (await system.describe(endpoint))["lag_s"]
        assert time.monotonic() - begun < 0.9, "describe waited for the handler"
        return lag_s if lag_s > 0.5 else 0.0

    await until(lagging, within_s=2.0, what="the lag shows")
    assert not blocked.done()
    assert (await blocked).data >= 2.0

    async def recovered() -> bool:
        return bool((await system.describe(endpoint))["lag_s"] == 0.0)

    await until(recovered, within_s=5)
