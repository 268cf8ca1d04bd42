"""Task and result: what a caller sends and gets, the same in Python, HTTP and CLI."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from agentactors.errors import AgentActorsError


class ResultStatus(StrEnum):
    """How a request ended, or that it has not."""

    SUCCESS = "success"
    FAILED = "failed"
    QUEUED = "queued"


class Task(BaseModel):
    """A request in the words of its caller: a sentence, a capability, or both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(default="", max_length=100_000, description="What is wanted, in the caller's words.")
    capability: str | None = Field(default=None, description="The capability id; without it the sentence decides.")
    input: dict[str, Any] = Field(default_factory=dict, description="Parameters of the capability.")
    context_refer: str | None = Field(default=None, description="request_id whose conclusions may be read.")
    deadline: float | None = Field(default=None, description="Absolute, seconds since the epoch, for the whole chain.")
    allow_queue: bool = Field(default=False, description="Queue it when nobody can serve it now.")
    idempotency_key: str | None = Field(default=None, max_length=200, description="Same key, same body: one effect.")


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a task. A struct, because one is made for every call."""

    request_id: str
    """Names the chain; refer to it with ``context_refer``."""
    status: ResultStatus
    agent_id: str | None = None
    """Who served it."""
    data: Any = None
    """What the agent returned."""
    code: str | None = None
    """Error code, when failed."""
    reason: str | None = None
    """What went wrong, when failed."""
    advice: str | None = None
    """What to do about it, when failed."""
    state: str | None = None
    """Where it waits, when queued."""
    transport: str | None = None
    """How it travelled: ``channel`` or ``ray``."""

    def to_plain(self) -> dict[str, Any]:
        """Return the fields that are set, as they appear over HTTP and in ``--json``."""
        fields = ("request_id", "status", "agent_id", "data", "code", "reason", "advice", "state", "transport")
        return {name: value for name in fields if (value := getattr(self, name)) is not None}

    @classmethod
    def failed(cls, request_id: str, error: AgentActorsError, *, agent_id: str | None = None) -> Result:
        """Return the failed result that an error stands for.

        The reason of NO_REACHABLE_AGENT is the word ``no_reachable_agent``, as callers of the original
        interface expect; its sentence is the advice.
        """
        reason = "no_reachable_agent" if error.code == "NO_REACHABLE_AGENT" else error.message
        advice = error.message if error.code == "NO_REACHABLE_AGENT" else error.advice
        return cls(
            request_id=request_id,
            status=ResultStatus.FAILED,
            agent_id=agent_id,
            code=error.code,
            reason=reason,
            advice=advice,
        )
