"""The way back to plain text when a structured call fails, and the record that it was taken.

Theory of operation. Whether an error allows it is a column of the error table. What is sent is the business
text of the task, through the text channel, and never the message that failed. Nothing here is silent: each
attempt ends in a record, whether it answers, fails or is cancelled.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from agentactors.errors import AgentActorsError
from agentactors.llm.tokens import estimate_tokens
from agentactors.teams.textchannel import TextChannel, refuse_json

T = TypeVar("T")

_MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True)
class FallbackRecord:
    """One use of the text fallback."""

    reason: str
    """Code of the error that led to it."""
    text: str
    """What was sent."""
    tokens: int
    """Tokens of ``text``, by the estimator."""
    latency_ms: float
    """From the failure of the structured call to the end of the textual one."""
    result: Any
    """The answer; None when it failed."""
    ok: bool
    failure: str = ""
    """Code of the error that ended the textual call; empty when it answered or was cancelled."""


def allowed(error: AgentActorsError) -> bool:
    """Say whether the error table lets ``error`` fall back to text."""
    return error.row.text_fallback


async def with_text_fallback(
    call: Callable[[], Awaitable[T]],
    *,
    text: str,
    channel: TextChannel,
    sender: str,
    receiver: str,
    text_call: Callable[[str], Awaitable[T]],
    clock: Callable[[], float],
    on_record: Callable[[FallbackRecord], None] | None = None,
) -> tuple[T, FallbackRecord | None]:
    """Call, and say it again in plain words if that fails in a way that allows it.

    Guarantees: at most one call of each kind; a fallback is recorded however it ends.

    Args:
        call: The structured call; carries its own deadline.
        text: The business text of the task, in natural language.
        channel: Carries and counts the text.
        sender: Who speaks.
        receiver: Who is spoken to.
        text_call: Gets what came out of the channel; carries its own deadline.
        clock: Gives seconds, for the latency.
        on_record: Gets the record of every fallback, also of one that fails or is cancelled.

    Returns:
        The value, and the record of the fallback or None when there was none.

    Raises:
        InvalidMessage: ``text`` is JSON; nothing was called.
        AgentActorsError: The error of ``call`` when it allows no fallback, else the error of ``text_call``,
            with the record in ``details.fallback``.
    """
    refuse_json(text)
    try:
        return await call(), None
    except AgentActorsError as error:
        if not allowed(error):
            raise
        fault = error
    started = clock()

    def record(result: Any, failure: str, *, ok: bool) -> FallbackRecord:
        spent_ms = (clock() - started) * _MS_PER_S
        made = FallbackRecord(fault.code, text, estimate_tokens(text), spent_ms, result, ok, failure)
        if on_record:
            on_record(made)
        return made

    try:
        value = await text_call(channel.send(sender, receiver, text))
    except AgentActorsError as error:
        made = record(None, error.code, ok=False)
        raise error.with_details(fallback=asdict(made)) from error
    except BaseException:  # a cancel or a bug: it goes on as it is, and it is recorded
        record(None, "", ok=False)
        raise
    return value, record(value, "", ok=True)
