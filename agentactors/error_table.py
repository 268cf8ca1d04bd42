"""The error table: one row for each code that crosses a boundary.

The docs, the HTTP status and the retry policy are all read from here; the classes are in :mod:`.errors`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Retryable(StrEnum):
    """Whether the same call may be made again."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The outcome is unknown: repeat only what is idempotent."""


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One row of the error table."""

    code: str
    trigger: str
    """What has happened when this is raised."""
    retryable: Retryable
    text_fallback: bool
    """Whether the business text may be sent again as plain text (recorded, never silent)."""
    http_status: int
    advice: str
    """What the reader should do."""


_YES, _NO, _UNKNOWN = Retryable.YES, Retryable.NO, Retryable.UNKNOWN

ERROR_TABLE: tuple[ErrorRow, ...] = (
    ErrorRow(
        "INVALID_MESSAGE",
        "envelope or body breaks its schema",
        _NO,
        False,
        400,
        "Correct the field that the message names.",
    ),
    ErrorRow(
        "VERSION_UNSUPPORTED",
        "protocol_version outside the supported range",
        _NO,
        True,
        400,
        "Speak a version inside the range that the error gives.",
    ),
    ErrorRow(
        "UNKNOWN_MESSAGE_TYPE",
        "message_type not in the table",
        _NO,
        False,
        400,
        "Use one of the message types that the error lists.",
    ),
    ErrorRow(
        "MISSING_CORRELATION_ID",
        "an answer without correlation_id",
        _NO,
        False,
        400,
        "Set correlation_id to the message_id of the request.",
    ),
    ErrorRow(
        "UNKNOWN_ACTION", "the agent has no such action", _NO, True, 404, "Ask for an action that the agent declares."
    ),
    ErrorRow(
        "INVALID_PARAMETERS",
        "parameters break the input schema",
        _NO,
        True,
        422,
        "Correct the parameters that the error names.",
    ),
    ErrorRow(
        "RESULT_INVALID",
        "the result breaks the output schema",
        _NO,
        True,
        502,
        "Mend the agent: its result is not what it declares.",
    ),
    ErrorRow(
        "UNKNOWN_CORRELATION",
        "an answer to nothing that was asked",
        _NO,
        False,
        404,
        "Drop the answer; its request was never sent or is long over.",
    ),
    ErrorRow(
        "DUPLICATE_RESPONSE",
        "a second answer to one request",
        _NO,
        False,
        409,
        "Drop the answer; the first one counts.",
    ),
    ErrorRow(
        "ILLEGAL_TRANSITION",
        "a state change that is not in the table",
        _NO,
        False,
        409,
        "Read the current state first; terminal states never change.",
    ),
    ErrorRow(
        "NO_REACHABLE_AGENT",
        "no candidate: not registered, not online, or another capability id",
        _YES,
        False,
        404,
        "Follow the advice in the error, then ask again.",
    ),
    ErrorRow(
        "ROLE_CAPABILITY_MISMATCH",
        "a capability on the wrong role, or a call that goes round the role",
        _NO,
        False,
        409,
        "Give each role its own capabilities and each agent one role.",
    ),
    ErrorRow(
        "UPSTREAM_RESULT_MISSING",
        "the summary lacks the result of retrieval or of execution",
        _NO,
        False,
        424,
        "Run the missing step first and pass its result on.",
    ),
    ErrorRow(
        "PERMISSION_DENIED",
        "the agent is visible to the caller, not callable",
        _NO,
        False,
        403,
        "Ask the owner of the agent for the right to call it.",
    ),
    ErrorRow("DEADLINE_EXCEEDED", "the deadline passed", _NO, False, 504, "Give more time, or ask for less."),
    ErrorRow("CANCELLED", "cancelled by the caller", _NO, False, 409, "Nothing to do: the work has been stopped."),
    ErrorRow(
        "AGENT_FAILED",
        "the handler raised",
        _NO,
        True,
        502,
        "Read the agent's error; it is the agent's own code that failed.",
    ),
    ErrorRow(
        "AGENT_UNAVAILABLE",
        "connection or actor lost",
        _UNKNOWN,
        False,
        503,
        "Repeat only what is idempotent, unless the error says that the call never started.",
    ),
    ErrorRow(
        "OVERLOADED",
        "a bound was reached",
        _YES,
        False,
        429,
        "Wait for retry_after_s, then try again; add replicas if it stays so.",
    ),
    ErrorRow(
        "PROVIDER_FAILED",
        "model API: network, time-out, HTTP error or empty answer",
        _YES,
        False,
        502,
        "Check the provider's address, key and model; then try again.",
    ),
    ErrorRow(
        "DEPENDENCY_NOT_READY",
        "a required agent is missing",
        _YES,
        False,
        425,
        "Wait for retry_after_s, or start the agent that the error names.",
    ),
    ErrorRow(
        "STATE_LOST",
        "a state ref that cannot be read any more",
        _NO,
        False,
        410,
        "Make the value again; its owner has died or has released it.",
    ),
    ErrorRow(
        "CONTEXT_LOST",
        "chain context expired or gone",
        _NO,
        False,
        410,
        "Run the earlier request again, or pass what it found as a parameter.",
    ),
    ErrorRow(
        "TOO_LARGE",
        "payload, context value, context or message over its bound",
        _NO,
        False,
        413,
        "Send less, or send it as a state ref.",
    ),
    ErrorRow(
        "REGISTRATION_REFUSED",
        "a declaration breaks its schema, or its id belongs to another owner",
        _NO,
        False,
        422,
        "Correct the declaration at the path that the error names.",
    ),
    ErrorRow(
        "START_TIMEOUT",
        "an actor did not start in time",
        _NO,
        False,
        504,
        "Ask for fewer resources, or add a node that has them.",
    ),
    ErrorRow(
        "STALE_INCARNATION",
        "a write or frame of an older incarnation",
        _NO,
        False,
        409,
        "Stop this process: a newer one has taken its place.",
    ),
    ErrorRow(
        "CONFIG_INVALID",
        "a setting is unknown or has a wrong value",
        _NO,
        False,
        400,
        "Correct the setting that the error names; `agentactors config show` lists them all.",
    ),
    ErrorRow("INPUT_INVALID", "wrong use or input", _NO, False, 400, "Correct the input that the error names."),
    ErrorRow(
        "SYSTEM_NOT_FOUND",
        "no running system has that name",
        _YES,
        False,
        404,
        "Start a system, or give the name of one that runs.",
    ),
    ErrorRow(
        "STORE_UNAVAILABLE",
        "the database did not answer or refused the write",
        _YES,
        False,
        503,
        "Check the database and its disk; nothing was acknowledged.",
    ),
)
"""Every code that crosses a boundary. The docs, the HTTP status and the retry policy are all read from here."""
