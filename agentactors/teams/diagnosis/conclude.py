"""Draw the conclusion: one cause, its evidence, its fix, and how sure we are."""

from __future__ import annotations

import math
import re
from typing import Final

from agentactors.teams.diagnosis.labels import DEFAULT_FIX
from agentactors.teams.diagnosis.model import Alternative, Diagnosis, EvidenceLine, Finding, Findings, KnowledgeHit
from agentactors.teams.diagnosis.textline import plain_text

EVIDENCE_LIMIT: Final = 10
_ALTERNATIVES: Final = 4
_KNOWLEDGE: Final = 5
_BONUS: Final = 0.5
_NEAR: Final = 14.0
_GUESSES: Final = (
    ("timeout", re.compile(r"time[d -]?out|killed|stuck", re.IGNORECASE)),
    ("test_failure", re.compile(r"\btests?\b|assert", re.IGNORECASE)),
    ("missing_build_dependency", re.compile(r"depend|require|provides|package", re.IGNORECASE)),
    ("build_system_error", re.compile(r"make|cmake|meson|ninja|configure|rpm", re.IGNORECASE)),
)


def conclude(findings: Findings, hits: list[KnowledgeHit]) -> Diagnosis:
    """Turn findings and knowledge into a diagnosis.

    Deterministic; the best finding decides, and knowledge of its category lifts it over an equal. Without any
    finding the answer is an honest guess of low confidence about the last lines of the log.

    Args:
        findings: What the scan of the log found.
        hits: Entries of the knowledge base that fit the log, in any order.

    Returns:
        The diagnosis.
    """
    if not findings.findings:
        return _guess(findings, hits)
    lifted = {hit.category for hit in hits[:_KNOWLEDGE]}
    ranked = sorted(
        findings.findings,
        key=lambda f: (-(f.weight + (_BONUS if f.category in lifted else 0.0)), f.evidence[0].line_number),
    )
    best, rest = ranked[0], ranked[1:]
    knowledge = _sorted_hits(hits, best.category)
    return Diagnosis(
        stage=best.stage,
        category=best.category,
        culprit=best.culprit,
        evidence=_evidence(best, rest, findings),
        fix=_fix(best.category, best.culprit, knowledge),
        confidence=_confidence(best, rest),
        knowledge=knowledge[:_KNOWLEDGE],
        alternatives=_alternatives(best, rest),
        summary=_summary(best, findings),
    )


def _evidence(best: Finding, rest: list[Finding], findings: Findings) -> list[EvidenceLine]:
    """Deciding lines first, then lines of the same cause, then where the build ended."""
    lines = list(best.evidence)
    near = [f for f in rest if f.weight > best.weight - _NEAR]
    for finding in [f for f in near if f.category == best.category] + [f for f in near if f.stage == best.stage]:
        lines += finding.evidence
    unique = _unlike(lines)[: EVIDENCE_LIMIT - 1]
    last = findings.last_error
    return _unlike([*unique, last]) if last is not None else unique


def _unlike(lines: list[EvidenceLine]) -> list[EvidenceLine]:
    """Return the lines in their order, each text once."""
    first: dict[str, EvidenceLine] = {}
    for line in lines:
        first.setdefault(plain_text(line.text), line)
    return list(first.values())


def _confidence(best: Finding, rest: list[Finding]) -> float:
    """Logistic in weight and in the lead over the next other category."""
    rival = next((f.weight for f in rest if f.category != best.category), 0.0)
    lead = max(0.0, min(40.0, best.weight - rival))
    value = 1.0 / (1.0 + math.exp(-(0.055 * (best.weight - 82.0) + 0.05 * (lead - 4.0))))
    return round(min(0.97, max(0.05, value)), 2)


def _alternatives(best: Finding, rest: list[Finding]) -> list[Alternative]:
    known = {(best.category, best.culprit)}
    found: list[Alternative] = []
    for finding in rest:
        key = (finding.category, finding.culprit)
        if key in known or len(found) == _ALTERNATIVES:
            continue
        known.add(key)
        share = math.exp(-(best.weight - finding.weight) / 14.0) * 0.45
        found.append(
            Alternative(
                stage=finding.stage,
                category=finding.category,
                culprit=finding.culprit,
                confidence=round(max(0.01, min(0.45, share)), 2),
            )
        )
    return found


def _sorted_hits(hits: list[KnowledgeHit], category: str) -> list[KnowledgeHit]:
    return sorted(hits, key=lambda hit: (hit.category != category, -hit.score, hit.id))


def _fix(category: str, culprit: str, knowledge: list[KnowledgeHit]) -> str:
    first = DEFAULT_FIX[category].replace("{culprit}", culprit or "it")
    if knowledge and knowledge[0].category == category:
        return f"{first} {knowledge[0].fix}"
    return first


def _summary(best: Finding, findings: Findings) -> str:
    where = f" ({findings.failed_section})" if findings.failed_section else ""
    what = best.category.replace("_", " ")
    line = best.evidence[0]
    package = f" of {findings.package}" if findings.package else ""
    return f"The build{package} failed in stage {best.stage}{where}: {what}, {best.culprit} (line {line.line_number})."


def _guess(findings: Findings, hits: list[KnowledgeHit]) -> Diagnosis:
    lines = [line for line in (findings.first_error, findings.last_error) if line is not None] + findings.tail[::-1]
    unique = _unlike(lines)[:EVIDENCE_LIMIT]
    text = " ".join(line.text for line in unique)
    category = next((name for name, pattern in _GUESSES if pattern.search(text)), "source_code_error")
    culprit = (unique[0].text.strip() if unique else "")[:120]
    stage = findings.failed_stage or ("check" if category in {"test_failure", "timeout"} else "compile")
    if category == "missing_build_dependency":
        stage = "dependency-resolution"
    knowledge = _sorted_hits(hits, category)
    return Diagnosis(
        stage=stage,
        category=category,
        culprit=culprit,
        evidence=unique,
        fix=_fix(category, culprit, knowledge),
        confidence=0.08,
        knowledge=knowledge[:_KNOWLEDGE],
        alternatives=[],
        summary=f"No line of the log names a cause that is known; it ends in stage {stage}.",
    )
