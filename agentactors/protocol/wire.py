"""Bytes to envelopes and back, and nothing else decodes an envelope.

Everything that can be wrong with the bytes becomes one of our errors here: size and depth are checked
before decoding (msgspec answers deep nesting with ``RecursionError``), a wrong type names its path.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from agentactors.errors import InvalidMessage, TooLarge, UnknownMessageType, VersionUnsupported
from agentactors.protocol.envelope import PROTOCOL_VERSION, SUPPORTED_MAJOR, Envelope, MessageType

MAX_ENVELOPE_BYTES: Final = 4 * 1024 * 1024
MAX_DEPTH: Final = 64

_JSON_ENCODER = msgspec.json.Encoder()
_JSON_DECODER = msgspec.json.Decoder(Envelope)
_MSGPACK_ENCODER = msgspec.msgpack.Encoder()
_MSGPACK_DECODER = msgspec.msgpack.Decoder(Envelope)
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def encode(envelope: Envelope) -> bytes:
    """Return the msgpack form, for channels between actors.

    Raises:
        InvalidMessage: A value in the body is no plain data.
    """
    try:
        return _MSGPACK_ENCODER.encode(envelope)
    except (TypeError, ValueError, OverflowError, RecursionError) as fault:
        raise InvalidMessage(
            f"The body of {envelope.message_type} holds a value that is no plain data: {fault}."
        ) from None


def decode(data: bytes) -> Envelope:
    """Return the envelope in msgpack ``data``, validated.

    Raises:
        TooLarge: Over :data:`MAX_ENVELOPE_BYTES`.
        UnknownMessageType: ``message_type`` is not in the table.
        VersionUnsupported: ``protocol_version`` is outside the supported range.
        InvalidMessage: Anything else is wrong; ``details.path`` names the field.

    Cost:
        About 2 us for a small message.
    """
    _check_size(data)
    try:
        envelope = _MSGPACK_DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
        raise _explain(fault, lambda: msgspec.msgpack.decode(data)) from None
    return _check_version(envelope)


def encode_json(envelope: Envelope) -> bytes:
    """Return the JSON form, for HTTP, sockets and logs.

    Raises:
        InvalidMessage: A value in the body is no plain data.
    """
    try:
        return _JSON_ENCODER.encode(envelope)
    except (TypeError, ValueError, OverflowError, RecursionError) as fault:
        raise InvalidMessage(
            f"The body of {envelope.message_type} holds a value that is no plain data: {fault}."
        ) from None


def decode_json(data: bytes | str) -> Envelope:
    """Return the envelope in JSON ``data``, validated; raises what :func:`decode` raises."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    _check_size(raw)
    _check_depth(raw)
    try:
        envelope = _JSON_DECODER.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
        raise _explain(fault, lambda: msgspec.json.decode(raw)) from None
    return _check_version(envelope)


def _check_size(data: bytes) -> None:
    if len(data) > MAX_ENVELOPE_BYTES:
        raise TooLarge(
            f"The message has {len(data):,} bytes; {MAX_ENVELOPE_BYTES:,} are allowed.",
            {"size_bytes": len(data), "limit_bytes": MAX_ENVELOPE_BYTES},
        )


def _check_depth(raw: bytes) -> None:
    """Refuse deep nesting before the decoder recurses; brackets inside strings do not count."""
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for byte in _STRINGS.sub(b"", raw):
        if byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise InvalidMessage(f"The message is nested more than {MAX_DEPTH} levels deep.")
        elif byte in b"]}":
            depth -= 1


def _check_version(envelope: Envelope) -> Envelope:
    version = envelope.protocol_version
    if version == PROTOCOL_VERSION:
        return envelope
    major, dot, minor = version.partition(".")
    if not (dot and version.isascii() and major.isdigit() and minor.isdigit() and int(major) == SUPPORTED_MAJOR):
        raise VersionUnsupported(
            f"protocol_version {version!r} is not supported; this side speaks {SUPPORTED_MAJOR}.x.",
            {"version": version, "supported": f">={SUPPORTED_MAJOR}.0,<{SUPPORTED_MAJOR + 1}.0"},
        )
    return envelope


def _explain(fault: Exception, decode_loosely: Any) -> InvalidMessage | UnknownMessageType:
    """Name the field at fault; an unknown type has its own code, which needs a second, untyped look."""
    text = str(fault) or type(fault).__name__
    path = text.rpartition("`")[0].rpartition("`")[2] if "`$" in text else "$"
    try:
        kind = decode_loosely().get("message_type")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, AttributeError):
        kind = None
    if isinstance(kind, str) and kind not in MessageType.__members__:
        return UnknownMessageType(
            f"message_type {str(kind)[:80]!r} is not known; known are {', '.join(MessageType)}.",
            {"known": list(MessageType)},
        )
    return InvalidMessage(f"The message breaks its schema: {text}.", {"path": path})
