from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType

import pytest

from agentactors.teams.diagnosis.cases import check_cases, prediction_row, read_cases
from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.knowledge import excerpt, load_knowledge
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.verify import verify

DATA = Path(os.environ.get("AGENTACTORS_DATA", "/nonexistent")) / "build_failures"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="AGENTACTORS_DATA names no folder with labelled logs")


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_failure_score", DATA / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.spec("COLLAB-10")
@pytest.mark.parametrize(("name", "floor"), [("cases.dev.jsonl", 12), ("generated.dev.jsonl", 27)])
def test_labelled_logs_are_diagnosed(name: str, floor: int) -> None:
    path = DATA / name
    knowledge = load_knowledge()
    predictions = {}
    assert check_cases(path) > floor
    for case in read_cases(path):
        log = case.log_bytes()
        findings = scan(log, ecosystem=case.ecosystem, distro=case.distro)
        diagnosis = conclude(findings, knowledge.search(excerpt(log)))
        verdict = verify(diagnosis, findings, log)
        assert verdict.ok, (case.case_id, [check for check in verdict.checks if not check.ok])
        predictions[case.case_id] = prediction_row(case.case_id, diagnosis)
    score = scorer()
    gold = {row["case_id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    rows = score.score(gold, predictions)
    assert sum(row["all_four"] for row in rows.values()) >= floor
