"""Shards: any cut and any order gives the payload back, and nothing wrong is taken for right."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.coordination.shards import (
    HEADER,
    MAX_ID,
    MAX_SHARDS,
    VERSION,
    Assembly,
    ShardIds,
    count_shards,
    parse,
    split,
)
from agentactors.errors import InputInvalid, InvalidMessage, TooLarge

pytestmark = pytest.mark.spec("COORD-05")
PAYLOAD = bytes(range(256)) * 5


def cut(payload: bytes = PAYLOAD, shard_bytes: int = 100, first: int = 7) -> tuple[Assembly, list[bytes]]:
    """Return an empty assembly and the shards for it."""
    first, shards = split(payload, shard_bytes=shard_bytes, ids=ShardIds(first))
    return Assembly("task-1", first, len(shards), limit_bytes=10_000), shards


def fault_of(call: Callable[[], object]) -> str:
    """Return what a call finds wrong with a shard, "" when nothing is."""
    try:
        call()
    except InvalidMessage as fault:
        return str(fault.details["fault"])
    return ""


def test_the_header_is_as_written() -> None:
    _, (shard,) = split(b"abc", shard_bytes=3, ids=ShardIds(0x0102030405060708))
    assert HEADER.size == 16
    assert shard.hex() == "0201" + "0102030405060708" + "0001" + f"{zlib.crc32(b'abc'):08x}" + b"abc".hex()
    assert zlib.crc32(b"123456789") == 0xCBF43926, "the check value of IEEE 802.3"
    assert parse(shard) == (0x0102030405060708, 1, b"abc")


@given(payload=st.binary(max_size=2_000), shard_bytes=st.integers(1, 700), seed=st.integers(0, 99))
def test_any_order_gives_the_payload_back(payload: bytes, shard_bytes: int, seed: int) -> None:
    ids = ShardIds(seed)
    first, shards = split(memoryview(payload), shard_bytes=shard_bytes, ids=ids)
    assert len(shards) == count_shards(len(payload), shard_bytes)
    assert ids.next_id == first + len(shards)
    assembly = Assembly("task-1", first, len(shards), limit_bytes=2_000)
    arriving = shards + shards[: len(shards) // 2]
    random.Random(seed).shuffle(arriving)
    new = [assembly.add(shard) for shard in arriving]
    assert sum(new) == len(shards)
    assert assembly.duplicates == len(shards) // 2
    assert assembly.complete
    assert assembly.missing() == []
    assert assembly.payload() == payload


def test_what_is_missing_is_named() -> None:
    assembly, shards = cut()
    for shard in shards[:3] + shards[5:]:
        assembly.add(shard)
    assert assembly.missing() == [10, 11]
    assert not assembly.complete
    with pytest.raises(InvalidMessage, match=r"misses 2 of 13 shards, the first is 10") as caught:
        assembly.payload()
    assert caught.value.details["missing"] == [10, 11]


@given(place=st.integers(0, 115), bit=st.integers(0, 7))
def test_a_flipped_bit_is_never_taken_for_right(place: int, bit: int) -> None:
    assembly, shards = cut()
    broken = bytearray(shards[0])
    broken[place] ^= 1 << bit
    fault = fault_of(lambda: assembly.add(bytes(broken)))
    if fault:
        assert fault in {"version", "total", "corrupt", "foreign"}
        assert assembly.missing()[0] == 7
    else:  # the checksum covers the payload alone: a wrong id within the task is another shard's place
        assert 2 <= place < 10
        assert len(assembly.missing()) == len(shards) - 1


@given(data=st.binary(max_size=64))
def test_junk_is_refused_with_a_reason(data: bytes) -> None:
    fault = fault_of(lambda: parse(data))
    if fault:
        assert fault in {"cut", "version", "total", "corrupt"}
    else:
        shard = parse(data)
        assert HEADER.pack(VERSION, shard.shard_id, shard.total_shards, zlib.crc32(shard.payload)) == data[:16]


def test_a_shard_of_another_task_is_foreign() -> None:
    assembly, shards = cut()
    ids = ShardIds(7 + len(shards))
    _, others = split(PAYLOAD, shard_bytes=100, ids=ids)
    _, counted_otherwise = split(PAYLOAD, shard_bytes=200, ids=ShardIds(7))
    for shard in (others[0], counted_otherwise[0]):
        with pytest.raises(InvalidMessage) as caught:
            assembly.add(shard)
        assert caught.value.details["fault"] == "foreign"
    assert len(assembly.missing()) == len(shards)


def test_a_task_can_be_sharded_anew() -> None:
    assembly, shards = cut()
    assembly.add(shards[0])
    ids = ShardIds(7 + len(shards))
    first, anew = split(PAYLOAD, shard_bytes=300, ids=ids)
    assembly.reshard(first, len(anew))
    with pytest.raises(InvalidMessage, match="is not of task"):
        assembly.add(shards[1])
    for shard in reversed(anew):
        assembly.add(shard)
    assert assembly.payload() == PAYLOAD
    with pytest.raises(InputInvalid, match="used before"):
        assembly.reshard(first, 3)


def test_ids_are_consecutive_and_never_used_again() -> None:
    ids = ShardIds()
    assert [ids.take(count) for count in (3, 1, MAX_SHARDS)] == [0, 3, 4]
    with pytest.raises(InputInvalid):
        ids.take(0)
    with pytest.raises(InputInvalid):
        ids.take(MAX_SHARDS + 1)
    last = ShardIds(MAX_ID)
    assert last.take(1) == MAX_ID
    with pytest.raises(InputInvalid, match="run out"):
        last.take(1)
    with pytest.raises(InputInvalid):
        ShardIds(-1)


def test_bounds() -> None:
    with pytest.raises(TooLarge):
        split(bytes(MAX_SHARDS + 1), shard_bytes=1, ids=ShardIds())
    with pytest.raises(InputInvalid):
        count_shards(10, 0)
    assembly = Assembly("task-1", 0, 2, limit_bytes=5)
    shards = split(b"12345678", shard_bytes=4, ids=ShardIds())[1]
    assembly.add(shards[0])
    with pytest.raises(TooLarge):
        assembly.add(shards[1])
    with pytest.raises(InputInvalid):
        Assembly("task-1", MAX_ID, 2, limit_bytes=5)
