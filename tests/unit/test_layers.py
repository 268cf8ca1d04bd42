"""The layers hold: what decides works without Ray, and nothing in the package needs the test kit."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "agentactors"
WITH_RAY = {"runtime", "actors", "system"}
"""The layers that may import Ray; whoever uses them loads them when it needs them."""
DRIVERS = {"agentactors.cli.team", "agentactors.teams.diagnosis.driver", "agentactors.teams.diagnosis.plain"}
"""Modules of higher layers that run something on a system, or show what came of it, and so need one."""


def modules_without_ray() -> list[str]:
    """Return the dotted names of all modules that have to work where Ray is not installed."""
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in WITH_RAY or "migrations" in parts:  # Alembic runs migrations by path; they are no modules
            continue
        names.append(".".join(("agentactors", *parts)).removesuffix(".__init__"))
    return [name for name in names if name not in DRIVERS]


def run_without_ray(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    blocked = f"import sys\nsys.modules['ray'] = None\n{code}"
    command = [sys.executable, "-c", blocked, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=PACKAGE.parent)


@pytest.mark.spec("REACH-01")
def test_what_decides_is_importable_without_ray() -> None:
    names = modules_without_ray()
    assert {"agentactors", "agentactors.routing.decide", "agentactors.protocol.wire", "agentactors.errors"} <= {*names}
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint('all')"
    done = run_without_ray(code, *names)
    assert done.stdout == "all\n", done.stderr


def test_an_agent_can_be_written_and_read_without_ray() -> None:
    done = run_without_ray(
        "from agentactors import Agent, capability\n"
        "from agentactors.agents.spec import derive_spec\n"
        "class Poet(Agent):\n"
        "    @capability('poetry.create')\n"
        "    async def create(self, theme: str) -> str:\n"
        "        return theme\n"
        "print(derive_spec(Poet).declaration.capability_ids[0])"
    )
    assert done.stdout == "poetry.create\n", done.stderr


def test_without_ray_the_system_says_what_is_missing() -> None:
    done = run_without_ray("from agentactors import AgentSystem")
    assert done.returncode == 1
    assert "ray" in done.stderr.splitlines()[-1]


def test_ray_is_imported_in_its_layers_only() -> None:
    importers = {
        path.relative_to(PACKAGE).parts[0]
        for path in PACKAGE.rglob("*.py")
        if any(name == "ray" or name.startswith("ray.") for name in imported(path))
    }
    assert importers <= WITH_RAY


def test_nothing_imports_the_test_kit() -> None:
    importers = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] != "testing"
        and any(name.startswith("agentactors.testing") for name in imported(path))
    ]
    assert importers == []


def imported(path: Path) -> set[str]:
    """Return the names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names
