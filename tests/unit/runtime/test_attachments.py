"""Values as payload frames and back."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import InvalidMessage
from agentactors.protocol.frames import BrokenFrame
from agentactors.runtime import attachments as attached

LIMIT = 1024 * 1024
DTYPES = [
    "?",
    "i1",
    "u1",
    "<i2",
    ">i4",
    "<u8",
    "<f2",
    "<f4",
    ">f8",
    "<c8",
    "<c16",
    "<M8[ns]",
    "<m8[25s]",
    "S3",
    "<U5",
    "V4",
]


def there_and_back(value: Any) -> Any:
    [carried] = attached.fit([value], LIMIT) or []
    assert len(carried.head) % 16 == 0 or isinstance(value, pa.Table)
    return attached.load(bytes(carried.head) + bytes(carried.data))


@given(st.sampled_from(DTYPES), st.lists(st.integers(0, 4), max_size=4), st.binary(min_size=1, max_size=64))
def test_arrays_come_back_equal_and_read_only(dtype: str, shape: list[int], seed: bytes) -> None:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    data = (seed * (size // len(seed) + 1))[:size]
    if dtype == "<U5":
        data = np.full(int(np.prod(shape)), seed.hex()[:5], dtype=dtype).tobytes()
    if dtype == "?":
        data = bytes(byte & 1 for byte in data)
    array = np.frombuffer(data, dtype=dtype).reshape(shape)
    back = there_and_back(array)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())
    assert not back.flags.writeable


def test_arrays_without_dimensions_and_without_items() -> None:
    assert there_and_back(np.array(2.5))[()] == 2.5
    assert there_and_back(np.empty((0, 3), dtype=np.float32)).shape == (0, 3)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=30), st.booleans())
def test_tables_come_back_equal(numbers: list[int], chunked: bool) -> None:
    table = pa.table({"number": numbers, "text": [str(one) for one in numbers]}).replace_schema_metadata({"a": "b"})
    if chunked:
        table = pa.concat_tables([table, table.slice(len(numbers) // 2)])
    back = there_and_back(table)
    assert back.equals(table, check_metadata=True)


class _Marked(np.ndarray[Any, Any]):
    """An array with a class of its own."""


@pytest.mark.parametrize(
    "value",
    [
        np.ones((4, 4)).T[::2],
        np.array([object()]),
        np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
        np.zeros(2, dtype="V0"),
        np.array(["a"], dtype=np.dtypes.StringDType()),
        np.ones(2).view(_Marked),
        np.ma.masked_array([1, 2], mask=[False, True]),
        pa.array([1, 2]),
        pa.record_batch({"a": [1]}),
        "text",
        None,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_bytes_do_not_tell_all_of_travels_another_way(value: Any) -> None:
    assert attached.fit([np.ones(2), value], LIMIT) is None


def test_what_is_too_much_travels_another_way() -> None:
    assert attached.fit([np.zeros(LIMIT, dtype="u1")], LIMIT) is not None
    assert attached.fit([np.zeros(LIMIT, dtype="u1"), np.zeros(1, dtype="u1")], LIMIT) is None
    assert attached.fit([np.ones(1)] * attached.MAX_PAYLOADS, LIMIT) is not None
    assert attached.fit([np.ones(1)] * (attached.MAX_PAYLOADS + 1), LIMIT) is None


def test_a_table_that_is_wider_than_its_data_travels_another_way() -> None:
    wide = pa.table({f"{number}-{'x' * 10_000}": pa.array([], type=pa.int8()) for number in range(500)})
    assert wide.nbytes == 0
    assert attached.fit([wide], LIMIT) is None


def test_sizes_count_what_does_not_travel_too() -> None:
    assert attached.size_bytes([np.ones((4, 4)).T[::2], pa.table({"a": pa.array([1], pa.int64())}), "text"]) == 64 + 8


@given(st.binary(max_size=300) | st.builds(lambda mark, rest: mark + rest, st.sampled_from([b"A", b"T"]), st.binary()))
def test_junk_is_an_invalid_message(body: bytes) -> None:
    with suppress(InvalidMessage):
        attached.load(body)


@given(
    st.sampled_from([*DTYPES, "O", "f8,f4", "(2,3)f8", "", "<M8[", "<U99999999999", "<f7"]) | st.text(max_size=8),
    st.lists(st.integers(-3, 2**63 - 1), max_size=4),
    st.binary(max_size=64),
)
def test_a_wrong_description_is_an_invalid_message(dtype: str, shape: list[int], data: bytes) -> None:
    described = msgspec.msgpack.encode((dtype, shape))
    body = attached._HEAD.pack(b"A", len(described), 0) + described + data
    try:
        array = attached.load(body)
    except InvalidMessage:
        return
    assert (array.nbytes, list(array.shape)) == (len(data), shape)


def test_a_cut_table_is_an_invalid_message() -> None:
    head, data = attached.dump(pa.table({"a": list(range(100))}))
    whole = bytes(head) + bytes(data)
    for cut in range(0, len(whole) - 16, 7):
        try:
            back = attached.load(whole[:cut])
        except InvalidMessage:
            continue
        assert back.num_rows in {0, 100}  # the mark of the end alone was cut


def test_waiting_payloads_are_bounded() -> None:
    table = attached.PayloadFrames()
    for _ in range(attached.MAX_PAYLOADS):
        table.add(1, b"x")
    with pytest.raises(BrokenFrame):
        table.add(1, b"x")
    table = attached.PayloadFrames()
    for number in range(attached.MAX_WAITING_BYTES // 256):
        table.add(number, b"")
    with pytest.raises(BrokenFrame):
        table.add(0, b"")
    table.clear()
    table.add(7, b"a")
    table.add(7, b"b")
    assert (table.take(7), table.take(7), table.waiting) == ([b"a", b"b"], (), {})


def test_payloads_that_were_taken_make_room() -> None:
    table = attached.PayloadFrames()
    block = bytes(attached.MAX_WAITING_BYTES // 3)
    for number in range(10):
        table.add(number, block)
        assert len(table.take(number)) == 1
