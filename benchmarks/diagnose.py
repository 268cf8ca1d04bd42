"""The main job: right diagnoses on labelled logs, and one very large log in time and memory.

Labelled data comes from ``--data`` or ``AGENTACTORS_DATA``; the large log is made here, of genuine compiler
output, so that it needs none. The peer of the accuracy figures is the regex floor that comes with the data.
"""

from __future__ import annotations

import importlib.util
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import psutil

from agentactors import AgentSystem
from agentactors.config import load_settings
from agentactors.teams.diagnosis.cases import prediction_row, read_cases
from agentactors.teams.diagnosis.driver import DiagnosisTeam
from benchmarks.measure import Figure

SETS = {"real": ("cases.dev.jsonl", 12), "generated": ("generated.dev.jsonl", 27)}
BIG_BYTES = 48_000_000
DECISIVE = b"src/tables.c:41:12: error: implicit declaration of function 'reallocarray_safe' [-Wimplicit-function-declaration]\n"


async def measure(*, brief: bool, data: Path | None = None) -> list[Figure]:
    """Measure accuracy where labelled data is, and the large log in any case."""
    folder = data or (Path(os.environ["AGENTACTORS_DATA"]) if "AGENTACTORS_DATA" in os.environ else None)
    figures: list[Figure] = []
    async with AgentSystem.start(settings=load_settings(worker_logs=False)) as system:
        team = await DiagnosisTeam.assemble(system)
        if folder is not None and (folder / "build_failures").is_dir():
            for name, (file, goal) in SETS.items():
                figures.append(await _accuracy(team, folder / "build_failures", name, file, goal))
        figures += await _big(team, BIG_BYTES // 8 if brief else BIG_BYTES)
    return figures


async def _accuracy(team: DiagnosisTeam, folder: Path, name: str, file: str, goal: int) -> Figure:
    scorer, baseline = _module(folder / "score.py"), _module(folder / "baseline.py")
    gold = scorer.load([str(folder / file)])
    predictions: dict[str, dict[str, Any]] = {}
    floor: dict[str, dict[str, Any]] = {}
    for case in read_cases(folder / file):
        outcome = await team.diagnose(case.log_bytes(), ecosystem=case.ecosystem, distro=case.distro)
        assert outcome.diagnosis is not None, outcome.error
        predictions[case.case_id] = prediction_row(case.case_id, outcome.diagnosis)
        floor[case.case_id] = baseline.regex(gold[case.case_id]["log"])
    ours = sum(row["all_four"] for row in scorer.score(gold, predictions).values())
    theirs = sum(row["all_four"] for row in scorer.score(gold, floor).values())
    return Figure(
        f"diagnose.all_four_{name}",
        ours,
        f"of {len(gold)}",
        "regex floor",
        theirs,
        round(ours / max(1, theirs), 2),
        f"at least {goal}",
        ours >= goal,
        len(gold),
    )


async def _big(team: DiagnosisTeam, size_bytes: int) -> list[Figure]:
    log = b"".join(_big_log(size_bytes))
    size_bytes = len(log)
    with _Memory() as memory:
        begun = time.perf_counter()
        outcome = await team.diagnose(log)
        taken_s = time.perf_counter() - begun
    assert outcome.diagnosis is not None, outcome.error
    right = outcome.diagnosis.category == "implicit_declaration" and "reallocarray_safe" in outcome.diagnosis.culprit
    mb = size_bytes / 1e6
    # The log's bytes were in this process before; what counts is what the diagnosis adds to them.
    ratio = (memory.peak_bytes + size_bytes) / size_bytes
    return [
        Figure(
            "diagnose.big_log_s",
            round(taken_s, 2),
            f"s for {mb:.0f} MB",
            "",
            None,
            None,
            "under 10",
            taken_s < 10 and right,
        ),
        Figure("diagnose.big_log_memory", round(ratio, 2), "x its size", "", None, None, "under 3", ratio < 3),
    ]


def _big_log(size_bytes: int) -> Iterator[bytes]:
    """A ``make -k`` build: the decisive line early, then warnings without end, as real ones look."""
    head = (
        b"Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.x\n+ make -k -j4\n" + b"gcc -O2 -c src/a.c -o src/a.o\n" * 19
    )
    yield head + DECISIVE + b"make: *** [Makefile:9: src/tables.o] Error 1\n"
    written, number = len(head), 0
    while written < size_bytes:
        number += 1
        block = (
            f"gcc -O2 -Wall -c src/unit{number}.c -o src/unit{number}.o\n"
            f"src/unit{number}.c:{number % 900}:7: warning: unused variable 'error_{number}' [-Wunused-variable]\n"
            f"  {number % 900} |   int error_{number} = 0;\n      |       ^~~~~~~~\n"
        ).encode()
        written += len(block)
        yield block
    yield b"make: Target 'all' not remade because of errors.\nerror: Bad exit status from /var/tmp/rpm-tmp.x (%build)\n"


class _Memory:
    """The largest growth of memory, in all of this system's processes together, while the block runs."""

    def __enter__(self) -> Self:
        self._done = threading.Event()
        self._start = _memory_bytes()
        self.peak_bytes = 0
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            self.peak_bytes = max(self.peak_bytes, _memory_bytes() - self._start)


def _memory_bytes() -> int:
    """Proportional set size: memory that processes share counts once."""
    me = psutil.Process()
    total = 0
    for process in (me, *me.children(recursive=True)):
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
