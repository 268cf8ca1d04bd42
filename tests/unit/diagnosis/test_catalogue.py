from __future__ import annotations

from collections import Counter

import pytest

from agentactors.teams.diagnosis.catalogue import RULES, is_noise, match_line
from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.labels import CATEGORIES, STAGES, STAGES_OF
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.textline import plain_text
from agentactors.teams.diagnosis.verify import verify
from tests.support.diagnosis_message import Message
from tests.support.diagnosis_messages import MESSAGES


@pytest.mark.spec("COLLAB-10")
@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.log[:50])
def test_genuine_message_is_understood(message: Message) -> None:
    log = message.log.encode()
    findings = scan(log)
    diagnosis = conclude(findings, [])
    assert diagnosis.category in message.categories
    assert not message.stage or diagnosis.stage == message.stage
    assert any(name in diagnosis.culprit for name in message.culprits), diagnosis.culprit
    verdict = verify(diagnosis, findings, log)
    assert verdict.ok, [check for check in verdict.checks if not check.ok]


def test_messages_cover_every_category() -> None:
    assert {category for message in MESSAGES for category in message.categories} == set(CATEGORIES)


def test_rule_names_are_unique_and_labels_known() -> None:
    assert [name for name, count in Counter(row.name for row in RULES).items() if count > 1] == []
    for row in RULES:
        assert row.category in CATEGORIES, row.name
        assert not row.stage or row.stage in STAGES_OF[row.category], row.name
        assert all(row.keys), row.name


def test_stage_table_names_stages_only() -> None:
    assert all(stages and stages <= set(STAGES) for stages in STAGES_OF.values())


@pytest.mark.parametrize(
    "line",
    [
        "main.c:3:4: warning: unused variable 'error' [-Wunused-variable]",
        "checking for error_at_line... no",
        "-- Could NOT find Frob (missing: FROB_LIBRARY)",
        "ok 12 - error: cannot open file is reported",
        "make[1]: [Makefile:3: clean] Error 1 (ignored)",
        "PASS: t_error: fatal error: x.h: No such file or directory",
        '   12 |   log("error: undefined reference to `x\'");',
        "+ grep -q 'error: x' log",
        'gcc -Werror=format-security -DMSG="error:" -c x.c',
        "conftest.c:12:10: fatal error: frob.h: No such file or directory",
        'echo "configure: error: frob not found"',
    ],
)
def test_noise_reports_no_cause(line: str) -> None:
    text = plain_text(line)
    assert is_noise(text)
    assert [match for match in match_line(text, set()) if not match.rule.noisy] == []


def test_kernel_module_blames_the_kernel_interface() -> None:
    line = "a.c:1:2: error: implicit declaration of function 'frob_timer' [-Wimplicit-function-declaration]"
    assert match_line(line, set())[0].rule.category == "implicit_declaration"
    assert match_line(line, {"kernel"})[0].rule.category == "dependency_api_change"
