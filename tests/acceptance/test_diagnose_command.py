"""``agentactors diagnose`` as a person runs it: a subprocess, its output, its exit code."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

BUNDLED = files("agentactors.teams.diagnosis") / "data" / "tidegauge-2.3.1.log"


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in ``folder``."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "COLUMNS": "120"}
    command = [sys.executable, "-m", "agentactors", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=110, cwd=folder, env=environment, check=False
    )


def is_one_sentence(text: str) -> bool:
    """Say whether an error is what a person can read: one line, no traceback."""
    return "Traceback" not in text and len(text.strip().splitlines()) == 1


@pytest.mark.spec("COLLAB-10", "OPS-01")
def test_a_log_is_diagnosed(tmp_path: Path) -> None:
    packed = tmp_path / "build.log.gz"
    packed.write_bytes(gzip.compress(BUNDLED.read_bytes()))
    done = run("diagnose", packed, "--json", "--verify", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["stage"], said["category"], said["culprit"]) == ("compile", "missing_header", "lzo/lzo1x.h")
    assert said["multi_agent_collaboration_valid"]
    assert said["verdict"]["ok"]
    assert said["audit"]["call_chain"].startswith("task -> Planner -> Retriever/Executor -> Summarizer")


@pytest.mark.spec("OPS-03", "OPS-01")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (bytes(range(32)) * 4000, "not a log"),
        (b"\0" * 100_000, "not a log"),
        (None, "no-such.log"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(content: bytes | None, expected: str, tmp_path: Path) -> None:
    path = tmp_path / ("build.log" if content is not None else "no-such.log")
    if content is not None:
        path.write_bytes(content)
    done = run("diagnose", path, folder=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr), done.stderr
    assert expected in done.stderr
    assert done.stdout == ""


@pytest.mark.spec("OPS-03")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('{"case_id": "b"', "Line 2"),
        ('{"log": "x"}', "case_id"),
        ('{"case_id": "a", "log": "x"}', "a"),
        ('{"case_id": "b", "log": 7}', "log"),
        ("[]", "Line 2"),
    ],
)
def test_a_malformed_case_is_named_before_any_work(row: str, expected: str, tmp_path: Path) -> None:
    cases, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    cases.write_text('{"case_id": "a", "log": "make: *** [all] Error 2"}\n' + row + "\n", encoding="utf-8")
    done = run("diagnose", "--cases", cases, "--out", out, folder=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr), done.stderr
    assert expected in done.stderr
    assert not out.exists()


@pytest.mark.spec("OPS-03")
def test_wrong_use_is_told_in_one_sentence(tmp_path: Path) -> None:
    for arguments in (("diagnose",), ("diagnose", "--cases", "x.jsonl"), ("agents", "--system", "nobody")):
        done = run(*arguments, folder=tmp_path)
        assert done.returncode == 2
        assert is_one_sentence(done.stderr), done.stderr


@pytest.mark.spec("COLLAB-10")
def test_many_logs_are_diagnosed_into_rows(tmp_path: Path) -> None:
    cases, out = tmp_path / "cases.jsonl", tmp_path / "out.jsonl"
    log = BUNDLED.read_text(encoding="utf-8")
    rows = [{"case_id": "one", "log": log, "ecosystem": "rpm"}, {"case_id": "二", "log": log, "category": "not read"}]
    cases.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    done = run("diagnose", "--cases", cases, "--out", out, "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["case_id"] for row in written] == ["one", "二"]
    for row in written:
        assert row["category"] == "missing_header"
        lines = log.splitlines()
        assert [lines[number - 1] for number in row["evidence_line_numbers"]] == row["evidence"]


@pytest.mark.spec("OPS-03")
def test_config_show_tells_where_each_value_comes_from(tmp_path: Path) -> None:
    (tmp_path / "agentactors.toml").write_text("max_in_flight = 7\n", encoding="utf-8")
    done = run("config", "show", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["max_in_flight"] == {"value": 7, "source": "agentactors.toml"}
    assert said["default_timeout_s"]["source"] == "default"
    (tmp_path / "agentactors.toml").write_text("max_in_fligth = 7\n", encoding="utf-8")
    done = run("config", "show", folder=tmp_path)
    assert done.returncode == 2
    assert "max_in_fligth" in done.stderr
