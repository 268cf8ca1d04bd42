"""The text fallback: only where the error table allows it, always recorded, never JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from agentactors.error_table import ERROR_TABLE
from agentactors.errors import ERROR_BY_CODE, AgentActorsError, AgentFailed, InvalidMessage, ProviderFailed
from agentactors.llm.tokens import estimate_tokens
from agentactors.teams.fallback import FallbackRecord, allowed, with_text_fallback
from agentactors.teams.textchannel import TextChannel

TEXT = "Why did zlib fail to build?"
ALLOWED = {
    "VERSION_UNSUPPORTED",
    "UNKNOWN_ACTION",
    "INVALID_PARAMETERS",
    "RESULT_INVALID",
    "AGENT_FAILED",
}


def failing(fault: BaseException) -> Callable[[], Awaitable[str]]:
    async def call() -> str:
        raise fault

    return call


async def say(text: str) -> str:
    return f"heard: {text}"


class Run:
    """One call with its channel, its records and a clock that ticks a quarter of a second a look."""

    def __init__(self) -> None:
        self.channel = TextChannel()
        self.records: list[FallbackRecord] = []
        self._ticks: Iterator[float] = (number * 0.25 for number in range(1000))

    async def __call__(
        self,
        call: Callable[[], Awaitable[str]],
        *,
        text: str = TEXT,
        text_call: Callable[[str], Awaitable[str]] = say,
    ) -> tuple[str, FallbackRecord | None]:
        async with asyncio.timeout(5):
            return await with_text_fallback(
                call,
                text=text,
                channel=self.channel,
                sender="planner",
                receiver="executor",
                text_call=text_call,
                clock=lambda: next(self._ticks),
                on_record=self.records.append,
            )


@pytest.mark.spec("COLLAB-06")
async def test_a_call_that_answers_needs_no_fallback() -> None:
    run = Run()

    async def call() -> str:
        return "structured"

    assert await run(call) == ("structured", None)
    assert (run.records, run.channel.statistics().messages) == ([], 0)


@pytest.mark.spec("COLLAB-06")
@pytest.mark.parametrize("code", sorted(row.code for row in ERROR_TABLE))
async def test_the_error_table_decides(code: str) -> None:
    run, fault = Run(), ERROR_BY_CODE[code]("No.")
    assert allowed(fault) is (code in ALLOWED)

    if code not in ALLOWED:
        with pytest.raises(type(fault)) as caught:
            await run(failing(fault))
        assert caught.value is fault
        assert (run.records, run.channel.statistics().messages) == ([], 0)
        return
    value, record = await run(failing(fault))
    assert value == f"heard: {TEXT}"
    assert record == FallbackRecord(code, TEXT, estimate_tokens(TEXT), 250.0, value, ok=True)
    assert run.records == [record]


@pytest.mark.spec("COLLAB-06")
async def test_the_business_text_goes_through_the_channel_unchanged() -> None:
    run = Run()
    await run(failing(AgentFailed("Boom.", {"log": {"secret": 1}})))

    assert [message[:3] for message in run.channel.messages] == [("planner", "executor", TEXT)]


@pytest.mark.spec("COLLAB-06")
async def test_json_is_never_sent_nor_is_anything_called() -> None:
    run, called = Run(), False

    async def call() -> str:
        nonlocal called
        called = True
        return ""

    with pytest.raises(InvalidMessage):
        await run(call, text='{"task_text": "Why?"}')
    assert (called, run.records) == (False, [])


@pytest.mark.spec("COLLAB-06")
async def test_a_fallback_that_fails_is_recorded_and_its_error_comes_out() -> None:
    run = Run()

    async def refuse(_: str) -> str:
        raise ProviderFailed("No network.", {"cause": "network"})

    with pytest.raises(ProviderFailed) as caught:
        await run(failing(AgentFailed("Boom.")), text_call=refuse)
    (record,) = run.records
    assert (record.reason, record.ok, record.result, record.failure) == ("AGENT_FAILED", False, None, "PROVIDER_FAILED")
    assert caught.value.details["cause"] == "network"
    assert caught.value.details["fallback"]["reason"] == "AGENT_FAILED"


@pytest.mark.spec("COLLAB-06")
async def test_a_fallback_that_is_cancelled_is_recorded() -> None:
    run, started = Run(), asyncio.Event()

    async def wait(_: str) -> str:
        started.set()
        await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
        return ""

    task = asyncio.create_task(run(failing(AgentFailed("Boom.")), text_call=wait))
    async with asyncio.timeout(5):
        await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(record.reason, record.ok) for record in run.records] == [("AGENT_FAILED", False)]


async def test_a_bug_is_no_reason_to_fall_back() -> None:
    run = Run()

    with pytest.raises(ZeroDivisionError):
        await run(failing(ZeroDivisionError()))
    assert run.records == []


def test_every_error_has_a_say() -> None:
    assert all(isinstance(allowed(cls()), bool) for cls in ERROR_BY_CODE.values())
    assert issubclass(AgentFailed, AgentActorsError)
