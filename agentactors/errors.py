"""The error tree; :mod:`.error_table` says what each error means.

::

    AgentActorsError                base of all; never raised itself
    ├─ UserMistake                  wrong use or input: one sentence, no traceback, exit code 2
    │  ├─ ConfigInvalid             CONFIG_INVALID
    │  ├─ InputInvalid              INPUT_INVALID
    │  └─ SystemNotFound            SYSTEM_NOT_FOUND
    ├─ ProtocolError                a message that breaks the rules
    │  ├─ InvalidMessage            INVALID_MESSAGE
    │  ├─ VersionUnsupported        VERSION_UNSUPPORTED
    │  ├─ UnknownMessageType        UNKNOWN_MESSAGE_TYPE
    │  ├─ MissingCorrelationId      MISSING_CORRELATION_ID
    │  ├─ UnknownAction             UNKNOWN_ACTION
    │  ├─ InvalidParameters         INVALID_PARAMETERS
    │  ├─ ResultInvalid             RESULT_INVALID
    │  ├─ UnknownCorrelation        UNKNOWN_CORRELATION
    │  ├─ DuplicateResponse         DUPLICATE_RESPONSE
    │  ├─ IllegalTransition         ILLEGAL_TRANSITION
    │  └─ TooLarge                  TOO_LARGE
    ├─ ReachError                   nobody may, can or is there to serve it
    │  ├─ NoReachableAgent          NO_REACHABLE_AGENT
    │  ├─ PermissionDenied          PERMISSION_DENIED
    │  ├─ DependencyNotReady        DEPENDENCY_NOT_READY
    │  ├─ RegistrationRefused       REGISTRATION_REFUSED
    │  └─ RoleCapabilityMismatch    ROLE_CAPABILITY_MISMATCH
    ├─ DeliveryError                it was sent, and did not come back well
    │  ├─ AgentFailed               AGENT_FAILED
    │  ├─ AgentUnavailable          AGENT_UNAVAILABLE
    │  ├─ Overloaded                OVERLOADED
    │  ├─ DeadlineExceeded          DEADLINE_EXCEEDED
    │  ├─ Cancelled                 CANCELLED
    │  ├─ StartTimeout              START_TIMEOUT
    │  └─ StaleIncarnation          STALE_INCARNATION
    ├─ StateError                   data that was kept and is not there
    │  ├─ StateLost                 STATE_LOST
    │  ├─ ContextLost               CONTEXT_LOST
    │  └─ UpstreamResultMissing     UPSTREAM_RESULT_MISSING
    ├─ ProviderFailed               PROVIDER_FAILED
    └─ StoreUnavailable             STORE_UNAVAILABLE

Every class takes the same two positional arguments, a sentence and a mapping of plain values, and passes
both to ``Exception.__init__``: that is what lets an error survive pickle and an actor hop with its type
(an exception with keyword-only arguments arrives as ``UnserializableException``, seen on Ray 2.60).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from agentactors.error_table import ERROR_TABLE, ErrorRow, Retryable

_ROW_BY_CODE = {row.code: row for row in ERROR_TABLE}


class AgentActorsError(Exception):
    """Base of every error that agentactors raises.

    Args:
        message: One sentence: what is wrong, where, and what to do.
        details: Plain values for programs (``retry_after_s``, ``path``, ``nearest``…); JSON types only.
    """

    code: ClassVar[str] = ""

    def __init__(self, message: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, dict(details or {}))

    @property
    def message(self) -> str:
        """The sentence."""
        return str(self.args[0])

    @property
    def details(self) -> dict[str, Any]:
        """Plain values that belong to the error."""
        return dict(self.args[1])

    @property
    def row(self) -> ErrorRow:
        """This error's row of :data:`ERROR_TABLE`."""
        return _ROW_BY_CODE[self.code]

    @property
    def retryable(self) -> Retryable:
        """Whether the same call may be made again; an error that knows it never started may be."""
        return Retryable.YES if self.details.get("started") is False else self.row.retryable

    @property
    def advice(self) -> str:
        """What to do: the error's own advice when it has one, else the table's."""
        return str(self.details.get("advice") or self.row.advice)

    def __str__(self) -> str:
        return self.message

    def to_wire(self) -> dict[str, Any]:
        """Return the form that travels in an answer: code, message, advice and details."""
        return {"code": self.code, "message": self.message, "advice": self.advice, "details": self.details}

    @staticmethod
    def from_wire(body: Mapping[str, Any]) -> AgentActorsError:
        """Rebuild an error from :meth:`to_wire`; a code that this version does not know becomes AGENT_FAILED."""
        cls = ERROR_BY_CODE.get(str(body.get("code")), AgentFailed)
        return cls(str(body.get("message", "")), body.get("details") or {})

    def with_details(self, **more: Any) -> Self:
        """Return a copy of the same class with further details."""
        return type(self)(self.message, {**self.details, **more})


class UserMistake(AgentActorsError):
    """Wrong use or input: shown as one sentence without traceback, exit code 2."""


class ConfigInvalid(UserMistake):
    """Raised when a setting is unknown or has a wrong value."""

    code = "CONFIG_INVALID"


class InputInvalid(UserMistake):
    """Raised when a file, row or argument that a person gave cannot be used."""

    code = "INPUT_INVALID"


class SystemNotFound(UserMistake):
    """Raised when no running system has the name that was asked for."""

    code = "SYSTEM_NOT_FOUND"


class ProtocolError(AgentActorsError):
    """A message that breaks the protocol's rules."""


class InvalidMessage(ProtocolError):
    """Raised when an envelope or body breaks its schema; ``details.path`` names the field."""

    code = "INVALID_MESSAGE"


class VersionUnsupported(ProtocolError):
    """Raised for a protocol_version outside the supported range; ``details.supported`` gives the range."""

    code = "VERSION_UNSUPPORTED"


class UnknownMessageType(ProtocolError):
    """Raised for a message_type that is not in the table."""

    code = "UNKNOWN_MESSAGE_TYPE"


class MissingCorrelationId(ProtocolError):
    """Raised for an answer without correlation_id."""

    code = "MISSING_CORRELATION_ID"


class UnknownAction(ProtocolError):
    """Raised when the receiving agent has no such action; ``details.nearest`` lists what it has."""

    code = "UNKNOWN_ACTION"


class InvalidParameters(ProtocolError):
    """Raised before any handler runs, when parameters break the input schema; ``details.missing`` names them."""

    code = "INVALID_PARAMETERS"


class ResultInvalid(ProtocolError):
    """Raised after the handler ran, when its result breaks the output schema."""

    code = "RESULT_INVALID"


class UnknownCorrelation(ProtocolError):
    """Raised for an answer to nothing that was asked."""

    code = "UNKNOWN_CORRELATION"


class DuplicateResponse(ProtocolError):
    """Raised for a second answer to one request."""

    code = "DUPLICATE_RESPONSE"


class IllegalTransition(ProtocolError):
    """Raised for a state change that is not in the table."""

    code = "ILLEGAL_TRANSITION"


class TooLarge(ProtocolError):
    """Raised when a message, payload, context value or context is over its bound; nothing was stored or sent."""

    code = "TOO_LARGE"


class ReachError(AgentActorsError):
    """Nobody may, can or is there to serve the request."""


class NoReachableAgent(ReachError):
    """Raised when no candidate is left; ``details.failed_check`` is registered, online or capability_id."""

    code = "NO_REACHABLE_AGENT"


class PermissionDenied(ReachError):
    """Raised when the caller may see the agent and may not call it."""

    code = "PERMISSION_DENIED"


class DependencyNotReady(ReachError):
    """Raised when a required agent is missing; ``details.retry_after_s`` says when to look again."""

    code = "DEPENDENCY_NOT_READY"


class RegistrationRefused(ReachError):
    """Raised at registration, never later; ``details.path`` names the fault in the declaration."""

    code = "REGISTRATION_REFUSED"


class RoleCapabilityMismatch(ReachError):
    """Raised when a capability is registered on, or called on, the wrong role."""

    code = "ROLE_CAPABILITY_MISMATCH"


class DeliveryError(AgentActorsError):
    """The request was sent and did not come back well."""


class AgentFailed(DeliveryError):
    """Raised when the handler raised: its type name, message and traceback text travel, never the object."""

    code = "AGENT_FAILED"


class AgentUnavailable(DeliveryError):
    """Raised when connection or actor were lost; ``details.started`` is False when the call never started."""

    code = "AGENT_UNAVAILABLE"


class Overloaded(DeliveryError):
    """Raised at once when a bound is reached; ``details.retry_after_s`` says when to try again."""

    code = "OVERLOADED"


class DeadlineExceeded(DeliveryError):
    """Raised when the absolute deadline passed; the work in the agent has been told to stop."""

    code = "DEADLINE_EXCEEDED"


class Cancelled(DeliveryError):
    """Raised when the caller cancelled."""

    code = "CANCELLED"


class StartTimeout(DeliveryError):
    """Raised when an actor did not start in time; ``details`` holds wanted and available resources."""

    code = "START_TIMEOUT"


class StaleIncarnation(DeliveryError):
    """Raised when an older incarnation writes; ``details.current`` is the one that counts."""

    code = "STALE_INCARNATION"


class StateError(AgentActorsError):
    """Data that was kept and is not there."""


class StateLost(StateError):
    """Raised when a state ref cannot be read any more; ``details.owner`` says whose it was."""

    code = "STATE_LOST"


class ContextLost(StateError):
    """Raised when chain context that is read has expired or is gone; never an empty mapping instead."""

    code = "CONTEXT_LOST"


class UpstreamResultMissing(StateError):
    """Raised when a summary lacks the result of retrieval or of execution."""

    code = "UPSTREAM_RESULT_MISSING"


class ProviderFailed(AgentActorsError):
    """Raised when a model API fails; never answered by a silent mock."""

    code = "PROVIDER_FAILED"


class StoreUnavailable(AgentActorsError):
    """Raised when the database did not answer or refused; nothing was acknowledged."""

    code = "STORE_UNAVAILABLE"


def _leaves(cls: type[AgentActorsError]) -> list[type[AgentActorsError]]:
    below = [leaf for sub in cls.__subclasses__() for leaf in _leaves(sub)]
    return ([cls] if cls.code else []) + below


ERROR_BY_CODE: dict[str, type[AgentActorsError]] = {cls.code: cls for cls in _leaves(AgentActorsError)}
"""The class of each code: how an error that came over a wire gets its type back."""
