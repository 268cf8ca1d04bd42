"""What all calls of one chain share, and one call within it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from agentactors.protocol.envelope import Envelope
from agentactors.protocol.ids import new_id


class Chain(msgspec.Struct, frozen=True):
    """One chain: everything that nested calls inherit. A struct, because one is made for every call."""

    request_id: str
    deadline: float
    tenant: str
    role: str
    session_id: str = ""
    trace_id: str = ""
    context_refer: str | None = None
    has_memory: bool = False
    hops: int = 0

    @classmethod
    def begin(
        cls,
        *,
        tenant: str,
        role: str,
        timeout_s: float,
        context_refer: str | None = None,
        request_id: str | None = None,
    ) -> Chain:
        """Start a chain with a fresh request_id and a deadline ``timeout_s`` seconds from now."""
        return cls(request_id or new_id("req"), time.time() + timeout_s, tenant, role, context_refer=context_refer)

    @classmethod
    def nested(cls, envelope: Envelope, *, deadline: float, tenant: str, role: str, has_memory: bool) -> Chain:
        """Return the chain as the receiver of ``envelope`` continues it, in its own name."""
        return cls(
            envelope.task_id,
            deadline,
            tenant,
            role,
            envelope.session_id,
            envelope.trace_id,
            envelope.context_refer,
            has_memory,
            envelope.hops + 1,
        )


class Call(msgspec.Struct, frozen=True):
    """What is asked for."""

    capability: str | None
    parameters: Mapping[str, Any] = {}
    query: str = ""
    agent_id: str | None = None
    version: str = ""
    key: str = ""
    """Which of the agents that share a host is meant."""
