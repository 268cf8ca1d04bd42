"""A read-only window on the bytes of a log: lines by offset, without copying the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agentactors.teams.diagnosis.textline import LINE_LIMIT_BYTES

LogBytes = bytes | bytearray | memoryview | npt.NDArray[Any]
"""What a log may come as: anything with a contiguous buffer of bytes."""

_STEP_BYTES: Final = 1 << 20
_REACH_BYTES: Final = 1 << 15
_NEWLINE: Final = 10


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines of the log, at most about one megabyte of them."""

    first_line: int
    """Number of the first line, from 1."""
    offset: int
    """Where the chunk begins in the log, bytes."""
    data: bytes
    """A copy of the lines, their last line end included."""
    starts: npt.NDArray[np.int64]
    """Where each line begins, relative to ``offset``."""


class LogView:
    """Lines of a log by their offset.

    The buffer is never copied as a whole and never written to: arrays that live in a shared store and read-only
    views are welcome.

    Args:
        log: The bytes; one-dimensional and contiguous, or made so by a cast.
    """

    def __init__(self, log: LogBytes) -> None:
        # numpy declares the buffer protocol to type checkers only from Python 3.12 on.
        buffer: Any = log
        view = memoryview(buffer)
        self.bytes: memoryview = view if view.format == "B" and view.ndim == 1 else view.cast("B")
        self.size_bytes: int = len(self.bytes)

    def line_at(self, offset: int) -> bytes:
        """Return the line that begins at ``offset``, cut at the line limit."""
        head = bytes(self.bytes[offset : offset + LINE_LIMIT_BYTES])
        return head.partition(b"\n")[0]

    def lines_after(self, offset: int, count: int) -> list[tuple[int, bytes]]:
        """Return up to ``count`` lines that follow the one at ``offset``, as (offset, bytes), within 32 KiB."""
        block = bytes(self.bytes[offset : offset + _REACH_BYTES])
        found: list[tuple[int, bytes]] = []
        position = block.find(b"\n") + 1
        while position and len(found) < count and position < len(block):
            end = block.find(b"\n", position)
            stop = end if end >= 0 else len(block)
            found.append((offset + position, block[position : min(stop, position + LINE_LIMIT_BYTES)]))
            position = end + 1
        return found

    def lines_before(self, offset: int, count: int) -> list[tuple[int, bytes]]:
        """Return up to ``count`` lines that precede ``offset``, nearest first, as (offset, bytes), within 32 KiB."""
        begin = max(0, offset - _REACH_BYTES)
        block = bytes(self.bytes[begin:offset])
        found: list[tuple[int, bytes]] = []
        end = len(block) - 1
        while end > 0 and len(found) < count:
            start = block.rfind(b"\n", 0, end) + 1
            if start == 0 and begin > 0:
                break
            found.append((begin + start, block[start : min(end, start + LINE_LIMIT_BYTES)]))
            end = start - 1
        return found

    def chunks(self) -> Iterator[Chunk]:
        """Walk the log in chunks of whole lines.

        A line longer than a chunk is represented by its first bytes only.
        """
        offset, first_line = 0, 1
        while offset < self.size_bytes:
            data = bytes(self.bytes[offset : offset + _STEP_BYTES])
            end = len(data)
            if offset + end < self.size_bytes:
                end = data.rfind(b"\n") + 1
            if end == 0:
                after = self._after_newline(offset + len(data))
                yield Chunk(first_line, offset, data[:LINE_LIMIT_BYTES], np.zeros(1, dtype=np.int64))
                offset, first_line = after, first_line + 1
                continue
            data = data[:end]
            breaks = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _NEWLINE)
            starts = np.concatenate((np.zeros(1, dtype=np.int64), breaks + 1))
            if data.endswith(b"\n"):
                starts = starts[:-1]
            yield Chunk(first_line, offset, data, starts)
            offset, first_line = offset + end, first_line + len(starts)

    def _after_newline(self, position: int) -> int:
        while position < self.size_bytes:
            block = np.frombuffer(self.bytes[position : position + _STEP_BYTES], dtype=np.uint8)
            hits = np.flatnonzero(block == _NEWLINE)
            if len(hits):
                return position + int(hits[0]) + 1
            position += len(block)
        return self.size_bytes

    def tail(self, count: int) -> list[tuple[int, bytes]]:
        """Return the last ``count`` lines that are not blank, in log order, as (offset, bytes)."""
        return [line for line in self.last_lines(4 * count) if line[1].strip()][:count][::-1]

    def last_lines(self, count: int) -> list[tuple[int, bytes]]:
        """Return the last ``count`` lines, last one first, as (offset, bytes), within 32 KiB."""
        end = self.size_bytes
        if not end or self.bytes[end - 1] == _NEWLINE:
            return self.lines_before(end, count)
        block = bytes(self.bytes[max(0, end - _REACH_BYTES) :])
        start = block.rfind(b"\n") + 1
        begin = end - len(block) + start
        return [(begin, block[start:][:LINE_LIMIT_BYTES]), *self.lines_before(begin, count - 1)]
