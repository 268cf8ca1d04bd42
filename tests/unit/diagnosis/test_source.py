from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.source import check_log_bytes, read_log

TEXT = "make: *** [all] Error 1\n致命错误\n"


def test_plain_and_gzip_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.log").write_bytes(gzip.compress(TEXT.encode()) + gzip.compress(b"second member\n"))
    assert read_log(tmp_path / "a.log") == TEXT.encode()
    assert read_log(tmp_path / "b.log") == TEXT.encode() + b"second member\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32"])
def test_wide_encodings_become_utf8(tmp_path: Path, encoding: str) -> None:
    text = "make: *** [all] Error 1\n" * 20
    (tmp_path / "a.log").write_bytes(text.encode(encoding))
    assert read_log(tmp_path / "a.log") == text.encode()


def test_bad_bytes_survive(tmp_path: Path) -> None:
    data = b"error: caf\xe9 \xff\xfe \x1b[31mred\x1b[m\n"
    (tmp_path / "a.log").write_bytes(data)
    assert read_log(tmp_path / "a.log") == data


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"\x7fELF\x02\x01" + b"\x00" * 64, "ELF"),
        (b"\xfd7zXZ\x00abc", "xz"),
        (bytes(range(32)) * 40, "control"),
        (b"\x00" * 500, "NUL"),
        (gzip.compress(b"x" * 5000)[:30], "gzip"),
        (b"\x1f\x8b\x08garbage", "gzip"),
        (gzip.compress(b""), "empty"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(tmp_path: Path, data: bytes, word: str) -> None:
    (tmp_path / "a.log").write_bytes(data)
    with pytest.raises(InputInvalid) as caught:
        read_log(tmp_path / "a.log")
    assert word in caught.value.message
    assert "a.log" in caught.value.message
    assert "\n" not in caught.value.message


def test_missing_directory_and_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, word in ((tmp_path / "none", "does not exist"), (tmp_path, "directory"), (tmp_path / "pipe", "regular")):
        with pytest.raises(InputInvalid, match=word):
            read_log(path)


def test_too_large_is_refused_packed_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b"error\n" * 1000)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"\n" * 50_000_000))
    with pytest.raises(InputInvalid, match="more than the 1000"):
        read_log(tmp_path / "a.log", limit_bytes=1000)
    with pytest.raises(InputInvalid, match="unpacks to more"):
        read_log(tmp_path / "bomb.gz", limit_bytes=1_000_000)


def test_bytes_are_checked_alike() -> None:
    data = b"error: x\n"
    assert check_log_bytes(data) is data
    with pytest.raises(InputInvalid, match="empty"):
        check_log_bytes(b"\n")
