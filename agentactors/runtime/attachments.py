"""Attachments as bytes, for the channel: arrays, Arrow tables, nothing that would have to be unpickled."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from agentactors.errors import InvalidMessage
from agentactors.protocol.state import is_array

_ARRAY: Final = b"A"
_ARROW: Final = b"T"
_HEAD: Final = struct.Struct(">cHI")
_ALIGNMENT: Final = 16


def size_bytes(attachments: Sequence[Any]) -> int | None:
    """Return how many bytes these take, or None when one of them does not travel as bytes."""
    total = 0
    for one in attachments:
        if is_array(one):
            if one.dtype.hasobject or one.dtype.fields is not None or not one.flags.c_contiguous:
                return None
            total += one.nbytes
        elif type(one).__module__.partition(".")[0] == "pyarrow" and type(one).__name__ == "Table":
            total += one.nbytes
        else:
            return None
    return total


def dump(attachment: Any) -> tuple[bytes, Any]:
    """Return (head, data) of one attachment that :func:`size_bytes` has counted; the data is not copied."""
    if is_array(attachment):
        shape = msgspec.msgpack.encode((attachment.dtype.str, attachment.shape))
        padding = -(_HEAD.size + len(shape)) % _ALIGNMENT
        return _HEAD.pack(_ARRAY, len(shape), padding) + shape + bytes(padding), attachment.reshape(-1).view("u1").data
    import pyarrow as pa  # noqa: PLC0415 - loaded by the first table

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, attachment.schema) as writer:
        writer.write_table(attachment)
    return _HEAD.pack(_ARROW, 0, 0), memoryview(sink.getvalue())


def load(body: bytes) -> Any:
    """Return the attachment in a payload frame, read-only and over the frame's own bytes.

    Raises:
        InvalidMessage: It is none.
    """
    try:
        kind, length, padding = _HEAD.unpack_from(body)
        data = memoryview(body)[_HEAD.size + length + padding :]
        if kind == _ARRAY:
            import numpy as np  # noqa: PLC0415 - loaded by the first array

            shape_data = memoryview(body)[_HEAD.size : _HEAD.size + length]
            dtype, shape = msgspec.msgpack.decode(shape_data, type=tuple[str, tuple[int, ...]])
            flat = np.frombuffer(data, dtype=np.dtype(dtype))
            return flat.reshape(shape)
        if kind == _ARROW:
            import pyarrow as pa  # noqa: PLC0415 - loaded by the first table

            return pa.ipc.open_stream(pa.py_buffer(data)).read_all()
    except (
        struct.error,
        msgspec.DecodeError,
        ValueError,
        TypeError,
        LookupError,
        NotImplementedError,
        OSError,
    ) as fault:
        raise InvalidMessage(f"A payload cannot be read: {fault}.") from None
    raise InvalidMessage(f"A payload has the unknown kind {kind!r}.")
