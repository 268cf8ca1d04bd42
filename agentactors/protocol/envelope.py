"""The envelope: one definition for every message between agents, on every transport.

Theory of operation. An envelope is small and says everything about delivery; the body says what is meant.
Ask and answer are two envelopes: ``correlation_id`` of the answer is ``message_id`` of the request. All
messages of one chain share ``task_id`` (what callers know as *request_id*). The deadline is absolute, so
that nested calls inherit what is left of it. Large values are not in here: they travel beside the envelope
as attachments, and ``parameters`` or ``result`` hold a marker in their place (see :mod:`.state`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

PROTOCOL_VERSION: Final = "1.0"
SUPPORTED_MAJOR: Final = 1
"""Any 1.x is understood: minor versions only add optional fields."""


class MessageType(StrEnum):
    """What a message is for; which body fields each needs is in :mod:`.bodies`."""

    HELLO = "HELLO"
    CAPABILITY_REGISTER = "CAPABILITY_REGISTER"
    CAPABILITY_QUERY = "CAPABILITY_QUERY"
    TASK_REQUEST = "TASK_REQUEST"
    TASK_ACCEPT = "TASK_ACCEPT"
    ACTION_REQUEST = "ACTION_REQUEST"
    ACTION_RESULT = "ACTION_RESULT"
    CANCEL = "CANCEL"
    ERROR = "ERROR"
    STATUS = "STATUS"


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as it travels: see :meth:`agentactors.errors.AgentActorsError.to_wire`."""

    code: str
    message: str
    advice: str = ""
    details: dict[str, Any] = {}


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a message says; :mod:`.bodies` holds which fields each message type needs."""

    action: str | None = None
    """The capability id that is asked for."""
    query: str | None = None
    """The caller's sentence."""
    parameters: dict[str, Any] | None = None
    status: str | None = None
    result: Any = None
    error: ErrorBody | None = None


class Envelope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message.

    JSON over HTTP and in logs, msgpack between actors; both are validated while they are decoded
    (:mod:`.wire`). Times are seconds since the epoch, UTC.
    """

    message_id: str
    """Names this message; a receiver executes an id once, however often it arrives."""
    task_id: str
    """Names the chain: the request_id that callers see, the same in every nested message."""
    sender: str
    receiver: str
    message_type: MessageType
    timestamp: float
    protocol_version: str = PROTOCOL_VERSION
    session_id: str = ""
    """Names the conversation that several chains belong to; empty when there is none."""
    trace_id: str = ""
    """W3C trace id (32 hex digits); empty when nobody traces."""
    correlation_id: str | None = None
    """message_id of the request that this answers."""
    deadline: float | None = None
    """Absolute; nobody works on the message after it."""
    tenant: str = "default"
    """Whose request it is: decides what the sender may see and call."""
    role: str = "user"
    """The sender's role within its tenant."""
    context_refer: str | None = None
    """request_id of an earlier chain whose conclusions may be read."""
    has_memory: bool = False
    """Whether the chain's memory holds anything: without it nobody asks the journal."""
    key: str = ""
    """Which of the agents that share a host is meant; empty when each has its own."""
    hops: int = 0
    """How many nested calls led here; bounded, so that a loop ends."""
    body: Body = Body()

    def answer(
        self, *, message_id: str, message_type: MessageType, timestamp: float, body: Body, has_memory: bool = False
    ) -> Envelope:
        """Return the envelope that answers this one: same chain, sender and receiver swapped."""
        return msgspec.structs.replace(
            self,
            message_id=message_id,
            sender=self.receiver,
            receiver=self.sender,
            message_type=message_type,
            timestamp=timestamp,
            correlation_id=self.message_id,
            context_refer=None,
            has_memory=has_memory,
            body=body,
        )
