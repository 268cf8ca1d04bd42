"""Large values: what stands for them in an envelope, and the handle that callers hold.

A value that is no plain data (a numpy array, an Arrow table, bytes) or is over the inline limit travels
beside the envelope. Its place in ``parameters`` or ``result`` is taken by a marker,
``{"$state": 0, "kind": "ndarray", "size_bytes": 800}``, whose number says which attachment it is.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeGuard

MARKER_KEY: Final = "$state"


class StateKind(StrEnum):
    """What an attachment becomes again at the receiver."""

    BYTES = "bytes"
    """A read-only memoryview."""
    NDARRAY = "ndarray"
    """A read-only numpy array."""
    ARROW = "arrow"
    """An Arrow table."""
    PLAIN = "plain"
    """Plain data that was over the inline limit."""


@dataclass(frozen=True, slots=True)
class StateRef:
    """A handle on a large value in the object store.

    It names the value and does not hold it: the process that got this handle owns the value, and the value
    lives until that process releases it (:meth:`AgentSystem.release`) or ends. It outlives its producer.
    """

    state_id: str
    size_bytes: int
    kind: StateKind


def marker(index: int, kind: StateKind, size_bytes: int) -> dict[str, Any]:
    """Return what stands in an envelope for attachment number ``index``."""
    return {MARKER_KEY: index, "kind": kind.value, "size_bytes": size_bytes}


def is_marker(value: object) -> TypeGuard[dict[str, Any]]:
    """Say whether ``value`` stands for an attachment."""
    return type(value) is dict and MARKER_KEY in value


def state_schema(kind: StateKind) -> dict[str, Any]:
    """Return the JSON Schema of a parameter or result that travels as an attachment."""
    return {
        "type": "object",
        "properties": {MARKER_KEY: {"type": "integer"}, "kind": {"type": "string"}, "size_bytes": {"type": "integer"}},
        "required": [MARKER_KEY],
        "x-state": kind.value,
    }


def is_array(value: object) -> bool:
    """Say whether ``value`` is a numpy array. Numpy is not loaded for that: without it there is none."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def is_array_type(annotation: object) -> bool:
    """Say whether an annotation is numpy's array."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and annotation is numpy.ndarray
