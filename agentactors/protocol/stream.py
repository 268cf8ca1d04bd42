"""A stream: its frames on the wire, its shape for the consumer.

Items and progress notes travel bare: everything an envelope would say is in the request that they answer. The
frame that ends a stream is an envelope, an ACTION_RESULT or an ERROR.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from agentactors.errors import InvalidMessage
from agentactors.protocol import wire
from agentactors.protocol.envelope import Envelope

ITEM: Final = "item"
PROGRESS: Final = "progress"
END: Final = "end"
MAX_NOTES: Final = 256
"""Progress notes take no credit: so many wait for a slow consumer, further ones are dropped."""

_WINDOW_BYTES: Final = 4
_MARKS: Final = {ITEM: b"i", PROGRESS: b"p", END: b"e"}
_KINDS: Final = {mark[0]: kind for kind, mark in _MARKS.items()}
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder()


class StreamFrame(NamedTuple):
    """One frame."""

    kind: str
    """:data:`ITEM`, :data:`PROGRESS` or :data:`END`."""
    value: Any
    """The packed item, the note, or the envelope that ends the stream."""
    attachments: tuple[Any, ...] = ()


def encode_frame(frame: StreamFrame) -> bytes:
    """Return a frame as bytes, without its attachments.

    Raises:
        InvalidMessage: It holds something else than plain data.
    """
    if frame.kind is END:
        return b"e" + wire.encode(frame.value)
    try:
        return _MARKS[frame.kind] + _ENCODER.encode(frame.value)
    except (TypeError, ValueError, OverflowError, RecursionError) as fault:
        raise InvalidMessage(f"An item of the stream is no plain data: {fault}.") from None


def decode_frame(data: bytes, attachments: tuple[Any, ...] = ()) -> StreamFrame:
    """Return the frame in ``data``.

    Raises:
        InvalidMessage: It is none; what :func:`.wire.decode` raises.
    """
    kind = _KINDS.get(data[0]) if data else None
    if kind is None:
        raise InvalidMessage("A frame of the stream has no known kind.")
    if kind is END:
        return StreamFrame(END, wire.decode(data[1:]), attachments)
    try:
        return StreamFrame(kind, _DECODER.decode(memoryview(data)[1:]), attachments)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
        raise InvalidMessage(f"A frame of the stream cannot be read: {fault}.") from None


def is_note(data: bytes) -> bool:
    """Say whether an encoded frame is a progress note."""
    return data[:1] == _MARKS[PROGRESS]


def envelope_of(frame: StreamFrame) -> Envelope:
    """Return the envelope in an :data:`END` frame."""
    envelope: Envelope = frame.value
    return envelope


def with_window(window: int, data: bytes) -> bytes:
    """Return the request that opens a stream: its window, then the envelope in ``data``."""
    return window.to_bytes(_WINDOW_BYTES, "big") + data


def split_window(request: bytes) -> tuple[int, bytes]:
    """Return (window, envelope's bytes) of a request that opens a stream."""
    return max(1, int.from_bytes(request[:_WINDOW_BYTES], "big")), request[_WINDOW_BYTES:]


class ItemStream(Protocol):
    """An open stream: iterate over it, leave its block, and its producer is gone.

    At most a bounded number of items are produced ahead of the consumer; a slow consumer slows its producer.
    """

    @property
    def request_id(self) -> str:
        """Names the chain."""

    @property
    def agent_id(self) -> str:
        """Who produces the items."""

    def __aiter__(self) -> AsyncIterator[Any]:
        """Yield items in the order in which the agent yields them."""
