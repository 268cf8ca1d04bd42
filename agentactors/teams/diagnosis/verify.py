"""Check a diagnosis against its log, without trusting whoever wrote it."""

from __future__ import annotations

from agentactors.teams.diagnosis.labels import CATEGORIES, STAGES, STAGES_OF
from agentactors.teams.diagnosis.model import Check, Diagnosis, Findings, Verdict
from agentactors.teams.diagnosis.reading import culprit_parts
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.view import LogBytes, LogView


def verify(diagnosis: Diagnosis, findings: Findings, log: LogBytes) -> Verdict:
    """Check that a diagnosis is borne out by its log.

    Args:
        diagnosis: What was concluded.
        findings: What the scan of the same log found.
        log: The log.

    Returns:
        The verdict: known labels that go together, evidence that stands in the log at its line numbers, a culprit
        that the log names, a fix, a confidence above its alternatives', and a cause that the scan found.

    Cost: one pass to the last evidence line.
    """
    view = LogView(log)
    lines = _lines(view, {line.line_number for line in diagnosis.evidence})
    wrong = [line.line_number for line in diagnosis.evidence if lines.get(line.line_number) != line.text]
    compatible = diagnosis.stage in STAGES_OF.get(diagnosis.category, frozenset())
    missing = _absent_parts(diagnosis, view)
    rivals = [a for a in diagnosis.alternatives if a.confidence > diagnosis.confidence]
    known = not findings.findings or any(
        f.category == diagnosis.category and f.culprit == diagnosis.culprit for f in findings.findings
    )
    checks = [
        Check(
            name="stage is known",
            ok=diagnosis.stage in STAGES,
            note="" if diagnosis.stage in STAGES else diagnosis.stage,
        ),
        Check(
            name="category is known",
            ok=diagnosis.category in CATEGORIES,
            note="" if diagnosis.category in CATEGORIES else diagnosis.category,
        ),
        Check(
            name="category can occur in stage",
            ok=compatible,
            note="" if compatible else f"{diagnosis.category} in {diagnosis.stage}",
        ),
        Check(name="evidence is given", ok=bool(diagnosis.evidence)),
        Check(name="evidence stands in the log", ok=not wrong, note=f"not as quoted: lines {wrong}" if wrong else ""),
        Check(name="culprit is named", ok=bool(diagnosis.culprit.strip())),
        Check(
            name="culprit stands in the log", ok=not missing, note=f"not found: {', '.join(missing)}" if missing else ""
        ),
        Check(name="fix is given", ok=bool(diagnosis.fix.strip())),
        Check(name="no alternative is likelier", ok=not rivals, note=rivals[0].category if rivals else ""),
        Check(
            name="the scan found this cause",
            ok=known,
            note="" if known else "no finding with this category and culprit",
        ),
    ]
    return Verdict(ok=all(check.ok for check in checks), checks=checks)


def _lines(view: LogView, wanted: set[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for chunk in view.chunks():
        last = chunk.first_line + len(chunk.starts) - 1
        for number in [n for n in wanted if chunk.first_line <= n <= last]:
            offset = chunk.offset + int(chunk.starts[number - chunk.first_line])
            found[number] = quote_line(view.line_at(offset))
        if len(found) == len(wanted):
            break
    return found


def _absent_parts(diagnosis: Diagnosis, view: LogView) -> list[str]:
    """Return the parts of the culprit that the log does not hold, first asking the evidence."""
    quoted = "\n".join(plain_text(line.text) + "\n" + line.text for line in diagnosis.evidence)
    absent = [part for part in culprit_parts(diagnosis.culprit) if part not in quoted]
    if not absent:
        return []
    remaining = {part: part.encode("utf-8", "replace") for part in absent}
    for chunk in view.chunks():
        remaining = {part: raw for part, raw in remaining.items() if raw not in chunk.data}
        if not remaining:
            return []
    return list(remaining)
