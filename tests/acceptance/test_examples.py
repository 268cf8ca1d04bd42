"""The examples run as a stranger runs them, and print what they are there to show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        cwd=folder,
    )


@pytest.mark.spec("REACH-23", "REACH-15")
def test_the_translator_translates_the_poem_that_the_poet_has_written(tmp_path: Path) -> None:
    done = run("poet_translator.py", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "agent.poet.v2:",
        "《秋天》",
        "在自由的风里",
        "我写下关于秋天的句子。",
        "",
        "agent.translator:",
        "Autumn",
        "In the free wind",
        "I write lines about autumn.",
    ]
    assert done.stderr == ""


@pytest.mark.spec("REACH-23")
def test_the_two_calls_are_those_of_the_specification() -> None:
    text = (EXAMPLES / "poet_translator.py").read_text(encoding="utf-8")
    assert '{"query": "帮我写一首关于秋天的诗", "capability": "poetry.create"}' in text
    assert (
        '{"query": "把刚才那首诗翻译成英文", "capability": "translation.text", "context_refer": r1.request_id}' in text
    )
    assert len(text.splitlines()) < 80


@pytest.mark.spec("COLLAB-10")
def test_the_team_diagnoses_the_bundled_log_from_python(tmp_path: Path) -> None:
    done = run("build_diagnosis.py", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "lzo/lzo1x.h" in done.stdout
