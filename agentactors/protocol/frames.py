"""Frames of the direct channel: how many bytes, what for, for which call.

Theory of operation. A frame is a header (body length u32, kind u8, number u32, big-endian) and a body. The
number names a call of this connection; all frames of one call carry it, so calls share a connection. A value
beside an envelope is a PAYLOAD frame of its own in front of the frame that it belongs to. Whoever reads a
frame that cannot be right closes the connection: there is no way to find the next header.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

HEADER: Final = struct.Struct(">IBI")
MAX_BODY_BYTES: Final = 4 * 1024 * 1024 + 1024
"""An envelope's limit and some room."""

CHALLENGE: Final = 1
"""Server to client, first: a nonce."""
PROOF: Final = 2
"""Client to server: knows the secret; a nonce of its own."""
WELCOME: Final = 3
"""Server to client: knows the secret too, and who it is."""
CALL: Final = 4
"""Client to server: an envelope to answer."""
TELL: Final = 5
"""Client to server: an envelope to take; first byte: whether its result is kept."""
OPEN: Final = 6
"""Client to server: an envelope to answer by a stream; first four bytes: the window."""
REPLY: Final = 7
"""Server to client: the answering envelope."""
HELD: Final = 8
"""Server to client: the answering envelope; what is beside it is too large and waits to be collected."""
REFUSED: Final = 9
"""Server to client: an error in place of an answer."""
ITEM: Final = 10
"""Server to client: one frame of a stream."""
END: Final = 11
"""Server to client: the stream has no more frames."""
PAYLOAD: Final = 12
"""Either way: a value that belongs to the next frame with this number."""
GRANT: Final = 13
"""Client to server: the stream may be further ahead by so many items (u32)."""
CANCEL: Final = 14
"""Client to server: nobody waits for this call any more."""
GOODBYE: Final = 15
"""Server to client: the reason for which the connection is closed next."""

KINDS: Final = frozenset(range(CHALLENGE, GOODBYE + 1))


class BrokenFrame(Exception):
    """Bytes that are no frames; the connection has to be closed. Never leaves the channel."""


class Frame(NamedTuple):
    """One frame."""

    kind: int
    number: int
    body: bytes


def head(kind: int, number: int, size_bytes: int) -> bytes:
    """Return the header of a frame whose body has ``size_bytes``."""
    return HEADER.pack(size_bytes, kind, number)


def encode(kind: int, number: int, body: bytes = b"") -> bytes:
    """Return a whole frame."""
    return HEADER.pack(len(body), kind, number) + body


class FrameDecoder:
    """Cuts a stream of bytes into frames, however they arrive.

    Holds at most one unfinished frame: its limit in bytes, and what came with it.

    Args:
        max_body_bytes: Longer bodies are refused as soon as their header is there.
    """

    __slots__ = ("_held", "_held_bytes", "_max_body_bytes", "_wanted_bytes")

    def __init__(self, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self._max_body_bytes = max_body_bytes
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._wanted_bytes = HEADER.size

    @property
    def held_bytes(self) -> int:
        """How much of an unfinished frame is there."""
        return self._held_bytes

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that are complete now.

        Raises:
            BrokenFrame: The kind is unknown or the body too long.

        Cost:
            Under a microsecond a small frame; a long one is joined once, when its last byte is there.
        """
        if self._held:
            self._held.append(data)
            self._held_bytes += len(data)
            if self._held_bytes < self._wanted_bytes:
                return []
            data = b"".join(self._held)
            self._held.clear()
        frames = []
        position, size = 0, len(data)
        while size - position >= HEADER.size:
            length, kind, number = HEADER.unpack_from(data, position)
            if kind not in KINDS:
                raise BrokenFrame(f"unknown frame kind {kind}")
            if length > self._max_body_bytes:
                raise BrokenFrame(f"a frame of {length:,} bytes; {self._max_body_bytes:,} are allowed")
            end = position + HEADER.size + length
            if end > size:
                self._wanted_bytes = end - position
                break
            frames.append(Frame(kind, number, data[position + HEADER.size : end]))
            position = end
        else:
            self._wanted_bytes = HEADER.size
        if position < size:
            self._held.append(data[position:])
        self._held_bytes = size - position
        return frames
