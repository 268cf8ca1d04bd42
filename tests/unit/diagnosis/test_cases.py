from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.cases import check_cases, prediction_row, read_cases
from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.scan import scan

GOOD = {
    "case_id": "a",
    "log": "x.c:1:1: fatal error: y.h: No such file or directory",
    "category": "timeout",
    "extra": [1],
}


def written(path: Path, *rows: object) -> Path:
    path.write_bytes(b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows))
    return path


def test_good_file_is_counted_and_streamed(tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", GOOD, b"", {**GOOD, "case_id": "b", "ecosystem": "rpm", "distro": None})
    assert check_cases(path) == 2
    cases = list(read_cases(path))
    assert [(case.case_id, case.ecosystem) for case in cases] == [("a", None), ("b", "rpm")]


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (b"{not json", "not JSON"),
        (b'"text"', "not a JSON object"),
        (b"[1]", "not a JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        ({"log": "x"}, "lacks case_id"),
        ({"case_id": "z"}, "lacks log"),
        ({"case_id": 3, "log": "x"}, "case_id of type int"),
        ({"case_id": "z", "log": None}, "log of type NoneType"),
        ({"case_id": "z", "log": "  "}, "empty log"),
        ({"case_id": "", "log": "x"}, "empty case_id"),
        ({"case_id": "a", "log": "x"}, "earlier line"),
        ({"case_id": "z", "log": "x", "distro": 7}, "distro of type int"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_bad_row_is_named_before_any_work(tmp_path: Path, row: object, word: str) -> None:
    path = written(tmp_path / "c.jsonl", GOOD, row)
    with pytest.raises(InputInvalid) as caught:
        check_cases(path)
    assert word in caught.value.message
    assert "Line 2 of" in caught.value.message
    assert "c.jsonl" in caught.value.message


def test_empty_missing_and_odd_files_are_refused(tmp_path: Path) -> None:
    for path, word in (
        (written(tmp_path / "e.jsonl"), "no case"),
        (tmp_path / "none", "cannot be read"),
        (tmp_path, "regular"),
    ):
        with pytest.raises(InputInvalid, match=word):
            check_cases(path)


def test_lone_surrogate_in_a_log_does_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", b'{"case_id": "a", "log": "error: \\ud800 x.h"}')
    (case,) = read_cases(path)
    assert conclude(scan(case.log_bytes()), []).evidence


@pytest.mark.spec("COLLAB-10")
def test_labels_of_a_row_are_never_used_and_predictions_are_plain(tmp_path: Path) -> None:
    (case,) = read_cases(written(tmp_path / "c.jsonl", GOOD))
    assert not hasattr(case, "category")
    row = prediction_row(case.case_id, conclude(scan(case.log_bytes()), []))
    assert row["category"] == "missing_header"
    assert row["evidence"] == [GOOD["log"]]
    assert row["evidence_line_numbers"] == [1]
    assert json.loads(json.dumps(row)) == row
