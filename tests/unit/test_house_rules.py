"""Rules of the house that no linter knows. Each reads the files of the repository as text or as a syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("agentactors", "tests", "benchmarks", "examples", "docs")
MAX_LINES = 500
GENUINE_LOGS = {
    path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / "support").glob("diagnosis_*messages.py")
}
"""Tables of what build tools have printed, and hardly a statement: the only modules that may be longer."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
MARKS = re.compile(r"(RAY|REACH|COLLAB|COORD|SUB|HUB|RUN|OPS|PERF|AESTH)-\d\d")
UNDONE = re.compile(r"(#|//|<!--|\")\s*(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b")
ELSEWHERE = re.compile(
    r"/(work|root|Users)/|cl[a]ude|anthr[o]pic|chat[g]pt|cop[i]lot|AEST[H]ETICS|DESI[G]N\.md|BASELI[N]ES",
    re.IGNORECASE,
)
"""Paths of one machine, and names that say how a file came about instead of what it does."""
TEXT_SUFFIXES = {".py", ".md", ".toml", ".txt", ".yaml", ".yml", ".cfg", ".json"}


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def text_files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in TEXT_SUFFIXES)
    yield from (ROOT / "Makefile", ROOT / ".ci" / "run")
    for folder in (*CODE_FOLDERS, "deployments", "cluster"):
        yield from (
            path
            for path in (ROOT / folder).rglob("*")
            if path.suffix in TEXT_SUFFIXES and named(path) not in GENUINE_LOGS
        )


def named(path: Path, line: int | None = None) -> str:
    where = path.relative_to(ROOT).as_posix()
    return where if line is None else f"{where}:{line}"


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield (dotted name, node) of every call of a plain dotted name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def test_no_module_is_too_long() -> None:
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*CODE_FOLDERS)}
    assert {name for name, length in lengths.items() if length > MAX_LINES} <= GENUINE_LOGS


def test_no_module_has_a_vague_name() -> None:
    vague = [
        named(p) for p in python_files(*CODE_FOLDERS) if {*p.relative_to(ROOT).with_suffix("").parts} & VAGUE_NAMES
    ]
    assert vague == []


def test_tests_wait_for_events_and_not_for_time() -> None:
    """``asyncio.sleep(0)`` waits for nothing; ``tests/support`` holds the one polling loop; agents may dawdle."""
    waits = [
        named(path, node.lineno)
        for path in python_files("tests")
        if path.parent.name != "support"
        for name, node in calls(path)
        if name in ("time.sleep", "asyncio.sleep")
        and [ast.unparse(one) for one in node.args] != ["0"]
        and not any(first <= node.lineno <= last for first, last in actor_classes(path))
    ]
    assert waits == []


def actor_classes(path: Path) -> list[tuple[int, int]]:
    """Return the first and last line of each class that holds no tests: an agent or an actor."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not node.name.startswith("Test")]
    return [(node.lineno, node.end_lineno or node.lineno) for node in classes]


def test_nothing_is_left_undone() -> None:
    left = [
        named(path, number)
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if UNDONE.search(line)
    ]
    assert left == []


def test_no_error_is_swallowed() -> None:
    """``except Exception: pass``, and its bare form, hide what went wrong."""
    swallowed = [
        named(path, node.lineno)
        for path in python_files(*CODE_FOLDERS)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and all(isinstance(one, ast.Pass | ast.Continue) for one in node.body)
    ]
    assert swallowed == []


def test_ray_is_always_told_which_cluster() -> None:
    """A bare ``ray.init()`` joins whatever cluster runs on the machine."""
    bare = [
        named(path, node.lineno)
        for path in python_files(*CODE_FOLDERS)
        for name, node in calls(path)
        if name == "ray.init" and "address" not in {keyword.arg for keyword in node.keywords}
    ]
    assert bare == []


def test_the_environment_is_read_in_one_module() -> None:
    """Ray's own switches are set, never read, where Ray is started."""
    readers = [
        named(path, node.lineno)
        for path in python_files("agentactors")
        for name, node in calls(path)
        if name in ("os.getenv", "os.environ.get") and path.name != "config.py"
    ]
    assert readers == []


def test_the_project_speaks_of_itself_alone() -> None:
    found = [
        f"{named(path, number)}: {match[0]}"
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := ELSEWHERE.search(line))
    ]
    assert found == []


def spec_marks() -> Iterator[tuple[str, ast.expr]]:
    for path in python_files("tests"):
        for name, node in calls(path):
            if name == "pytest.mark.spec":
                assert node.args, f"{named(path, node.lineno)}: a spec mark names at least one row"
                yield from ((named(path, one.lineno), one) for one in node.args)


def test_every_spec_mark_names_a_row() -> None:
    wrong = [
        where
        for where, one in spec_marks()
        if not (isinstance(one, ast.Constant) and isinstance(one.value, str) and MARKS.fullmatch(one.value))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "found"),
    [("see /" + "work/x", True), ("/etc/hosts", False), ("import cl" + "aude", True), ("the framework", False)],
)
def test_the_pattern_for_foreign_words(line: str, found: bool) -> None:
    assert bool(ELSEWHERE.search(line)) is found
