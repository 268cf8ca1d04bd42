"""What each message type has to say: one table, the check and the JSON Schemas made from it, and constructors.

The table is the protocol; everything else on this page is read from it. :func:`check` runs before any agent
does, so a message that breaks the table never reaches one. :mod:`.wire` has looked at the types by then.
"""

from __future__ import annotations

import copy
import difflib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Required, TypedDict, Unpack

import msgspec

from agentactors.errors import AgentActorsError, InvalidMessage, MissingCorrelationId, UnknownAction
from agentactors.protocol.envelope import SUPPORTED_MAJOR, Body, Envelope, ErrorBody, MessageType
from agentactors.protocol.ids import new_message_id
from agentactors.protocol.lifecycle import TaskState
from agentactors.protocol.roles import Role
from agentactors.protocol.task import ResultStatus

_TEXT: Final = {"type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class BodyRule:
    """What one message type needs."""

    needs: tuple[str, ...] = ()
    """Body fields that must be there."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Keys that ``parameters`` must have, and the JSON Schema of each."""
    statuses: frozenset[str] = frozenset()
    """Values that ``status`` may have; empty: the type has no status."""
    correlated: bool = False
    """Whether the message names, in ``correlation_id``, the request that it is about."""


_NULLABLE_ROLE: Final = {"enum": [*(role.value for role in Role), None]}
_RESULTS: Final = frozenset({ResultStatus.SUCCESS.value, ResultStatus.FAILED.value})
_STATES: Final = frozenset(state.value for state in TaskState)

RULES: Final[Mapping[MessageType, BodyRule]] = {
    MessageType.HELLO: BodyRule(("parameters",), {"agent": _TEXT, "role": _NULLABLE_ROLE}),
    MessageType.CAPABILITY_REGISTER: BodyRule(("parameters",), {"declaration": {"type": "object"}}),
    MessageType.CAPABILITY_QUERY: BodyRule(("parameters",), {"capability": _TEXT}),
    MessageType.TASK_REQUEST: BodyRule(("parameters",), {"task_text": _TEXT}),
    MessageType.TASK_ACCEPT: BodyRule(("status",), statuses=frozenset({TaskState.ACCEPTED.value}), correlated=True),
    MessageType.ACTION_REQUEST: BodyRule(("action", "parameters")),
    MessageType.ACTION_RESULT: BodyRule(("status",), statuses=_RESULTS, correlated=True),
    MessageType.CANCEL: BodyRule(("parameters",), {"reason": {"type": "string"}}, correlated=True),
    MessageType.ERROR: BodyRule(("error",), correlated=True),
    MessageType.STATUS: BodyRule(("status",), statuses=_STATES, correlated=True),
}
"""The table. A successful ACTION_RESULT without ``result`` has the result null; a failed one needs ``error``."""

_MEANING: Final[Mapping[MessageType, str]] = {
    MessageType.HELLO: "An agent says that it is there, and its role in the team.",
    MessageType.CAPABILITY_REGISTER: "An agent declares what it can do.",
    MessageType.CAPABILITY_QUERY: "Asks who has a capability.",
    MessageType.TASK_REQUEST: "Hands over a task; task_text is all that a model sees of it.",
    MessageType.TASK_ACCEPT: "Answers TASK_REQUEST: the task is taken on.",
    MessageType.ACTION_REQUEST: "Asks for one action.",
    MessageType.ACTION_RESULT: "Answers ACTION_REQUEST: success with its result, or failed with its error.",
    MessageType.CANCEL: "Takes a request back.",
    MessageType.ERROR: "Refuses a message, which was not executed.",
    MessageType.STATUS: "Tells how the work on a request stands.",
}

_NEAREST_SHOWN: Final = 3
_ACTION_SHOWN_CHARS: Final = 200


def check(envelope: Envelope) -> None:
    """Check that a message says what its type needs.

    Raises:
        MissingCorrelationId: The type is about a request and the message names none.
        InvalidMessage: A field is missing or has a wrong value; ``details.path`` names it.

    Cost:
        Under a microsecond for ACTION_REQUEST and ACTION_RESULT.
    """
    rule = RULES[envelope.message_type]
    if rule.correlated and not envelope.correlation_id:
        raise MissingCorrelationId(
            f"A message of type {envelope.message_type} needs correlation_id: the message_id of its request.",
            {"message_id": envelope.message_id},
        )
    if not (envelope.message_id and envelope.task_id and envelope.sender and envelope.receiver):
        raise _bad_address(envelope)
    if not (0 <= envelope.timestamp < math.inf):
        raise _invalid(envelope, "$.timestamp", "is no time")
    if envelope.deadline is not None and not (0 <= envelope.deadline < math.inf):
        # NaN passes the msgpack decoder, and no time is ever later than NaN: the message would never end.
        raise _invalid(envelope, "$.deadline", "is no time")
    body = envelope.body
    for name in rule.needs:
        if getattr(body, name) is None:
            raise _invalid(envelope, f"$.body.{name}", "is missing")
    if rule.statuses and body.status not in rule.statuses:
        raise _invalid(envelope, "$.body.status", f"must be one of {', '.join(sorted(rule.statuses))}")
    if rule.parameters:
        _check_parameters(envelope, rule.parameters)
    further = _FURTHER.get(envelope.message_type)
    if further is not None:
        further(envelope)


def check_action(envelope: Envelope, actions: Collection[str]) -> None:
    """Check that the receiver has the action that an ACTION_REQUEST asks for.

    Args:
        envelope: The request.
        actions: What the receiver has; a set or a mapping makes this O(1).

    Raises:
        UnknownAction: It has not; ``details.nearest`` lists up to three names that look alike.
    """
    action = envelope.body.action or ""
    if action in actions:
        return
    action = action[:_ACTION_SHOWN_CHARS]  # it is the sender's, and comparing is quadratic
    nearest = difflib.get_close_matches(action, actions, n=_NEAREST_SHOWN, cutoff=0.4)
    shown = nearest or sorted(actions)[:_NEAREST_SHOWN]
    raise UnknownAction(
        f"{envelope.receiver!r} has no action {action!r}; it has {', '.join(shown) or 'none'}.",
        {"action": action, "nearest": nearest},
    )


def message_schema(message_type: MessageType) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one message type: for documents and for peers in other languages.

    Unknown fields are allowed: minor versions of the protocol only add optional ones.
    """
    definitions = msgspec.json.schema_components((Envelope,), ref_template="#/$defs/{name}")[1]
    envelope, rule = definitions.pop("Envelope"), RULES[message_type]
    properties = envelope["properties"]
    properties["message_type"] = {"const": message_type.value}
    properties["protocol_version"] = {"type": "string", "pattern": rf"^{SUPPORTED_MAJOR}\.\d+$"}
    properties["body"] = {"allOf": [{"$ref": "#/$defs/Body"}, _body_schema(message_type, rule)]}
    for name in ("message_id", "task_id", "sender", "receiver"):
        properties[name] = _TEXT
    for name in ("timestamp", "deadline"):
        properties[name] = {**properties[name], "minimum": 0}
    if rule.correlated:
        properties["correlation_id"] = _TEXT
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **envelope,
        "title": message_type.value,
        "description": _MEANING[message_type],
        "required": [*envelope["required"], "body", *(["correlation_id"] if rule.correlated else [])],
        "$defs": definitions,
    }
    return copy.deepcopy(schema)  # parts of it are this module's tables


def _body_schema(message_type: MessageType, rule: BodyRule) -> dict[str, Any]:
    properties: dict[str, Any] = {name: {"not": {"type": "null"}} for name in rule.needs}
    if rule.statuses:
        properties["status"] = {"enum": sorted(rule.statuses)}
    if rule.parameters:
        properties["parameters"] = {
            "type": "object",
            "properties": dict(rule.parameters),
            "required": list(rule.parameters),
        }
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": list(rule.needs)}
    if message_type is MessageType.ACTION_REQUEST:
        properties["action"] = _TEXT
    if message_type is MessageType.ERROR:
        text = dict.fromkeys(("code", "message", "advice"), _TEXT)
        properties["error"] = {"type": "object", "properties": text, "required": list(text)}
    if message_type is MessageType.ACTION_RESULT:
        failed = {"properties": {"status": {"const": ResultStatus.FAILED.value}}}
        given = {"required": ["error"], "properties": {"error": {"type": "object", "properties": {"code": _TEXT}}}}
        schema |= {"if": failed, "then": given, "else": {"properties": {"error": {"type": "null"}}}}
    return schema


def _bad_address(envelope: Envelope) -> InvalidMessage:
    empty = next(name for name in ("message_id", "task_id", "sender", "receiver") if not getattr(envelope, name))
    return _invalid(envelope, f"$.{empty}", "is empty")


def _invalid(envelope: Envelope, path: str, fault: str) -> InvalidMessage:
    return InvalidMessage(
        f"{path.removeprefix('$.')} of a message of type {envelope.message_type} {fault}.",
        {"path": path, "message_id": envelope.message_id},
    )


def _check_parameters(envelope: Envelope, wanted: Mapping[str, Mapping[str, Any]]) -> None:
    given = envelope.body.parameters or {}
    for name, schema in wanted.items():
        path = f"$.body.parameters.{name}"
        if name not in given:
            raise _invalid(envelope, path, "is missing")
        value = given[name]
        if "enum" in schema:
            fits = value in schema["enum"]
        else:
            fits = isinstance(value, dict if schema["type"] == "object" else str)
        if not fits or (value == "" and "minLength" in schema):
            raise _invalid(envelope, path, "has a wrong value")


def _check_request(envelope: Envelope) -> None:
    if not envelope.body.action:
        raise _invalid(envelope, "$.body.action", "is empty")


def _check_result(envelope: Envelope) -> None:
    given = envelope.body.error
    if envelope.body.status == ResultStatus.SUCCESS:
        if given is not None:
            raise _invalid(envelope, "$.body.error", "is given, and the status is success")
    elif given is None or not given.code:
        raise _invalid(envelope, "$.body.error", "is missing, and the status is failed")


def _check_error(envelope: Envelope) -> None:
    for name in ("code", "message", "advice"):
        if not getattr(envelope.body.error, name):
            raise _invalid(envelope, f"$.body.error.{name}", "is missing")


_FURTHER: Final[Mapping[MessageType, Callable[[Envelope], None]]] = {
    MessageType.ACTION_REQUEST: _check_request,
    MessageType.ACTION_RESULT: _check_result,
    MessageType.ERROR: _check_error,
}
"""What a table of needed fields cannot say: which of result and error goes with which status."""


class Header(TypedDict, total=False):
    """The envelope fields that the sender of a request chooses."""

    task_id: Required[str]
    sender: Required[str]
    receiver: Required[str]
    timestamp: Required[float]
    """Seconds since the epoch."""
    message_id: str
    """Made when not given."""
    session_id: str
    trace_id: str
    deadline: float | None
    tenant: str
    role: str
    """The sender's role within its tenant, not within its team."""
    context_refer: str | None
    has_memory: bool
    key: str
    hops: int


def hello(team_role: Role | None, *, agent: str | None = None, **header: Unpack[Header]) -> Envelope:
    """Return the HELLO of an agent (the sender, unless ``agent`` names another) and its role in the team."""
    parameters = {"agent": agent or header["sender"], "role": team_role.value if team_role else None}
    return _request(MessageType.HELLO, Body(parameters=parameters), header)


def capability_register(declaration: Mapping[str, Any], **header: Unpack[Header]) -> Envelope:
    """Return the message that registers a declaration, given as plain data."""
    return _request(MessageType.CAPABILITY_REGISTER, Body(parameters={"declaration": dict(declaration)}), header)


def capability_query(capability: str, **header: Unpack[Header]) -> Envelope:
    """Return the message that asks who has a capability."""
    return _request(MessageType.CAPABILITY_QUERY, Body(parameters={"capability": capability}), header)


def task_request(task_text: str, parameters: Mapping[str, Any] | None = None, **header: Unpack[Header]) -> Envelope:
    """Return the message that hands over a task; ``task_text`` is all that a model will see of it."""
    return _request(MessageType.TASK_REQUEST, Body(parameters={**(parameters or {}), "task_text": task_text}), header)


def action_request(
    action: str, parameters: dict[str, Any], *, query: str | None = None, **header: Unpack[Header]
) -> Envelope:
    """Return the message that asks for one action; ``query`` is the caller's sentence, if there is one.

    Cost:
        About two microseconds; ``parameters`` is not copied.
    """
    return _request(MessageType.ACTION_REQUEST, Body(action=action, query=query, parameters=parameters), header)


def task_accept(request: Envelope, *, timestamp: float, message_id: str | None = None) -> Envelope:
    """Return the answer that accepts a TASK_REQUEST."""
    body = Body(status=TaskState.ACCEPTED.value)
    return _answer(request, MessageType.TASK_ACCEPT, body, timestamp, message_id)


def action_result(
    request: Envelope,
    *,
    timestamp: float,
    result: Any = None,
    error: AgentActorsError | None = None,
    message_id: str | None = None,
    has_memory: bool = False,
) -> Envelope:
    """Return the answer that ends an ACTION_REQUEST: ``failed`` when ``error`` is given, else ``success``.

    Cost:
        About two microseconds; ``result`` is not copied.
    """
    if error is None:
        body = Body(status=ResultStatus.SUCCESS.value, result=result)
    else:
        body = Body(status=ResultStatus.FAILED.value, error=error_body(error))
    return request.answer(
        message_id=message_id or new_message_id(),
        message_type=MessageType.ACTION_RESULT,
        timestamp=timestamp,
        body=body,
        has_memory=has_memory,
    )


def error(request: Envelope, fault: AgentActorsError, *, timestamp: float, message_id: str | None = None) -> Envelope:
    """Return the ERROR that refuses a message: it was not executed (else the answer is an ACTION_RESULT)."""
    return _answer(request, MessageType.ERROR, Body(error=error_body(fault)), timestamp, message_id)


def status(request: Envelope, state: TaskState, *, timestamp: float, message_id: str | None = None) -> Envelope:
    """Return the message that tells how the work on a request stands."""
    return _answer(request, MessageType.STATUS, Body(status=state.value), timestamp, message_id)


def cancel(request: Envelope, reason: str, *, timestamp: float, message_id: str | None = None) -> Envelope:
    """Return the message by which the sender of ``request`` takes it back; it goes where the request went."""
    return msgspec.structs.replace(
        request,
        message_id=message_id or new_message_id(),
        message_type=MessageType.CANCEL,
        timestamp=timestamp,
        correlation_id=request.message_id,
        body=Body(parameters={"reason": reason}),
    )


def error_body(fault: AgentActorsError) -> ErrorBody:
    """Return the form of an error that travels in a body; an error without a sentence says its trigger."""
    return ErrorBody(fault.code, fault.message or fault.row.trigger, fault.advice, fault.details)


def _request(message_type: MessageType, body: Body, header: Header) -> Envelope:
    if "message_id" not in header:
        header["message_id"] = new_message_id()
    envelope = Envelope(message_type=message_type, body=body, **header)
    check(envelope)
    return envelope


def _answer(
    request: Envelope, message_type: MessageType, body: Body, timestamp: float, message_id: str | None
) -> Envelope:
    return request.answer(
        message_id=message_id or new_message_id(), message_type=message_type, timestamp=timestamp, body=body
    )
