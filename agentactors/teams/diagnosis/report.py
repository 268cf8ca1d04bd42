"""Write a diagnosis down for people."""

from __future__ import annotations

from agentactors.teams.diagnosis.model import Diagnosis, Findings, Verdict


def to_markdown(diagnosis: Diagnosis, findings: Findings | None = None, verdict: Verdict | None = None) -> str:
    """Write a diagnosis as Markdown.

    Args:
        diagnosis: The diagnosis.
        findings: What the scan found; adds the facts about the log.
        verdict: The verdict; adds what does not hold.

    Returns:
        The text, ending in a line end. Log lines stand in a code block, whatever they hold.
    """
    parts = [_head(diagnosis), _evidence(diagnosis), f"## Fix\n\n{diagnosis.fix}\n"]
    if diagnosis.knowledge:
        parts.append(
            "## Knowledge\n\n"
            + "".join(
                f"- {hit.id} {hit.title} ({hit.title_zh}; score {hit.score:.2f}, {hit.source}): {hit.fix}\n"
                for hit in diagnosis.knowledge
            )
        )
    if diagnosis.alternatives:
        parts.append(
            "## Alternatives\n\n"
            + "".join(
                f"- {a.category} in {a.stage}: {_code(a.culprit)} ({a.confidence:.0%})\n"
                for a in diagnosis.alternatives
            )
        )
    if findings is not None:
        parts.append(_facts(findings))
    if verdict is not None:
        failed = [check for check in verdict.checks if not check.ok]
        lines = "".join(f"- {check.name}: {check.note or 'does not hold'}\n" for check in failed)
        parts.append("## Verification\n\n" + (lines or f"All {len(verdict.checks)} checks hold.\n"))
    return "\n".join(parts)


def _head(diagnosis: Diagnosis) -> str:
    return (
        f"# Build failure: {diagnosis.category}\n\n{diagnosis.summary}\n\n"
        f"| field | value |\n| --- | --- |\n| stage | {diagnosis.stage} |\n| category | {diagnosis.category} |\n"
        f"| culprit | {_code(diagnosis.culprit)} |\n| confidence | {diagnosis.confidence:.0%} |\n"
    )


def _evidence(diagnosis: Diagnosis) -> str:
    lines = "\n".join(f"    {line.line_number:>8}  {_printable(line.text)}" for line in diagnosis.evidence)
    return f"## Evidence\n\n{lines or '    (none)'}\n"


def _facts(findings: Findings) -> str:
    facts = [f"{findings.line_count} lines, {findings.size_bytes} bytes"]
    facts += [
        f"{name}: {value}"
        for name, value in (
            ("distribution", findings.distro),
            ("package", findings.package),
            ("failed part", findings.failed_section),
            ("build world", findings.ecosystem),
        )
        if value
    ]
    return "## Log\n\n" + "".join(f"- {fact}\n" for fact in facts)


def _code(text: str) -> str:
    """Quote a name so that no sign in it is taken for markup."""
    return "`" + _printable(text).replace("`", "'").replace("|", "\\|") + "`"


def _printable(text: str) -> str:
    """Take out control characters: a log must not paint the reader's terminal."""
    return "".join(sign if sign == "\t" or sign.isprintable() else "\ufffd" for sign in text)
