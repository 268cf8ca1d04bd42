"""The wheel holds everything that the package needs, and works where only the wheel is."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment},
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the package from the wheel alone; its dependencies come from this environment."""
    folder = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet")
    done = run(*pip, "--no-deps", "--no-index", "--target", folder, wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("agentactors/")}
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "agentactors").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == package
    assert {"agentactors/py.typed", "agentactors/teams/diagnosis/knowledge_base.jsonl"} <= inside
    assert any(name.startswith("agentactors/store/migrations/versions/0001") for name in inside)
    assert any(name.startswith("agentactors/teams/diagnosis/data/") and ".log" in name for name in inside)


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (folder,) = {name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        metadata = archive.read(f"{folder}/METADATA").decode()
        assert "License-Expression: Apache-2.0" in metadata
        assert f"{folder}/licenses/LICENSE" in archive.namelist()
        assert archive.read(f"{folder}/entry_points.txt").decode().split() == [
            "[console_scripts]",
            "agentactors",
            "=",
            "agentactors.cli.main:main",
        ]


def test_it_imports_from_the_wheel_alone(installed: Path) -> None:
    code = "import agentactors; print(agentactors.__file__); print(agentactors.__version__, agentactors.Agent.__name__)"
    done = run(sys.executable, "-c", code, cwd=installed, PYTHONPATH=str(installed))
    where, what = done.stdout.splitlines()
    assert Path(where).is_relative_to(installed)
    assert what == "0.1.0 Agent"
    assert done.stderr == ""


def test_the_command_runs_from_the_wheel_alone(installed: Path) -> None:
    done = run(sys.executable, installed / "bin" / "agentactors", "--help", cwd=installed, PYTHONPATH=str(installed))
    assert done.returncode == 0, done.stderr
    assert {"diagnose", "agents", "doctor", "config"} <= {*done.stdout.replace("│", " ").split()}


def test_the_rules_and_the_knowledge_base_load_from_the_wheel_alone(installed: Path) -> None:
    code = (
        "import agentactors; from agentactors.teams.diagnosis.knowledge import load_knowledge;"
        "print(len(load_knowledge().search('fatal error: zlib.h: No such file or directory')) > 0)"
    )
    done = run(sys.executable, "-c", code, cwd=installed, PYTHONPATH=str(installed))
    assert done.stdout == "True\n", done.stderr
