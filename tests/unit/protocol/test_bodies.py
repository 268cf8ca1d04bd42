"""Bodies: the table, the check, the JSON Schemas and the constructors agree."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import (
    AgentFailed,
    Cancelled,
    DeadlineExceeded,
    InvalidMessage,
    MissingCorrelationId,
    ProtocolError,
    UnknownAction,
)
from agentactors.protocol import bodies, wire
from agentactors.protocol.bodies import RULES, Header, message_schema
from agentactors.protocol.envelope import Body, Envelope, ErrorBody, MessageType
from agentactors.protocol.lifecycle import TaskState
from tests.unit.protocol.messages import NOW, header, one_of_each, request

SPEC_TABLE = {
    "HELLO": (["parameters.agent", "parameters.role"], False),
    "CAPABILITY_REGISTER": (["parameters.declaration"], False),
    "CAPABILITY_QUERY": (["parameters.capability"], False),
    "TASK_REQUEST": (["parameters.task_text"], False),
    "TASK_ACCEPT": (["status"], True),
    "STATUS": (["status"], True),
    "ACTION_REQUEST": (["action", "parameters"], False),
    "ACTION_RESULT": (["status"], True),
    "CANCEL": (["parameters.reason"], True),
    "ERROR": (["error", "error.code", "error.message", "error.advice"], True),
}
"""The table of the specification: message type to what its body needs, and whether it needs correlation_id."""

NEEDS = [(MessageType(name), path) for name, (paths, _) in SPEC_TABLE.items() for path in paths]
CORRELATED = [MessageType(name) for name, (_, correlated) in SPEC_TABLE.items() if correlated]
ALL = list(MessageType)


def plain(kind: MessageType) -> dict[str, Any]:
    message = json.loads(wire.encode_json(one_of_each()[kind]))
    assert isinstance(message, dict)
    return message


def without(message: dict[str, Any], path: str) -> dict[str, Any]:
    """Take the field at ``path`` out."""
    *parents, last = path.split(".")
    inner = message
    for name in parents:
        inner = inner[name]
    del inner[last]
    return message


def refused(message: dict[str, Any]) -> ProtocolError | None:
    """What our side says of a message: None when it would reach an agent."""
    try:
        bodies.check(wire.decode_json(json.dumps(message)))
    except ProtocolError as fault:
        return fault
    return None


def schema_accepts(kind: MessageType, message: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(message_schema(kind)).is_valid(message)


def test_the_table_is_total() -> None:
    assert set(RULES) == set(MessageType) == {MessageType(name) for name in SPEC_TABLE}


@pytest.mark.spec("COLLAB-01", "COLLAB-03")
@pytest.mark.parametrize("kind", ALL)
def test_every_type_has_a_constructor_of_valid_messages(kind: MessageType) -> None:
    envelope = one_of_each()[kind]

    bodies.check(envelope)
    assert wire.decode(wire.encode(envelope)) == envelope
    assert schema_accepts(kind, plain(kind))


@pytest.mark.spec("COLLAB-01", "COLLAB-02")
@pytest.mark.parametrize(("kind", "path"), NEEDS)
def test_a_missing_field_is_refused_with_its_path(kind: MessageType, path: str) -> None:
    message = without(plain(kind), f"body.{path}")
    fault = refused(message)

    assert isinstance(fault, InvalidMessage)
    assert path in fault.details["path"] or path.rpartition(".")[2] in fault.message
    assert not schema_accepts(kind, message)


@pytest.mark.spec("COLLAB-01", "COLLAB-02")
@pytest.mark.parametrize("kind", ALL)
def test_correlation_id_is_needed_by_answers_only(kind: MessageType) -> None:
    message = plain(kind)
    message.pop("correlation_id", None)

    if kind in CORRELATED:
        assert isinstance(refused(message), MissingCorrelationId)
        assert isinstance(refused({**message, "correlation_id": ""}), MissingCorrelationId)
        assert not schema_accepts(kind, message)
    else:
        assert refused(message) is None
        assert schema_accepts(kind, message)


@pytest.mark.spec("COLLAB-02")
@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        (MessageType.TASK_ACCEPT, "status", "ok"),
        (MessageType.STATUS, "status", "running"),
        (MessageType.ACTION_RESULT, "status", "queued"),
        (MessageType.ACTION_REQUEST, "action", ""),
        (MessageType.TASK_REQUEST, "parameters", {"task_text": ""}),
        (MessageType.TASK_REQUEST, "parameters", {"task_text": {"text": "Why?"}}),
        (MessageType.HELLO, "parameters", {"agent": "a", "role": "boss"}),
        (MessageType.HELLO, "parameters", {"agent": None, "role": "planner"}),
        (MessageType.CAPABILITY_REGISTER, "parameters", {"declaration": "a.b"}),
        (MessageType.CANCEL, "parameters", {"reason": 5}),
        (MessageType.ERROR, "error", {"code": "", "message": "Boom.", "advice": "Wait."}),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(kind: MessageType, field: str, value: object) -> None:
    message = plain(kind)
    message["body"][field] = value
    fault = refused(message)

    assert isinstance(fault, InvalidMessage)
    assert fault.details["path"].startswith(f"$.body.{field}")
    assert not schema_accepts(kind, message)


@pytest.mark.spec("COLLAB-01")
@pytest.mark.parametrize(
    ("body", "fine"),
    [
        ({"status": "success", "result": 5}, True),
        ({"status": "success"}, True),
        ({"status": "success", "result": None}, True),
        ({"status": "failed", "error": {"code": "AGENT_FAILED", "message": "Boom."}}, True),
        ({"status": "failed"}, False),
        ({"status": "failed", "result": 5}, False),
        ({"status": "failed", "error": None}, False),
        ({"status": "success", "error": {"code": "AGENT_FAILED", "message": "Boom."}}, False),
    ],
)
def test_a_result_and_its_status_agree(body: dict[str, Any], *, fine: bool) -> None:
    message = {**plain(MessageType.ACTION_RESULT), "body": body}

    assert (refused(message) is None) is fine
    assert schema_accepts(MessageType.ACTION_RESULT, message) is fine


@pytest.mark.spec("COLLAB-02")
@pytest.mark.parametrize("name", ["message_id", "task_id", "sender", "receiver"])
def test_an_empty_address_is_refused(name: str) -> None:
    message = plain(MessageType.ACTION_REQUEST) | {name: ""}
    fault = refused(message)

    assert fault is not None
    assert fault.details["path"] == f"$.{name}"
    assert not schema_accepts(MessageType.ACTION_REQUEST, message)


@pytest.mark.spec("COLLAB-02")
@pytest.mark.parametrize("name", ["timestamp", "deadline"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_time_that_is_none_is_refused(name: str, value: float) -> None:
    raw = wire.encode(msgspec.structs.replace(request(), **{name: value}))

    with pytest.raises(InvalidMessage) as caught:
        bodies.check(wire.decode(raw))
    assert caught.value.details["path"] == f"$.{name}"


PIECES: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(None, "", "x", "success", "failed", "ACCEPTED", "RUNNING", 1, [], {}, {"code": "C"}),
        {"code": "C", "message": "M", "advice": "A"},
        {"task_text": "t"},
        {"agent": "a", "role": None},
        {"reason": ""},
        {"declaration": {}},
        {"capability": "a.b"},
    ]
)


@pytest.mark.spec("COLLAB-02")
@given(
    kind=st.sampled_from(ALL),
    body=st.dictionaries(st.sampled_from(["action", "parameters", "status", "result", "error"]), PIECES),
    correlation_id=st.none() | st.just("") | st.just("msg-0"),
)
def test_check_and_schema_always_agree(kind: MessageType, body: dict[str, Any], correlation_id: str | None) -> None:
    message = {**plain(MessageType.ACTION_REQUEST), "message_type": kind.value, "body": body}
    if correlation_id is not None:
        message["correlation_id"] = correlation_id

    assert (refused(message) is None) is schema_accepts(kind, message), refused(message)


@pytest.mark.parametrize("kind", ALL)
def test_the_schemas_are_schemas_with_titles(kind: MessageType) -> None:
    schema = message_schema(kind)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == kind
    assert json.loads(json.dumps(schema)) == schema
    assert not schema_accepts(kind, plain(MessageType.HELLO) | {"message_type": "GOODBYE"})


@pytest.mark.spec("COLLAB-02")
def test_an_unknown_action_gets_the_nearest_names() -> None:
    asked = bodies.action_request("tool.os_inf", {}, **header())

    with pytest.raises(UnknownAction) as caught:
        bodies.check_action(asked, {"tool.os_info", "tool.disk_usage", "summary.create"})
    assert caught.value.details["nearest"][0] == "tool.os_info"
    assert "tool.os_info" in caught.value.message


def test_an_action_like_no_other_gets_some_names() -> None:
    with pytest.raises(UnknownAction, match="a\\.b") as caught:
        bodies.check_action(request(), {"a.b"})
    assert caught.value.details["nearest"] == []
    with pytest.raises(UnknownAction, match="it has none"):
        bodies.check_action(request(), set())


def test_a_very_long_action_is_refused_fast_and_cut() -> None:
    with pytest.raises(UnknownAction) as caught:
        bodies.check_action(bodies.action_request("tool." * 500_000, {}, **header()), {"tool.os_info", "b" * 300})
    assert len(caught.value.message) < 1_000


def test_a_schema_is_the_callers_own() -> None:
    message_schema(MessageType.HELLO)["properties"]["sender"]["minLength"] = 99

    assert message_schema(MessageType.HELLO)["properties"]["sender"]["minLength"] == 1


def test_a_known_action_passes() -> None:
    bodies.check_action(request(), {"tool.read_build_log": object()})


@pytest.mark.spec("COLLAB-01")
@pytest.mark.parametrize("kind", [kind for kind in CORRELATED if kind is not MessageType.CANCEL])
def test_an_answer_goes_back_and_keeps_its_chain(kind: MessageType) -> None:
    asked, answer = request("msg-0"), one_of_each()[kind]

    assert (answer.sender, answer.receiver) == (asked.receiver, asked.sender)
    assert answer.correlation_id == asked.message_id != answer.message_id
    for name in ("task_id", "session_id", "trace_id", "tenant", "deadline"):
        assert getattr(answer, name) == getattr(asked, name)


@pytest.mark.spec("COLLAB-03")
def test_a_cancel_follows_its_request() -> None:
    asked, cancel = request("msg-0"), one_of_each()[MessageType.CANCEL]

    assert (cancel.sender, cancel.receiver, cancel.correlation_id) == (asked.sender, asked.receiver, "msg-0")
    assert cancel.body == Body(parameters={"reason": "The caller left."})


def test_ids_are_made_when_none_is_given() -> None:
    fields = Header(task_id="req-1", sender="a", receiver="b", timestamp=NOW)
    first = bodies.action_request("a.b", {}, **fields)
    second = bodies.action_request("a.b", {}, **fields)

    assert first.message_id.startswith("msg-")
    assert first.message_id != second.message_id
    assert bodies.action_result(first, timestamp=NOW).message_id != first.message_id


def test_a_constructor_makes_no_invalid_message() -> None:
    with pytest.raises(InvalidMessage, match=r"body\.action"):
        bodies.action_request("", {}, **header())
    with pytest.raises(InvalidMessage, match="task_text"):
        bodies.task_request("", **header())


def test_task_text_wins_over_a_parameter_of_that_name() -> None:
    envelope = bodies.task_request("the text", {"task_text": "other", "log": "l"}, **header())

    assert envelope.body.parameters == {"task_text": "the text", "log": "l"}


@pytest.mark.parametrize("fault", [AgentFailed("Boom.", {"type": "KeyError"}), Cancelled(), DeadlineExceeded()])
def test_every_error_makes_a_valid_answer(fault: AgentFailed | Cancelled | DeadlineExceeded) -> None:
    failed = bodies.action_result(request(), error=fault, timestamp=NOW)
    refusal = bodies.error(request(), fault, timestamp=NOW)

    for answer in (failed, refusal):
        bodies.check(answer)
        assert answer.body.error == ErrorBody(
            fault.code, fault.message or fault.row.trigger, fault.advice, fault.details
        )
    assert (failed.body.status, failed.body.result) == ("failed", None)


def test_a_status_tells_the_state() -> None:
    assert bodies.status(request(), TaskState.WAITING_HUMAN, timestamp=NOW).body.status == "WAITING_HUMAN"


def test_a_header_may_set_what_a_sender_chooses() -> None:
    chosen = set(Header.__annotations__)

    made = {"message_type", "protocol_version", "correlation_id", "body"}
    assert chosen == set(Envelope.__struct_fields__) - made
