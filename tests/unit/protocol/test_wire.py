"""The codec: what goes in comes out, old messages stay readable, and bad bytes raise our errors only."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import InvalidMessage, ProtocolError, TooLarge, UnknownMessageType, VersionUnsupported
from agentactors.protocol import bodies, wire
from agentactors.protocol.envelope import Body, Envelope, ErrorBody, MessageType
from tests.unit.protocol.messages import NOW, one_of_each, request

GOLDEN = Path(__file__).parent / "golden"

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXT, PLAIN, max_size=4)
TIMES = st.floats(0, 4e9)
BODIES = st.builds(
    Body,
    action=st.none() | TEXT,
    parameters=st.none() | OBJECTS,
    status=st.none() | TEXT,
    result=PLAIN,
    error=st.none() | st.builds(ErrorBody, code=TEXT, message=TEXT, advice=TEXT, details=OBJECTS),
)
ENVELOPES = st.builds(
    Envelope,
    message_id=TEXT,
    task_id=TEXT,
    sender=TEXT,
    receiver=TEXT,
    message_type=st.sampled_from(MessageType),
    timestamp=TIMES,
    session_id=TEXT,
    trace_id=TEXT,
    correlation_id=st.none() | TEXT,
    deadline=st.none() | TIMES,
    tenant=TEXT,
    role=TEXT,
    body=BODIES,
)

CODECS: list[tuple[Callable[[Envelope], bytes], Callable[[bytes], Envelope]]] = [
    (wire.encode, wire.decode),
    (wire.encode_json, wire.decode_json),
]
both = pytest.mark.parametrize(("encode", "decode"), CODECS, ids=["msgpack", "json"])
Encode = Callable[[Envelope], bytes]
Decode = Callable[[bytes], Envelope]


def plain(**changes: Any) -> dict[str, Any]:
    """A valid message as plain data, with changes; a change to ``...`` removes the field."""
    message = json.loads(wire.encode_json(request())) | changes
    return {name: value for name, value in message.items() if value is not ...}


def as_bytes(message: dict[str, Any], encode: Encode) -> bytes:
    return msgspec.msgpack.encode(message) if encode is wire.encode else msgspec.json.encode(message)


@pytest.mark.spec("COLLAB-01")
@both
@given(envelope=ENVELOPES)
def test_round_trip(encode: Encode, decode: Decode, envelope: Envelope) -> None:
    assert decode(encode(envelope)) == envelope


@pytest.mark.spec("COLLAB-02")
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_raise_our_errors_only(data: bytes) -> None:
    for decode in (wire.decode, wire.decode_json):
        with pytest.raises(ProtocolError):
            decode(data)


@pytest.mark.spec("COLLAB-02")
@given(name=st.sampled_from(sorted(Envelope.__struct_fields__)), value=PLAIN, inside=st.booleans())
def test_a_message_with_any_value_in_any_place_raises_our_errors_only(name: str, value: Any, inside: bool) -> None:
    message = plain(body={name: value}) if inside else plain(**{name: value})
    for encode, decode in CODECS:
        with contextlib.suppress(ProtocolError):
            decode(as_bytes(message, encode))


@pytest.mark.spec("COLLAB-02")
@given(data=st.data())
def test_damaged_messages_raise_our_errors_only(data: st.DataObject) -> None:
    for encode, decode in CODECS:
        raw = bytearray(encode(request()))
        for _ in range(data.draw(st.integers(1, 5))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        with contextlib.suppress(ProtocolError):
            decode(bytes(raw[: data.draw(st.integers(0, len(raw)))]))


@pytest.mark.spec("COLLAB-01", "COLLAB-03")
@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_messages_stay_readable(path: Path) -> None:
    envelope = wire.decode_json(path.read_bytes())

    assert envelope == one_of_each()[MessageType(path.stem)]
    bodies.check(envelope)
    assert wire.decode(wire.encode(envelope)) == envelope


def test_there_is_a_golden_message_of_every_type() -> None:
    assert {path.stem for path in (GOLDEN / "1.0").glob("*.json")} == set(MessageType)


@pytest.mark.spec("COLLAB-02")
@both
@pytest.mark.parametrize("name", ["message_id", "task_id", "sender", "receiver", "message_type", "timestamp"])
def test_a_missing_field_is_named(encode: Encode, decode: Decode, name: str) -> None:
    with pytest.raises(InvalidMessage, match=name):
        decode(as_bytes(plain(**{name: ...}), encode))


@pytest.mark.spec("COLLAB-02")
@both
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"timestamp": "now"}, "$.timestamp"),
        ({"sender": 5}, "$.sender"),
        ({"body": {"parameters": []}}, "$.body.parameters"),
        ({"body": {"error": {"code": 5, "message": ""}}}, "$.body.error.code"),
    ],
)
def test_a_wrong_type_names_its_path(encode: Encode, decode: Decode, changes: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        decode(as_bytes(plain(**changes), encode))
    assert caught.value.details["path"] == path


@pytest.mark.spec("COLLAB-02")
@both
@pytest.mark.parametrize("kind", ["action_request", "GOODBYE", "", 7, None, [], {"a": 1}, ["HELLO"]])
def test_an_unknown_type_has_its_own_code(encode: Encode, decode: Decode, kind: object) -> None:
    expected = UnknownMessageType if isinstance(kind, str) else ProtocolError
    with pytest.raises(expected):
        decode(as_bytes(plain(message_type=kind), encode))


@pytest.mark.spec("COLLAB-02")
@both
@pytest.mark.parametrize(
    "version", ["2.0", "0.9", "1", "", "1.x", "x.1", "1.0.0", "-1.0", "².0", "1.²", " 1.0", "11.0"]
)
def test_an_unsupported_version_gets_the_range(encode: Encode, decode: Decode, version: str) -> None:
    with pytest.raises(VersionUnsupported) as caught:
        decode(as_bytes(plain(protocol_version=version), encode))
    assert caught.value.details["supported"] == ">=1.0,<2.0"


@pytest.mark.spec("COLLAB-01")
@both
def test_a_later_minor_version_may_bring_new_fields(encode: Encode, decode: Decode) -> None:
    envelope = decode(as_bytes(plain(protocol_version="1.7", invented_later=[1]), encode))

    assert (envelope.protocol_version, envelope.timestamp) == ("1.7", NOW)


@both
def test_a_message_over_the_bound_is_refused_unread(encode: Encode, decode: Decode) -> None:
    raw = as_bytes(plain(sender="x" * wire.MAX_ENVELOPE_BYTES), encode)

    with pytest.raises(TooLarge) as caught:
        decode(raw)
    assert caught.value.details == {"size_bytes": len(raw), "limit_bytes": wire.MAX_ENVELOPE_BYTES}


@both
@pytest.mark.parametrize("levels", [70, 5_000])
def test_deep_nesting_is_refused(encode: Encode, decode: Decode, levels: int) -> None:
    if encode is wire.encode:  # binary, and between our own actors: what would overflow the decoder is refused
        head = msgspec.msgpack.encode(plain())
        raw = bytes([head[0] + 1]) + head[1:] + b"\xa1x" + b"\x91" * 100 * levels + b"\xc0"
    else:
        raw = wire.encode_json(request())[:-1] + b',"x":' + b"[" * levels + b"]" * levels + b"}"

    with pytest.raises(InvalidMessage):
        decode(raw)


@pytest.mark.parametrize("inner", [b"\x81\x80\x01", b"\x81\x90\x01", b"\xc7\x01\x05a", b"\xd6\xff\xff\xff\xff\xff"])
def test_what_only_msgpack_can_say_raises_our_errors_only(inner: bytes) -> None:
    raw = wire.encode(request())
    for name in (b"\xa6result", b"\xacmessage_type"):
        with contextlib.suppress(ProtocolError):
            wire.decode(bytes([raw[0] + 1]) + raw[1:] + name + inner)
    with contextlib.suppress(ProtocolError):
        wire.decode(raw.replace(b"\xaaparameters", b"\xa6result").rpartition(b"\xa6result")[0] + b"\xa6result" + inner)


def test_brackets_in_strings_are_no_nesting() -> None:
    envelope = wire.decode_json(json.dumps(plain(sender="[{" * 1000 + '\\"')))

    assert envelope.sender.startswith("[{[{")


@pytest.mark.parametrize("value", [object(), {1, 2}.__iter__(), 2**70, 1j])
@pytest.mark.parametrize("encode", [wire.encode, wire.encode_json])
def test_what_is_no_plain_data_is_refused_before_it_is_sent(encode: Encode, value: object) -> None:
    envelope = bodies.action_request("a.b", {"value": value}, **header_of(request()))
    if encode is wire.encode_json and value == 2**70:
        assert wire.encode_json(envelope)
        return
    with pytest.raises(InvalidMessage, match="no plain data"):
        encode(envelope)


def header_of(envelope: Envelope) -> bodies.Header:
    return bodies.Header(
        task_id=envelope.task_id, sender=envelope.sender, receiver=envelope.receiver, timestamp=envelope.timestamp
    )
