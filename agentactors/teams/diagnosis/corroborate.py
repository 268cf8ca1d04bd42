"""Further lines that speak of the culprit of a finding."""

from __future__ import annotations

import re
from typing import Final

from agentactors.teams.diagnosis.frame import is_frame
from agentactors.teams.diagnosis.model import EvidenceLine, Finding
from agentactors.teams.diagnosis.reading import culprit_parts
from agentactors.teams.diagnosis.sieve import Candidate
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.view import LogView
from agentactors.teams.diagnosis.wording import error_rating

_MORE: Final = 4
_NEIGHBOURS: Final = 4
_REACH_LINES: Final = 6
_SHORTEST: Final = 3
_ECHO: Final = re.compile(
    r"^(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|libtool|ld|make|cmake|cp|mv|install|rm)(?:-[\d.]+)? +[-\w/.]|^\++ (?!%)|^(?:/usr)?/bin/"
)
_TROUBLE: Final = re.compile(
    r"error|fail|not |no$|: no\b|missing|cannot|can't|could|unable|undefined|denied|require|need|conflict|warning|Hunk|timeout|killed"
    r"|unknown|invalid|exception|abort|segfault|\*\*\*|%|错|失败|未|没有|无法",
    re.IGNORECASE,
)


def corroborated(finding: Finding, view: LogView, candidates: list[Candidate], texts: list[str]) -> Finding:
    """Add lines that report trouble and name the culprit, nearest first.

    Args:
        finding: The finding.
        view: The log.
        candidates: The candidates of the sieve.
        texts: Their plain lines, in the same order.

    Returns:
        The finding with up to eight more lines of evidence, behind those that it has.
    """
    names = [part for part in culprit_parts(finding.culprit) if len(part) >= _SHORTEST]
    known = {line.line_number for line in finding.evidence}
    at = finding.evidence[0].line_number
    places = [
        (abs(candidate.line_number - at), candidate)
        for candidate, text in zip(candidates, texts, strict=True)
        if candidate.line_number not in known
        and any(name in text for name in names)
        and _TROUBLE.search(text)
        and not _ECHO.search(text)
    ]
    offset = next((c.offset for c in candidates if c.line_number == at), None)
    nearest = [candidate for _, candidate in sorted(places, key=lambda pair: (pair[0], pair[1].line_number))[:_MORE]]
    more = [EvidenceLine(line_number=c.line_number, text=quote_line(view.line_at(c.offset))) for c in nearest]
    known |= {line.line_number for line in more}
    more += [line for line in _neighbours(view, offset, at) if line.line_number not in known][:_NEIGHBOURS]
    return finding.model_copy(update={"evidence": [*finding.evidence, *more]})


def _neighbours(view: LogView, offset: int | None, at: int) -> list[EvidenceLine]:
    """Return lines around the deciding one that sound like trouble too, those that follow first."""
    if offset is None:
        return []
    around = [(at + 1 + index, raw) for index, (_, raw) in enumerate(view.lines_after(offset, _REACH_LINES))]
    around += [(at - 1 - index, raw) for index, (_, raw) in enumerate(view.lines_before(offset, _REACH_LINES))]
    found = []
    for number, raw in around:
        quoted = quote_line(raw)
        text = plain_text(quoted)
        if number >= 1 and not is_frame(text) and not _ECHO.search(text) and error_rating(text) > 0.0:
            found.append(EvidenceLine(line_number=number, text=quoted))
    return found
