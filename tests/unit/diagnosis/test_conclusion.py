from __future__ import annotations

from typing import Any

import pytest

from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.knowledge import excerpt, load_knowledge
from agentactors.teams.diagnosis.model import Alternative, EvidenceLine
from agentactors.teams.diagnosis.reading import culprit_parts, join_culprits
from agentactors.teams.diagnosis.report import to_markdown
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.verify import verify

LOG = b"""Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A
frob.c:1:10: fatal error: bar/baz.h: No such file or directory
compilation terminated.
make: *** [Makefile:2: frob.o] Error 1
error: Bad exit status from /var/tmp/rpm-tmp.A (%build)
"""


@pytest.mark.spec("COLLAB-08")
def test_knowledge_backs_the_conclusion() -> None:
    diagnosis = conclude(scan(LOG), load_knowledge().search(excerpt(LOG)))
    assert diagnosis.knowledge[0].category == diagnosis.category == "missing_header"
    assert diagnosis.knowledge[0].fix in diagnosis.fix
    assert "bar/baz.h" in diagnosis.summary
    assert 0.5 < diagnosis.confidence < 1


@pytest.mark.spec("COLLAB-08")
def test_verdict_holds_for_a_true_diagnosis_and_fails_for_a_forged_one() -> None:
    findings = scan(LOG)
    diagnosis = conclude(findings, [])
    assert verify(diagnosis, findings, LOG).ok
    forged: dict[str, dict[str, Any]] = {
        "evidence stands in the log": {"evidence": [EvidenceLine(line_number=3, text="made up")]},
        "culprit stands in the log": {"culprit": "never_seen.h"},
        "stage is known": {"stage": "lunch"},
        "category is known": {"category": "bad_luck"},
        "category can occur in stage": {"stage": "prep"},
        "fix is given": {"fix": " "},
        "evidence is given": {"evidence": []},
        "culprit is named": {"culprit": ""},
        "no alternative is likelier": {
            "alternatives": [Alternative(stage="link", category="timeout", culprit="x", confidence=1.0)]
        },
        "the scan found this cause": {"culprit": "Makefile"},
    }
    for name, change in forged.items():
        verdict = verify(diagnosis.model_copy(update=change), findings, LOG)
        assert not verdict.ok
        assert name in {check.name for check in verdict.checks if not check.ok}


def test_alternatives_differ_and_are_less_likely() -> None:
    log = LOG + b"/usr/bin/ld: a.o: undefined reference to `spin'\nmake: *** [a] Error 1\n"
    diagnosis = conclude(scan(log), [])
    assert diagnosis.alternatives
    assert all(a.confidence <= diagnosis.confidence for a in diagnosis.alternatives)
    assert len({(a.category, a.culprit) for a in diagnosis.alternatives}) == len(diagnosis.alternatives)


def test_deciding_line_stays_first_though_other_findings_quote_it() -> None:
    retry = "WARNING: Retrying (Retry(total=%d, connect=None)) after connection broken by 'NewConnectionError': /simple/frobtools/"
    log = "\n".join(
        [*(retry % left for left in (4, 3, 2, 1, 0)), "ERROR: No matching distribution found for frobtools>=60"]
    )
    lines = conclude(scan(log.encode()), []).evidence
    assert lines[0].line_number == 1
    assert len({line.text for line in lines}) == len(lines)


def test_culprits_are_joined_and_parted() -> None:
    joined = join_culprits(["del_timer (a.c)", "del_timer_sync (b.c)"])
    assert joined == "del_timer, del_timer_sync (a.c)"
    assert culprit_parts(joined) == ["del_timer", "del_timer_sync", "a.c"]
    assert culprit_parts("test_b (tests.A.test_b)") == ["test_b", "tests.A.test_b"]
    assert len(join_culprits(["x" * 190, "y" * 190])) <= 200


def test_report_names_everything_and_paints_nothing() -> None:
    log = b"\x1b[31ma.c:1:1: fatal error: b|`.h: No such file or directory\x1b[m\nmake: *** [a] Error 1\n"
    findings = scan(log)
    diagnosis = conclude(findings, load_knowledge().search(excerpt(log)))
    text = to_markdown(diagnosis, findings, verify(diagnosis, findings, log))
    for heading in ("# Build failure", "## Evidence", "## Fix", "## Knowledge", "## Log", "## Verification"):
        assert heading in text
    assert "\x1b" not in text
    assert to_markdown(diagnosis).endswith("\n")
