"""Read a log from a file: plain or gzip, any encoding, bounded, and refuse what is not a log."""

from __future__ import annotations

import codecs
import os
import stat
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from agentactors.errors import InputInvalid

LIMIT_BYTES: Final = 100 * 1024 * 1024
_GZIP: Final = b"\x1f\x8b"
_STEP_BYTES: Final = 1 << 20
_SAMPLE_BYTES: Final = 1 << 16
_BINARY_SHARE: Final = 0.10
_NUL_SHARE: Final = 0.30
_PACKED: Final = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"\x7fELF": "an ELF binary",
    b"\xed\xab\xee\xdb": "an RPM package",
    b"!<arch>\n": "an archive",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF document",
}
_WIDE: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_log(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> bytes:
    """Read a build log.

    Gzip is recognised by its first bytes and unpacked up to the limit and no further. UTF-16 and UTF-32 become
    UTF-8; bad bytes of any other encoding are kept as they are.

    Args:
        path: The file.
        limit_bytes: Most bytes after unpacking, at least 1.

    Returns:
        The log as bytes, UTF-8 or nearly so, never empty.

    Raises:
        InputInvalid: The file is missing, unreadable, a directory or device, empty, too large or binary.
    """
    data = _read_bounded(path, limit_bytes)
    if data.startswith(_GZIP):
        data = _unpacked(path, data, limit_bytes)
    return _checked(data, f"The log {path}")


def check_log_bytes(data: bytes) -> bytes:
    """Check bytes that are held already, as ``read_log`` checks a file.

    Args:
        data: The log.

    Returns:
        The log as UTF-8 or nearly so; the same object when nothing had to be converted.

    Raises:
        InputInvalid: It is empty, too large or binary.
    """
    if len(data) > LIMIT_BYTES:
        msg = f"The log is larger than {LIMIT_BYTES} bytes: cut it to the failing part."
        raise InputInvalid(msg, {"size_bytes": len(data), "limit_bytes": LIMIT_BYTES})
    return _checked(data, "The log")


def _read_bounded(path: Path, limit_bytes: int) -> bytes:
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to must not hang.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise _refusal(path, f"The log {path} does not exist: check the path.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refusal(
            path, f"The log {path} cannot be opened ({reason}): check the path and its permissions."
        ) from error
    # Before os.fdopen, which refuses a directory with an error of its own.
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        os.close(descriptor)
        raise _refusal(path, f"The log {path} is a directory: give the log file inside it.")
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(status.st_mode):
            raise _refusal(path, f"The log {path} is not a regular file: copy the log into one.")
        if status.st_size > limit_bytes:
            raise _refusal(
                path,
                f"The log {path} has {status.st_size} bytes, more than the {limit_bytes} allowed: cut it to "
                "the failing part.",
            )
        try:
            data = file.read(limit_bytes + 1)
        except OSError as error:
            raise _refusal(path, f"The log {path} cannot be read ({error.strerror}): copy it again.") from error
    if len(data) > limit_bytes:
        raise _refusal(
            path, f"The log {path} grew past {limit_bytes} bytes while it was read: cut it to the failing part."
        )
    return data


def _unpacked(path: Path, data: bytes, limit_bytes: int) -> bytes:
    parts: list[bytes] = []
    size, position = 0, 0
    while position < len(data) and data.startswith(_GZIP, position):
        inflate = zlib.decompressobj(wbits=31)
        pending = memoryview(data)[position:]
        while not inflate.eof:
            try:
                part = inflate.decompress(pending, _STEP_BYTES)
            except zlib.error as error:
                raise _refusal(path, f"The log {path} is damaged gzip ({error}): fetch it again.") from error
            size += len(part)
            if size > limit_bytes:
                raise _refusal(
                    path,
                    f"The log {path} unpacks to more than the {limit_bytes} bytes allowed: cut it to the failing part.",
                )
            parts.append(part)
            pending = memoryview(inflate.unconsumed_tail)
            if not part and pending.nbytes == 0 and not inflate.eof:
                raise _refusal(path, f"The log {path} is gzip that ends too early: fetch it again.")
        position = len(data) - len(inflate.unused_data)
    return b"".join(parts)


def _checked(data: bytes, name: str) -> bytes:
    data = _as_utf8(data)
    if not data.strip():
        msg = f"{name} is empty: give the log of a failed build."
        raise InputInvalid(msg, {"size_bytes": len(data)})
    for magic, kind in _PACKED.items():
        if data.startswith(magic):
            msg = f"{name} is {kind} data and not a log: give plain text or gzip."
            raise InputInvalid(msg, {"kind": kind})
    if _is_binary(data):
        msg = f"{name} is not a log (mostly NUL or control bytes): give plain text or gzip."
        raise InputInvalid(msg, {"size_bytes": len(data)})
    return data


def _as_utf8(data: bytes) -> bytes:
    """Convert UTF-16 and UTF-32, known by their mark or by where their NUL bytes stand."""
    encoding = next((name for mark, name in _WIDE.items() if data.startswith(mark)), "")
    if not encoding and len(data) >= 4:  # noqa: PLR2004
        sample = np.frombuffer(data, dtype=np.uint8, count=min(len(data), _SAMPLE_BYTES))
        even, odd = float(np.mean(sample[::2] == 0)), float(np.mean(sample[1::2] == 0))
        if max(even, odd) > 2 * _NUL_SHARE and min(even, odd) < _NUL_SHARE / 3:
            encoding = "utf-16-le" if odd > even else "utf-16-be"
    if encoding:
        return data.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def _is_binary(data: bytes) -> bool:
    """Tell whether some sample of the data is mostly control bytes (escape, tabs and line ends are text)."""
    spots = {0, max(0, len(data) // 2 - _SAMPLE_BYTES // 2), max(0, len(data) - _SAMPLE_BYTES)}
    strange = total = 0
    for spot in spots:
        sample = np.frombuffer(data, dtype=np.uint8, count=min(_SAMPLE_BYTES, len(data) - spot), offset=spot)
        control = (sample < 32) & ~np.isin(sample, (7, 8, 9, 10, 11, 12, 13, 27))  # noqa: PLR2004
        strange += int(np.count_nonzero(control))
        total += len(sample)
    return strange > _BINARY_SHARE * total


def _refusal(path: Path, sentence: str) -> InputInvalid:
    return InputInvalid(sentence, {"path": str(path)})
