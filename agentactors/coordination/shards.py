"""A payload in shards: cut, framed, put together again in whatever order they arrive.

A shard is a header of 16 bytes, big-endian (version u16, shard_id u64, total_shards u16, CRC32 u32 of the
payload, IEEE 802.3), and its part of the payload. The message around the shards names the task and the id of its
first shard: the ids of one task are consecutive, and no id is ever used again, so a shard says where it belongs
without naming its task. A task that is sharded anew gets new ids, and shards with the old ones are foreign.
"""

from __future__ import annotations

import struct
import zlib
from enum import StrEnum
from typing import Final, NamedTuple

from agentactors.errors import InputInvalid, InvalidMessage, TooLarge

VERSION: Final = 0x0201
HEADER: Final = struct.Struct(">HQHI")
MAX_SHARDS: Final = 0xFFFF
MAX_ID: Final = 0xFFFF_FFFF_FFFF_FFFF


class ShardFault(StrEnum):
    """What can be wrong with a shard; the word in ``details.fault``."""

    CUT = "cut"
    VERSION = "version"
    TOTAL = "total"
    CORRUPT = "corrupt"
    FOREIGN = "foreign"


class Shard(NamedTuple):
    """One shard, its checksum found right."""

    shard_id: int
    total_shards: int
    payload: bytes


class ShardIds:
    """Gives out ids of shards: consecutive for one task, rising for all, none twice.

    Args:
        next_id: The first id that was never given out; whoever restarts goes on from what it stored.
    """

    def __init__(self, next_id: int = 0) -> None:
        if not 0 <= next_id <= MAX_ID:
            raise InputInvalid(f"{next_id} is no shard id: they are 0 to {MAX_ID}.")
        self.next_id = next_id

    def take(self, total_shards: int) -> int:
        """Return the id of the first of ``total_shards`` shards; the others follow it.

        Raises:
            InputInvalid: ``total_shards`` is not 1 to 65,535, or the ids have run out.
        """
        if not 1 <= total_shards <= MAX_SHARDS:
            raise InputInvalid(f"{total_shards:,} shards: a task has 1 to {MAX_SHARDS:,}.")
        first = self.next_id
        if first + total_shards - 1 > MAX_ID:
            raise InputInvalid("The ids of shards have run out.")
        self.next_id = first + total_shards
        return first


def count_shards(size_bytes: int, shard_bytes: int) -> int:
    """Return how many shards of at most ``shard_bytes`` of payload a payload takes; an empty one takes one.

    Raises:
        InputInvalid: ``shard_bytes`` is not positive.
        TooLarge: It would be more than 65,535.
    """
    if shard_bytes < 1:
        raise InputInvalid("A shard holds at least one byte.")
    total = max(1, -(-size_bytes // shard_bytes))
    if total > MAX_SHARDS:
        raise TooLarge(
            f"{size_bytes:,} bytes in shards of {shard_bytes:,} are {total:,} shards; {MAX_SHARDS:,} are allowed.",
            {"size_bytes": size_bytes, "limit_bytes": shard_bytes * MAX_SHARDS},
        )
    return total


def split(payload: bytes | memoryview, *, shard_bytes: int, ids: ShardIds) -> tuple[int, list[bytes]]:
    """Cut a payload.

    Args:
        payload: What is to be handed over.
        shard_bytes: Most bytes of it in one shard.
        ids: Gives the ids.

    Returns:
        The id of the first shard, and the shards in order, header included.

    Raises:
        InputInvalid, TooLarge: As :func:`count_shards` and :meth:`ShardIds.take`.

    Cost:
        One copy and one CRC32 of the payload.
    """
    view = memoryview(payload)
    total = count_shards(len(view), shard_bytes)
    first = ids.take(total)
    parts = (view[number * shard_bytes : (number + 1) * shard_bytes] for number in range(total))
    return first, [
        HEADER.pack(VERSION, first + number, total, zlib.crc32(part)) + part.tobytes()
        for number, part in enumerate(parts)
    ]


def parse(data: bytes) -> Shard:
    """Return the shard in ``data``.

    Raises:
        InvalidMessage: It is cut, of another version, counts no shards or is corrupt; ``details.fault`` says which.
    """
    if len(data) < HEADER.size:
        raise _fault(ShardFault.CUT, f"A shard has {len(data)} bytes; its header alone has {HEADER.size}.")
    version, shard_id, total, checksum = HEADER.unpack_from(data)
    if version != VERSION:
        raise _fault(ShardFault.VERSION, f"A shard has version {version:#06x}; this side reads {VERSION:#06x}.")
    if total == 0:
        raise _fault(ShardFault.TOTAL, f"Shard {shard_id} says that its task has no shards.")
    payload = data[HEADER.size :]
    if zlib.crc32(payload) != checksum:
        raise _fault(ShardFault.CORRUPT, f"Shard {shard_id} is corrupt: its checksum is wrong.", shard_id)
    return Shard(shard_id, total, payload)


class Assembly:
    """Puts the shards of one task together, in whatever order they come.

    Holds at most ``limit_bytes`` of payload. A shard that comes twice counts once.

    Args:
        task_id: The task.
        first_shard_id: The id of its first shard.
        total_shards: How many there are.
        limit_bytes: Most bytes of payload.
    """

    def __init__(self, task_id: str, first_shard_id: int, total_shards: int, *, limit_bytes: int) -> None:
        self.task_id = task_id
        self.duplicates = 0
        self._limit_bytes = limit_bytes
        _check_range(first_shard_id, total_shards)
        self._first, self._total = first_shard_id, total_shards
        self._parts: dict[int, bytes] = {}
        self._size_bytes = 0

    def add(self, data: bytes) -> bool:
        """Take a shard in.

        Returns:
            Whether it was new; False for one that has been here.

        Raises:
            InvalidMessage: As :func:`parse`; or it belongs to another task, or to this one before it was
                sharded anew (``details.fault`` is ``foreign``). What has been taken in stays.
            TooLarge: All together would be over the bound; this shard was not taken in.
        """
        shard = parse(data)
        place = shard.shard_id - self._first
        if not 0 <= place < self._total or shard.total_shards != self._total:
            last = self._first + self._total - 1
            raise _fault(
                ShardFault.FOREIGN,
                f"Shard {shard.shard_id} of {shard.total_shards} is not of task {self.task_id}, which has the shards "
                f"{self._first} to {last}.",
                shard.shard_id,
            )
        if place in self._parts:
            self.duplicates += 1
            return False
        size_bytes = self._size_bytes + len(shard.payload)
        if size_bytes > self._limit_bytes:
            raise TooLarge(
                f"Task {self.task_id} would have {size_bytes:,} bytes; {self._limit_bytes:,} are allowed.",
                {"size_bytes": size_bytes, "limit_bytes": self._limit_bytes},
            )
        self._size_bytes = size_bytes
        self._parts[place] = shard.payload
        return True

    @property
    def complete(self) -> bool:
        """Whether every shard is there."""
        return len(self._parts) == self._total

    def missing(self) -> list[int]:
        """Return the ids of the shards that are not there, in order."""
        return [self._first + place for place in range(self._total) if place not in self._parts]

    def payload(self) -> bytes:
        """Return the whole payload.

        Raises:
            InvalidMessage: Shards are missing; ``details.missing`` lists the first of them.
        """
        if not self.complete:
            missing = self.missing()
            raise InvalidMessage(
                f"Task {self.task_id} misses {len(missing):,} of {self._total:,} shards, the first is {missing[0]}.",
                {"missing": missing[:100]},
            )
        return b"".join(self._parts[place] for place in range(self._total))

    def reshard(self, first_shard_id: int, total_shards: int) -> None:
        """The task has been sharded anew: what was taken in is dropped, shards with the old ids are foreign.

        Raises:
            InputInvalid: The new ids are not all above the old ones: an id is never used again.
        """
        if first_shard_id < self._first + self._total:
            raise InputInvalid(f"Shard {first_shard_id} was used before: a task that is sharded anew gets new ids.")
        _check_range(first_shard_id, total_shards)
        self._first, self._total = first_shard_id, total_shards
        self._parts.clear()
        self._size_bytes = 0


def _check_range(first_shard_id: int, total_shards: int) -> None:
    if not 1 <= total_shards <= MAX_SHARDS or not 0 <= first_shard_id <= MAX_ID - total_shards + 1:
        raise InputInvalid(f"{total_shards:,} shards from {first_shard_id} on: a task has 1 to {MAX_SHARDS:,}.")


def _fault(fault: ShardFault, sentence: str, shard_id: int | None = None) -> InvalidMessage:
    details: dict[str, object] = {"fault": fault.value}
    if shard_id is not None:
        details["shard_id"] = shard_id
    return InvalidMessage(sentence, details)
