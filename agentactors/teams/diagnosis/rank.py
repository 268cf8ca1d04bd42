"""Which of the readings is the cause.

Theory of operation: a rule's weight says how telling a line is by itself; the rest is the course of the build. What
stands in the section that the build tool names as failed counts more than what stands elsewhere. A line shortly
before something stopped ("make: *** ... Error 1") counts more than one after which the build went on for long, and
of several stops the first in its section counts most, since with ``make -k`` or parallel jobs the rest follows.
"""

from __future__ import annotations

import math
from typing import Final

from agentactors.teams.diagnosis.model import EvidenceLine, Finding
from agentactors.teams.diagnosis.phases import Phases
from agentactors.teams.diagnosis.reading import Reading, join_culprits, with_plain_names
from agentactors.teams.diagnosis.rules.row import DECISIVE, Rule

_INSIDE: Final = 12.0
_BEFORE: Final = -35.0
_BEHIND: Final = -8.0
_STOP_BONUS: Final = 16.0
_STOP_REACH_LINES: Final = 60.0
_FAR_LINES: Final = 150
_NEARBY_LINES: Final = 40
_SOFT_FAR: Final = -32.0
_SOFT_NEARBY: Final = -12.0
_SECOND: Final = -25.0
_IN_TEST_OUTPUT: Final = 10.0
_OF_COMPILING: Final = frozenset(
    {
        "source_code_error",
        "dependency_api_change",
        "compiler_error_language_change",
        "implicit_declaration",
        "undefined_reference",
        "build_system_error",
        "missing_source_file",
        "permission",
    }
)
_ENDS_AT_ONCE: Final = frozenset({"dependency-resolution", "infrastructure"})
"""After a fatal error of these stages nothing more is built, so one that the build survived was not fatal."""
_LATER_LIMIT: Final = 10.0
_MERGED_EVIDENCE: Final = 6
_NAMED_OTHERWISE: Final = 3
_NAMED: Final = {"test_failure": 5, "missing_header": 1, "source_code_error": 1, "permission": 1, "out_of_memory": 1}
"""How many culprits of one kind are named."""
_OVERRIDDEN: Final = frozenset({"prep", "install", "check"})


def stage_of(row: Rule, course: Phases, line_number: int) -> str:
    """Return the stage of a reading: the rule's own, unless the section in which the line stands knows better."""
    section = course.section_at(line_number)
    where = section.stage if section else ""
    if not where and course.failed_stage:
        where = course.failed_stage
    if row.stage == "compile" and where in _OVERRIDDEN and (section is None or section.definite):
        return where
    if row.stage:
        return row.stage
    if where in {"", "compile"} or (section and not section.definite):
        return course.stop_stage(line_number) or where or "compile"
    return where


def weight_of(reading: Reading, course: Phases, line_count: int, nearest: int | None = None) -> float:
    """Return the rank of a reading in this log.

    Args:
        reading: The reading.
        course: The course of the build.
        line_count: Lines in the log.
        nearest: Lines to the stop from the nearest reading of the same rule before the same stop: a list of like
            errors stands or falls together.

    Returns:
        The rank.
    """
    row, number = reading.rule, reading.line_number
    first, last = course.failed_range()
    weight = row.weight + (_SECOND if reading.second else 0.0)
    if first:
        if number < first:
            weight += _BEFORE
        else:
            weight += _INSIDE if number <= last else _BEHIND
    distance = course.lines_to_stop(number)
    to_end = line_count - number
    gap = to_end if distance is None else distance
    if nearest is not None:
        gap = min(gap, nearest)
    weight += _STOP_BONUS / (1.0 + gap / _STOP_REACH_LINES)
    if row.soft or row.stage in _ENDS_AT_ONCE:
        if gap > _FAR_LINES and to_end > _FAR_LINES:
            weight += _SOFT_FAR
        elif gap > _NEARBY_LINES:
            weight += _SOFT_NEARBY
    later = course.stops_before(number, max(first, 1)) if number > first else 0
    if later and row.weight < DECISIVE:
        weight -= min(_LATER_LIMIT, 3.0 * math.log2(1 + later))
    section = course.section_at(number)
    if section and section.stage == "check" and section.definite and row.category in _OF_COMPILING:
        # What a test prints is rarely why the build failed; what the runner says about the test is.
        weight -= _IN_TEST_OUTPUT
    return round(weight, 3)


def merged(readings: list[Reading], course: Phases, line_count: int) -> list[Finding]:
    """Turn readings into findings: one for each rule and stop, best first, earlier first among equals.

    What one rule says several times before the same stop (three symbols undefined, two tests failed) becomes one
    finding that names the first few.
    """
    groups: dict[tuple[str, int, bool], list[Reading]] = {}
    for reading in sorted(readings, key=lambda r: r.line_number):
        groups.setdefault((reading.rule.name, course.stop_index(reading.line_number), reading.second), []).append(
            reading
        )
    found = [_finding(group, course, line_count) for group in groups.values()]
    found.sort(key=lambda finding: (-finding.weight, finding.evidence[0].line_number))
    best: dict[tuple[str, str], Finding] = {}
    for finding in found:
        best.setdefault((finding.category, finding.culprit), finding)
    return list(best.values())


def _finding(group: list[Reading], course: Phases, line_count: int) -> Finding:
    first = group[0]
    last_gap = course.lines_to_stop(group[-1].line_number)
    nearest = line_count - group[-1].line_number if last_gap is None else last_gap
    limit = _NAMED.get(first.rule.category, _NAMED_OTHERWISE)
    chosen: list[Reading] = []
    for reading in group:
        if len(chosen) < limit and reading.culprit not in {known.culprit for known in chosen}:
            chosen.append(reading)
    evidence = list(first.evidence)
    for reading in chosen[1:] + group[1:]:
        if len(evidence) < _MERGED_EVIDENCE:
            evidence = _joined(evidence, reading.evidence)
    return Finding(
        rule=first.rule.name,
        stage=stage_of(first.rule, course, first.line_number),
        category=first.rule.category,
        culprit=join_culprits(with_plain_names([reading.culprit for reading in chosen])) or first.rule.name,
        evidence=evidence,
        weight=weight_of(first, course, line_count, nearest),
        count=sum(reading.count for reading in group),
    )


def _joined(first: list[EvidenceLine], second: list[EvidenceLine]) -> list[EvidenceLine]:
    known = {line.line_number for line in first}
    return [*first, *(line for line in second if line.line_number not in known)]
