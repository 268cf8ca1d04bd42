"""Values to attachments and back.

An attachment is what Ray carries beside an envelope: as a top-level argument or return value, so that arrays
and Arrow tables are read from plasma without a copy. bytes travel as ``uint8`` arrays, because Ray copies
plain ``bytes`` on every read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from agentactors.errors import InvalidMessage, InvalidParameters
from agentactors.protocol.state import MARKER_KEY, StateKind, StateRef, is_array, is_marker, marker

_ENCODER = msgspec.msgpack.Encoder()
_SMALL = frozenset({type(None), bool, int, float})


def kind_of(value: object) -> StateKind:
    """Say as what a value travels."""
    if is_array(value):
        return StateKind.NDARRAY
    if isinstance(value, bytes | bytearray | memoryview):
        return StateKind.BYTES
    if type(value).__module__.partition(".")[0] == "pyarrow":
        return StateKind.ARROW
    return StateKind.PLAIN


def attach(value: object) -> tuple[Any, StateKind, int]:
    """Return (attachment, kind, size in bytes) of one value.

    Raises:
        InvalidMessage: The value is neither plain data nor array, table or bytes.
    """
    # Loaded by the first large value: most agents never see one, and it is a twentieth of their start.
    import numpy as np  # noqa: PLC0415

    kind = kind_of(value)
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise InvalidMessage("An array of Python objects cannot be handed over; use a numeric or string dtype.")
        return value, kind, value.nbytes
    if kind is StateKind.ARROW:
        return value, kind, int(getattr(value, "nbytes", 0))
    if kind is StateKind.BYTES:
        data = np.frombuffer(value, dtype=np.uint8)  # type: ignore[call-overload]
    else:
        try:
            data = np.frombuffer(_ENCODER.encode(value), dtype=np.uint8)
        except (TypeError, ValueError, OverflowError, RecursionError) as fault:
            raise InvalidMessage(
                f"A {type(value).__name__} is no plain data and cannot be handed over: {fault}."
            ) from None
    return data, kind, data.nbytes


def detach(attachment: Any, kind: StateKind) -> Any:
    """Return the value of an attachment: read-only, and without a copy except for plain data."""
    if kind is StateKind.ARROW:
        return attachment
    if kind is StateKind.NDARRAY:
        view = attachment.view()
        view.flags.writeable = False
        return view
    if kind is StateKind.BYTES:
        return memoryview(attachment).toreadonly()
    return msgspec.msgpack.decode(memoryview(attachment))


def pack(
    values: Mapping[str, Any],
    *,
    inline_limit_bytes: int,
    ref: Callable[[StateRef], Any],
) -> tuple[dict[str, Any], list[Any]]:
    """Replace what cannot ride in the envelope by markers.

    Args:
        values: Parameters, or a result that is a mapping.
        inline_limit_bytes: Plain values that encode to more become attachments.
        ref: Gives the object reference of a state ref that the caller holds.

    Returns:
        The plain mapping and the attachments, in the order of their numbers.

    Raises:
        StateLost: A state ref is not held here.
        InvalidMessage: A value cannot be handed over.
    """
    for value in values.values():
        cls = type(value)
        if cls in _SMALL or (cls is str and len(value) * 4 <= inline_limit_bytes):
            continue
        if _travels_apart(value, inline_limit_bytes):
            break
    else:
        return dict(values), []
    plain: dict[str, Any] = {}
    attachments: list[Any] = []
    for name, value in values.items():
        if isinstance(value, StateRef):
            plain[name] = marker(len(attachments), value.kind, value.size_bytes)
            attachments.append(ref(value))
        elif _travels_apart(value, inline_limit_bytes):
            attachment, kind, size_bytes = attach(value)
            plain[name] = marker(len(attachments), kind, size_bytes)
            attachments.append(attachment)
        else:
            plain[name] = value
    return plain, attachments


def unpack(values: Mapping[str, Any], attachments: Sequence[Any]) -> dict[str, Any]:
    """Put attachments back in the place of their markers.

    Raises:
        InvalidParameters: A marker names an attachment that did not come along.
    """
    if not carries_state(values):
        return dict(values)
    return {name: unmark(value, attachments) if is_marker(value) else value for name, value in values.items()}


def unmark(value: Mapping[str, Any], attachments: Sequence[Any]) -> Any:
    """Return what one marker stands for.

    Raises:
        InvalidParameters: It names an attachment that did not come along.
    """
    index = value[MARKER_KEY]
    if not isinstance(index, int) or not 0 <= index < len(attachments):
        raise InvalidParameters(f"A state marker names attachment {index!r}, and {len(attachments)} came along.")
    return detach(attachments[index], StateKind(value.get("kind", StateKind.PLAIN)))


def pack_result(result: Any, *, inline_limit_bytes: int, ref: Callable[[StateRef], Any]) -> tuple[Any, list[Any]]:
    """Pack a result: a mapping like parameters, anything else as a whole."""
    if isinstance(result, dict):
        return pack(result, inline_limit_bytes=inline_limit_bytes, ref=ref)
    if type(result) in _SMALL:
        return result, []
    packed, attachments = pack({"": result}, inline_limit_bytes=inline_limit_bytes, ref=ref)
    return packed[""], attachments


def carries_state(result: Any) -> bool:
    """Say whether a packed result has attachments."""
    if type(result) is not dict:
        return False
    for value in result.values():  # a generator would double the cost
        if type(value) is dict and MARKER_KEY in value:
            return True
    return MARKER_KEY in result


def unpack_result(result: Any, attachments: Sequence[Any]) -> Any:
    """The reverse of :func:`pack_result`."""
    if is_marker(result):
        return unmark(result, attachments)
    return unpack(result, attachments) if isinstance(result, dict) else result


def _travels_apart(value: object, limit_bytes: int) -> bool:
    if type(value) in _SMALL:
        return False
    if isinstance(value, str | bytes | bytearray):
        return len(value) > limit_bytes
    if isinstance(value, StateRef | memoryview) or is_array(value):
        return True
    if isinstance(value, list | dict | tuple):
        return _at_least(value, limit_bytes) and len(_ENCODER.encode(value)) > limit_bytes
    return kind_of(value) is not StateKind.PLAIN


def _at_least(value: Any, limit_bytes: int) -> bool:
    """Estimate cheaply whether a container may be over the limit, so that small ones are not encoded twice."""
    seen = 0
    stack = [value]
    while stack:
        item = stack.pop()
        seen += len(item) if isinstance(item, str | bytes) else 9
        if seen * 4 > limit_bytes:
            return True
        if isinstance(item, dict):
            stack.extend(item.keys())
            stack.extend(item.values())
        elif isinstance(item, list | tuple):
            stack.extend(item)
    return sys.getsizeof(value) > limit_bytes
