"""Files of cases: many logs in one file of JSON lines, checked before any work and read as a stream."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.model import Diagnosis

LINE_LIMIT_BYTES: Final = 512 * 1024 * 1024
"""A row may hold a log of 100 MB, written with escapes."""


class Case(BaseModel):
    """One log to diagnose; whatever else the row holds is not read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case_id: str = Field(min_length=1, description="Id of the case, unique in its file.")
    log: str = Field(min_length=1, description="The log.")
    ecosystem: str | None = Field(default=None, description="Build world, when known.")
    distro: str | None = Field(default=None, description="Distribution, when known.")

    def log_bytes(self) -> bytes:
        """Return the log as UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes ``?``."""
        return self.log.encode("utf-8", "replace")


def check_cases(path: Path) -> int:
    """Check every row of a file of cases before any work is done.

    Args:
        path: A file of JSON lines; blank lines are allowed.

    Returns:
        How many cases it holds, at least 1.

    Raises:
        InputInvalid: The file cannot be read or is empty, or a row is malformed: names file, line and fault.

    Cost: one pass; one row and 16 bytes per case in memory.
    """
    known: set[bytes] = set()
    for number, case in _rows(path):
        mark = hashlib.blake2b(case.case_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if mark in known:
            raise _fault(path, number, f"has the case_id {case.case_id!r} of an earlier line: make ids unique")
        known.add(mark)
    if not known:
        msg = f"The file {path} holds no case: give one JSON object per line with case_id and log."
        raise InputInvalid(msg, {"path": str(path)})
    return len(known)


def read_cases(path: Path) -> Iterator[Case]:
    """Read the cases of a file one after the other.

    Check the file with ``check_cases`` first: this stops at the first bad row, having given the ones before.

    Args:
        path: A file of JSON lines.

    Yields:
        The cases, in file order.

    Raises:
        InputInvalid: The file cannot be read, or a row is malformed.
    """
    for _, case in _rows(path):
        yield case


def prediction_row(case_id: str, diagnosis: Diagnosis) -> dict[str, Any]:
    """Write a diagnosis as one row of a predictions file.

    Args:
        case_id: Id of the case.
        diagnosis: What was concluded.

    Returns:
        Plain values: labels, culprit, evidence as lines with their numbers beside them, fix and confidence.
    """
    return {
        "case_id": case_id,
        "stage": diagnosis.stage,
        "category": diagnosis.category,
        "culprit": diagnosis.culprit,
        "evidence": [line.text for line in diagnosis.evidence],
        "evidence_line_numbers": [line.line_number for line in diagnosis.evidence],
        "fix": diagnosis.fix,
        "confidence": diagnosis.confidence,
    }


def _rows(path: Path) -> Iterator[tuple[int, Case]]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            msg = f"The cases {path} are not a regular file: give a file of JSON lines."
            raise InputInvalid(msg, {"path": str(path)})
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(LINE_LIMIT_BYTES):
                number += 1
                if len(raw) == LINE_LIMIT_BYTES and not raw.endswith(b"\n"):
                    raise _fault(path, number, f"is longer than {LINE_LIMIT_BYTES} bytes: cut its log")
                if raw.strip():
                    yield number, _case(path, number, raw)
    except OSError as error:
        msg = f"The file {path} cannot be read ({error.strerror or error}): check the path."
        raise InputInvalid(msg, {"path": str(path)}) from error


def _case(path: Path, number: int, raw: bytes) -> Case:
    try:
        row = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _fault(path, number, f"is not UTF-8 (byte {error.start}): write the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _fault(path, number, f"is not JSON ({error}): correct the row") from error
    if not isinstance(row, dict):
        raise _fault(path, number, f"is {type(row).__name__}, not a JSON object: write one object per line")
    for key in ("case_id", "log"):
        if key not in row:
            raise _fault(path, number, f"lacks {key}: add it")
        if not isinstance(row[key], str):
            raise _fault(path, number, f"has a {key} of type {type(row[key]).__name__}, not a string: correct it")
        if not row[key].strip():
            raise _fault(path, number, f"has an empty {key}: fill it in")
    for key in ("ecosystem", "distro"):
        if row.get(key) is not None and not isinstance(row[key], str):
            raise _fault(path, number, f"has a {key} of type {type(row[key]).__name__}, not a string: correct it")
    return Case(
        case_id=_clean(row["case_id"]), log=_clean(row["log"]), ecosystem=row.get("ecosystem"), distro=row.get("distro")
    )


def _clean(text: str) -> str:
    """Replace lone surrogates: JSON can spell them, no encoding can carry them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _fault(path: Path, number: int, what: str) -> InputInvalid:
    return InputInvalid(f"Line {number} of {path} {what}.", {"path": str(path), "line": number})
