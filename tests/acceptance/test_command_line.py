"""The command line as a subprocess: a mistake is one sentence and status 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentactors import Settings, __version__

COMMAND = Path(sys.executable).with_name("agentactors")


def run(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=folder,
        env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1", **environment},
    )


@pytest.mark.spec("OPS-03", "OPS-01")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("diagnose", "nowhere.log"), "nowhere.log"),
        (("diagnose",), "--cases"),
        (("diagnose", "--cases", "nowhere.jsonl", "--out", "out.jsonl"), "nowhere.jsonl"),
        (("diagnose", "."), "."),
        (("agents", "--system", "nobody"), "nobody"),
        (("nonsense",), "nonsense"),
        (("diagnose", "--nonsense"), "--nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_is_said_in_a_sentence(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stdout == ""


@pytest.mark.spec("OPS-03")
def test_a_wrong_setting_is_named_with_its_source(tmp_path: Path) -> None:
    done = run("config", "show", folder=tmp_path, AGENTACTORS_MAX_IN_FLIGHT="many")
    assert done.returncode == 2
    assert "max_in_flight" in done.stderr
    assert "AGENTACTORS_MAX_IN_FLIGHT" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.spec("OPS-01")
def test_config_show_lists_every_setting_and_its_source(tmp_path: Path) -> None:
    done = run("config", "show", "--json", folder=tmp_path, AGENTACTORS_MAX_HOPS="9")
    shown = json.loads(done.stdout)
    assert set(shown) == set(Settings.model_fields)
    assert shown["max_hops"] == {"value": 9, "source": "AGENTACTORS_MAX_HOPS"}
    assert shown["log_level"]["source"] == "default"


@pytest.mark.spec("OPS-01")
def test_each_command_explains_itself(tmp_path: Path) -> None:
    for command in ((), ("diagnose",), ("agents",), ("doctor",), ("config", "show")):
        done = run(*command, "--help", folder=tmp_path)
        assert done.returncode == 0
        assert "Usage: agentactors" in done.stdout


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert run("--version", folder=tmp_path).stdout.strip() == __version__
