"""Attachments as bytes, for the channel: arrays, Arrow tables, nothing that would have to be unpickled."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from agentactors.errors import InvalidMessage
from agentactors.protocol import frames as f
from agentactors.protocol.state import is_array

MAX_PAYLOADS: Final = 64
"""Values beside one message; more travel another way."""
MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
"""Of payload frames whose message has not come yet, on one connection."""

_ARRAY: Final = b"A"
_ARROW: Final = b"T"
_HEAD: Final = struct.Struct(">cHI")
_ALIGNMENT: Final = 16
_DTYPE: Final = re.compile(r"[<>|][?biufcmMSUV]\d*(\[\w+\])?", re.ASCII)
_FRAME_COST_BYTES: Final = 256


class Carried(NamedTuple):
    """One value as it leaves: two pieces of a payload frame."""

    head: bytes
    data: Any
    """A buffer, not copied."""


class PayloadFrames:
    """The payload frames of a connection that wait for the frame that they belong to."""

    __slots__ = ("_size_bytes", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[int, list[bytes]] = {}
        self._size_bytes = 0

    def add(self, number: int, body: bytes) -> None:
        """Take one in.

        Raises:
            BrokenFrame: Too many wait.
        """
        held = self.waiting.setdefault(number, [])
        held.append(body)
        self._size_bytes += len(body) + _FRAME_COST_BYTES
        if len(held) > MAX_PAYLOADS or self._size_bytes > MAX_WAITING_BYTES:
            raise f.BrokenFrame("too many payloads without their frame")

    def take(self, number: int) -> Sequence[bytes]:
        """Hand over, in order, those in front of a frame."""
        held = self.waiting.pop(number, None)
        if held is None:
            return ()
        self._size_bytes -= sum(map(len, held)) + len(held) * _FRAME_COST_BYTES
        return held

    def clear(self) -> None:
        """Drop all."""
        self.waiting.clear()
        self._size_bytes = 0


def size_bytes(attachments: Sequence[Any]) -> int:
    """Return how much memory these hold; an object reference counts as nothing."""
    return sum(int(getattr(one, "nbytes", 0)) for one in attachments)


def fit(attachments: Sequence[Any], limit_bytes: int) -> list[Carried] | None:
    """Return these as payloads; None when one of them does not travel as bytes or they are too large together.

    Args:
        attachments: Any values.
        limit_bytes: Most bytes of all of them, with what is around them.

    Cost:
        Arrays are not copied; a table is written once.
    """
    if len(attachments) > MAX_PAYLOADS or not all(map(_travels, attachments)):
        return None
    if size_bytes(attachments) > limit_bytes:
        return None
    carried = [dump(one) for one in attachments]
    # A table takes more bytes than its columns: once per column and chunk.
    longest = max((len(head) + len(data) for head, data in carried), default=0)
    return None if longest > f.MAX_BODY_BYTES else carried


def dump(attachment: Any) -> Carried:
    """Return one array or table as a payload."""
    if is_array(attachment):
        shape = msgspec.msgpack.encode((attachment.dtype.str, attachment.shape))
        padding = -(_HEAD.size + len(shape)) % _ALIGNMENT
        head = _HEAD.pack(_ARRAY, len(shape), padding) + shape + bytes(padding)
        return Carried(head, attachment.reshape(-1).view("u1").data)
    import pyarrow as pa  # noqa: PLC0415 - loaded by the first table

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, attachment.schema) as writer:
        writer.write_table(attachment)
    return Carried(_HEAD.pack(_ARROW, 0, 0), memoryview(sink.getvalue()))


def load(body: bytes) -> Any:
    """Return the attachment in a payload frame, read-only and over the frame's own bytes.

    Raises:
        InvalidMessage: It is none.
    """
    try:
        kind, length, padding = _HEAD.unpack_from(body)
        data = memoryview(body)[_HEAD.size + length + padding :]
        if kind == _ARRAY:
            return _array(memoryview(body)[_HEAD.size : _HEAD.size + length], data)
        if kind == _ARROW:
            import pyarrow as pa  # noqa: PLC0415 - loaded by the first table

            table = pa.ipc.open_stream(pa.py_buffer(data)).read_all()
            table.validate()
            return table
    except (
        struct.error,
        msgspec.DecodeError,
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        NotImplementedError,
        OSError,
        MemoryError,
    ) as fault:
        raise InvalidMessage(f"A payload cannot be read: {fault}.") from None
    raise InvalidMessage(f"A payload has the unknown kind {kind!r}.")


def _array(described: memoryview, data: memoryview) -> Any:
    import numpy as np  # noqa: PLC0415 - loaded by the first array

    name, shape = msgspec.msgpack.decode(described, type=tuple[str, tuple[int, ...]])
    if not _DTYPE.fullmatch(name) or min(shape, default=0) < 0:
        raise ValueError(f"no array has the type {name[:40]!r} and the shape {shape[:8]}")
    return np.frombuffer(data, dtype=np.dtype(name)).reshape(shape)


def _travels(attachment: Any) -> bool:
    if is_array(attachment):
        plain = type(attachment).__module__ == "numpy" and type(attachment).__name__ == "ndarray"
        return plain and bool(attachment.flags.c_contiguous) and _is_named(attachment.dtype)
    cls = type(attachment)
    return cls.__name__ == "Table" and cls.__module__.partition(".")[0] == "pyarrow"


@lru_cache(maxsize=64)
def _is_named(dtype: Any) -> bool:
    """Say whether a dtype's name tells all of it: not for structures, objects and types from elsewhere."""
    import numpy as np  # noqa: PLC0415 - there is an array, so it is loaded

    if dtype.hasobject or dtype.fields is not None or not dtype.itemsize or not _DTYPE.fullmatch(dtype.str):
        return False
    return bool(np.dtype(dtype.str) == dtype)
