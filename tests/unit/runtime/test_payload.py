"""Values to attachments and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import InvalidMessage, InvalidParameters, StateLost
from agentactors.protocol.state import StateKind, StateRef, is_marker, marker
from agentactors.runtime.payload import (
    attach,
    carries_state,
    detach,
    pack,
    pack_result,
    unpack,
    unpack_result,
)

LIMIT = 1024

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text().filter(lambda key: key != "$state"), inner),
    max_leaves=30,
)


def no_ref(_state: StateRef) -> Any:
    raise StateLost("not held")


def pack_all(values: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    return pack(values, inline_limit_bytes=LIMIT, ref=no_ref)


@given(st.dictionaries(st.text(), PLAIN))
def test_plain_values_come_back_equal(values: dict[str, Any]) -> None:
    packed, attachments = pack_all(values)
    assert unpack(packed, attachments) == values


@given(PLAIN)
def test_any_plain_result_comes_back_equal(value: Any) -> None:
    packed, attachments = pack_result(value, inline_limit_bytes=LIMIT, ref=no_ref)
    assert unpack_result(packed, attachments) == value


@pytest.mark.spec("RAY-04")
def test_a_value_over_the_limit_leaves_the_envelope() -> None:
    for value in ("x" * (LIMIT + 1), [1.5] * LIMIT, {"a": ["b" * 100] * 20}):
        packed, attachments = pack_all({"small": 1, "large": value})
        assert packed["small"] == 1
        assert is_marker(packed["large"])
        assert carries_state(packed)
        assert unpack(packed, attachments) == {"small": 1, "large": value}


def test_small_values_stay_in_the_envelope() -> None:
    assert pack_all({"a": "x" * LIMIT, "b": [1, 2], "c": b"raw"}) == ({"a": "x" * LIMIT, "b": [1, 2], "c": b"raw"}, [])


@pytest.mark.spec("RAY-04")
def test_arrays_tables_and_bytes_are_not_copied_and_are_read_only() -> None:
    array = np.arange(10.0)
    table = pa.table({"x": [1, 2, 3]})
    packed, attachments = pack_all({"array": array, "table": table, "data": memoryview(b"12345")})
    assert [packed[name]["kind"] for name in packed] == ["ndarray", "arrow", "bytes"]
    back = unpack(packed, attachments)
    assert np.shares_memory(back["array"], array)
    assert not back["array"].flags.writeable
    assert array.flags.writeable
    assert back["table"] is table
    assert back["data"].readonly
    assert bytes(back["data"]) == b"12345"
    with pytest.raises(ValueError, match="read-only"):
        back["array"][0] = 1


def test_an_array_of_objects_is_refused() -> None:
    with pytest.raises(InvalidMessage, match="Python objects"):
        attach(np.array([object()]))


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(InvalidMessage, match="no plain data"):
        attach(object())


@pytest.mark.parametrize("index", [1, -1, "0", None])
def test_a_marker_without_its_attachment_is_refused(index: Any) -> None:
    wrong = {**marker(0, StateKind.BYTES, 1), "$state": index}
    with pytest.raises(InvalidParameters, match="came along"):
        unpack({"x": wrong}, [np.zeros(1)])


def test_a_state_ref_is_replaced_by_its_reference() -> None:
    ref = StateRef("state-1", 8, StateKind.NDARRAY)
    packed, attachments = pack({"x": ref}, inline_limit_bytes=LIMIT, ref=lambda state: f"ref of {state.state_id}")
    assert attachments == ["ref of state-1"]
    assert packed["x"]["size_bytes"] == 8


def test_every_kind_is_its_own_way_back() -> None:
    for value in (np.ones(3), b"abc", pa.table({"a": [1]}), {"a": [1, "b"]}):
        attachment, kind, size_bytes = attach(value)
        back = detach(attachment, kind)
        assert size_bytes > 0
        if kind is StateKind.NDARRAY:
            assert np.array_equal(back, np.ones(3))
        elif kind is StateKind.BYTES:
            assert bytes(back) == value
        else:
            assert back == value
