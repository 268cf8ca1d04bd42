"""From a match to what it says: culprit, deciding line and the lines that explain it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agentactors.teams.diagnosis.catalogue import Match
from agentactors.teams.diagnosis.model import EvidenceLine
from agentactors.teams.diagnosis.names import names_in
from agentactors.teams.diagnosis.rules.row import Rule
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.view import LogView

CULPRIT_LIMIT: Final = 200
_PART_LIMIT: Final = 140
_SOURCE_FILE: Final = re.compile(
    r"(?:^|[\s(\[\"'])((?:[\w.+@~-]{0,80}/){0,30}([\w.+@~-]{1,100}\.[A-Za-z]\w{0,5}))[:(]\[?\d+"
)

_DECORATION: Final = re.compile(r"(?<=[\w>])\[(?:abi:)?[^\]\s]{1,120}\]?$|(?<=\w)\[abi:\w{1,20}\]")

_JUNK: Final = frozenset({"error", "failed", "fatal", "fail", "failure", "hashes", "eintegrity", "warning"})
"""Words that name nothing: when a rule is left with one, a name in its lines is better."""


@dataclass(slots=True)
class Reading:
    """One line, read by one rule."""

    rule: Rule
    line_number: int
    culprit: str
    evidence: list[EvidenceLine]
    count: int
    second: bool = False
    """Another rule reads the same line better."""


def read_match(view: LogView, line_number: int, offset: int, match: Match, count: int) -> Reading | None:
    """Work out the culprit and the evidence of one match.

    Args:
        view: The log.
        line_number: Number of the matching line, from 1.
        offset: Where that line begins, bytes.
        match: The rule and its match.
        count: Lines of this shape in the log.

    Returns:
        The reading, or None when the rule demands a neighbouring line that is not there.
    """
    row = match.rule
    evidence = [EvidenceLine(line_number=line_number, text=quote_line(view.line_at(offset)))]
    parts: list[str] = []
    followed = preceded = False
    if row.after is not None:
        found = _search(row.after, view.lines_after(offset, row.span))
        if found:
            followed = True
            parts += found[2]
            evidence.append(EvidenceLine(line_number=line_number + 1 + found[0], text=quote_line(found[1])))
    for pattern in row.before:
        found = _search(pattern, view.lines_before(offset, row.span))
        if found and line_number - 1 - found[0] >= 1:
            preceded = True
            parts += found[2]
            evidence.append(EvidenceLine(line_number=line_number - 1 - found[0], text=quote_line(found[1])))
    if row.must and not (followed if row.after is not None else preceded):
        return None
    parts += [group for group in match.match.groups() if group]
    culprit = _join(parts) or _named(row, match.match, evidence)
    if culprit.strip(" .:'").lower() in _JUNK:
        culprit = next(
            (name for line in evidence for name in names_in(plain_text(line.text)) if name.lower() not in _JUNK),
            culprit,
        )
    if row.with_file:
        culprit = _with_file(culprit, match.match.string)
    return Reading(row, line_number, _clean(culprit)[:CULPRIT_LIMIT], evidence, count)


def _named(row: Rule, match: re.Match[str], evidence: list[EvidenceLine]) -> str:
    """Return the culprit that the rule names if the log says it too, otherwise what matched."""
    if "{0}" not in row.culprit and any(row.culprit in line.text for line in evidence):
        return row.culprit
    return match.group(0)


def _search(pattern: re.Pattern[str], lines: list[tuple[int, bytes]]) -> tuple[int, bytes, list[str]] | None:
    for distance, (_, raw) in enumerate(lines):
        match = pattern.search(plain_text(quote_line(raw)))
        if match:
            return distance, raw, [group for group in match.groups() if group]
    return None


def _join(parts: list[str]) -> str:
    kept: list[str] = []
    for part in map(_clean, parts):
        if part and not any(part in other for other in kept):
            kept.append(part[:_PART_LIMIT])
    return ", ".join(kept)


def _clean(text: str) -> str:
    return text.strip().strip("'\"`;,").rstrip(":").strip() or text.strip()[:1]


def _with_file(culprit: str, text: str) -> str:
    match = _SOURCE_FILE.search(text)
    if match is None or match.group(2) in culprit:
        return culprit
    name = match.group(2)
    return f"{culprit[: CULPRIT_LIMIT - len(name) - 3]} ({name})"


def with_plain_names(culprits: list[str]) -> list[str]:
    """Put the plain name of what carries an ABI tag or test parameters before the longer form."""
    plain = [_DECORATION.sub("", culprit) for culprit in culprits]
    longer = [culprit for culprit, name in zip(culprits, plain, strict=True) if culprit != name and _name_of(name)]
    if not longer:
        return culprits
    return [*(name if _name_of(name) else culprit for culprit, name in zip(culprits, plain, strict=True)), *longer]


def _name_of(text: str) -> str:
    return text.strip(" .,:;")


def join_culprits(culprits: list[str]) -> str:
    """Join culprits of one kind: the names of all, as far as 200 characters reach, then the file of the first."""
    heads: list[str] = []
    file = ""
    for culprit in culprits:
        head, tail = _split_file(culprit)
        file = file or tail
        if head not in heads:
            heads.append(head)
    room = CULPRIT_LIMIT - (len(file) + 3 if file else 0)
    joined = heads[0][:room] if heads else ""
    for head in heads[1:]:
        if len(joined) + 2 + len(head) <= room:
            joined += f", {head}"
    return f"{joined} ({file})" if file else joined


def _split_file(culprit: str) -> tuple[str, str]:
    head, mark, file = culprit.rpartition(" (")
    if mark and file.endswith(")") and " " not in file:
        return head, file.removesuffix(")")
    return culprit, ""


def culprit_parts(culprit: str) -> list[str]:
    """Split a culprit into the names that it joins: ``a, b (c.h)`` is a, b and c.h."""
    head, file = _split_file(culprit)
    return [part for part in [*head.split(", "), file] if part]
