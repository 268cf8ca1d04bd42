"""What a log seems to say where no rule knows the tool: the most error-like lines before the build stopped.

Theory of operation: whoever reads an unknown log goes to the place where the build tool says that a step failed and
reads upwards. So does this: the lines before the first stop of the failed section are rated by how much they sound
like an error and how near they stand, the best of them decides, and the most name-like word in it is the culprit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agentactors.teams.diagnosis.catalogue import is_noise
from agentactors.teams.diagnosis.frame import is_frame
from agentactors.teams.diagnosis.labels import STAGES_OF
from agentactors.teams.diagnosis.model import EvidenceLine, Finding
from agentactors.teams.diagnosis.names import names_in
from agentactors.teams.diagnosis.phases import Phases
from agentactors.teams.diagnosis.reading import CULPRIT_LIMIT
from agentactors.teams.diagnosis.sieve import Sieved
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.view import LogView
from agentactors.teams.diagnosis.wording import error_rating, is_stop, meaning_of

RULE_NAME: Final = "fallback"
_WINDOW_LINES: Final = 80
_CLUSTER_LINES: Final = 120
_EARLIER_LIMIT: Final = 400
_NEARNESS: Final = 0.15
_STRIDE_LINES: Final = 25
_FAR: Final = 1.5
_AFTER_LINES: Final = 40
_STRAIGHT_LINES: Final = 12
_BEHIND: Final = 0.4
_HEADING: Final = 0.3
_EVIDENCE: Final = 7
_CLEAR: Final = 2.4
_SAID: Final = 1.0
_WEIGHT_CLEAR: Final = 68.0
_WEIGHT_VAGUE: Final = 52.0
_WEIGHT_NONE: Final = 18.0
_NAMES: Final = 4
_OF_INTERFACE: Final = frozenset({"implicit_declaration", "compiler_error_language_change", "version_conflict"})
_SAID_BELOW: Final = 2


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    quoted: str
    text: str
    rating: float


def last_resort(view: LogView, course: Phases, sieved: Sieved, texts: list[str]) -> Finding | None:
    """Read what stands before the failure, knowing no tool.

    Args:
        view: The log.
        course: The course of the build.
        sieved: The candidates of the sieve.
        texts: Their plain lines, in the same order.

    Returns:
        A finding of low weight, or None for an empty log.

    Cost: the candidates once and at most some hundred lines of the log.
    """
    first, anchor = _anchor(course, sieved.line_count)
    lines = _window(view, sieved, first, anchor)
    known = {line.number for line in lines}
    lines += [line for line in _earlier(view, sieved, texts, first, anchor) if line.number not in known]
    if not lines:
        return None
    telling = sorted((line for line in lines if line.rating > 0.0), key=lambda line: (-line.rating, line.number))
    said: dict[str, _Line] = {}
    for line in telling:
        said.setdefault(line.text, line)
    telling = list(said.values()) or _last_output(lines)
    best = telling[0]
    if best.text.endswith(":"):
        below = sorted(
            (line for line in lines if 0 < line.number - best.number <= _SAID_BELOW), key=lambda line: line.number
        )
        telling = [best, *below, *(line for line in telling[1:] if line not in below)]
    return _finding(best, telling, lines, course)


def _last_output(lines: list[_Line]) -> list[_Line]:
    """Return what the last command of a shell trace wrote, last line first, and the command behind it."""
    command = max((line for line in lines if line.text.startswith("+")), key=lambda line: line.number, default=None)
    since = command.number if command else 0
    said = [line for line in lines if line.number > since and not is_noise(line.text) and not is_stop(line.text)]
    said.sort(key=lambda line: -line.number)
    return (said[: _EVIDENCE - 1] + ([command] if command else [])) or sorted(lines, key=lambda line: -line.number)[
        :_EVIDENCE
    ]


def _finding(best: _Line, telling: list[_Line], lines: list[_Line], course: Phases) -> Finding:
    section = course.section_at(best.number)
    where = (section.stage if section else "") or course.failed_stage
    definite = section is not None and section.definite
    hint = course.stop_stage(best.number)
    near = [line.text for line in telling[:_EVIDENCE]]
    stage, category = meaning_of(best.text, near, where=where, definite=definite, hint=hint)
    if stage not in STAGES_OF[category]:
        category = {"infrastructure": "source_or_repo_unavailable", "check": "test_failure"}.get(
            stage, "build_system_error"
        )
    if "kernel" in course.traits and category in _OF_INTERFACE:
        category = "dependency_api_change"
    weight = _WEIGHT_CLEAR if best.rating >= _CLEAR else _WEIGHT_VAGUE if best.rating >= _SAID else _WEIGHT_NONE
    return Finding(
        rule=RULE_NAME,
        stage=stage,
        category=category,
        culprit=_culprit(best, telling, lines),
        evidence=[EvidenceLine(line_number=line.number, text=line.quoted) for line in telling[:_EVIDENCE]],
        weight=weight,
    )


def _culprit(best: _Line, telling: list[_Line], lines: list[_Line]) -> str:
    """Return the names in the deciding line, or in the lines next to it, or the line itself."""
    around = sorted((line for line in lines if 0 < line.number - best.number <= 3), key=lambda line: line.number)  # noqa: PLR2004
    around = [line for line in around if line.rating > 0.0] or around
    names: list[str] = []
    order = [*around, best] if best.text.endswith(":") else [best, *around]
    for line in [*order, *telling[1:4]]:
        names += [name for name in names_in(line.text) if not any(name in other for other in names)]
        if len(names) >= 2:  # noqa: PLR2004
            break
    joined = ""
    for name in names[:_NAMES]:
        if len(joined) + len(name) + 2 <= CULPRIT_LIMIT - 20:
            joined += f", {name}" if joined else name
    return joined or best.text[:120].strip() or "unknown"


def _anchor(course: Phases, line_count: int) -> tuple[int, int]:
    """Return the first line of the failed section and the line that says that it failed."""
    first, last = course.failed_range()
    if not last and course.failed_at:
        last = course.failed_at
    stops = [stop for stop in course.stops if first <= stop <= (last or line_count)]
    if not stops:
        return first, last or line_count + 1
    if first:
        return first, stops[0]
    anchor = stops[-1]
    for stop in reversed(stops):
        if anchor - stop > _CLUSTER_LINES:
            break
        anchor = stop
    return first, anchor


def _window(view: LogView, sieved: Sieved, first: int, anchor: int) -> list[_Line]:
    """Return the lines just before the failure marker, the marker and what follows it included, without framing."""
    place = _offset_of(view, sieved, anchor)
    above = view.lines_before(place, _WINDOW_LINES) if place < view.size_bytes else view.last_lines(_WINDOW_LINES)
    block = [(anchor - 1 - index, raw) for index, (_, raw) in enumerate(above)]
    after = view.lines_after(place, _AFTER_LINES)
    block += [(anchor, view.line_at(place))] if anchor <= sieved.line_count else []
    block += [(anchor + 1 + index, raw) for index, (_, raw) in enumerate(after)] if anchor <= sieved.line_count else []
    return [line for number, raw in block if number >= max(1, first) if (line := _line(number, raw, anchor))]


def _line(number: int, raw: bytes, anchor: int) -> _Line | None:
    quoted = quote_line(raw)
    text = plain_text(quoted)
    if not text or is_frame(text):
        return None
    behind = _BEHIND if number > anchor + _STRAIGHT_LINES else 0.0
    return _Line(number, quoted, text, max(0.0, _rated(text, abs(anchor - number)) - behind))


def _rated(text: str, distance: int) -> float:
    rating = error_rating(text)
    if rating <= 0.0:
        return 0.0
    if is_stop(text):
        return 0.2
    if is_noise(text):
        return 0.0
    if text.endswith(":"):
        rating -= _HEADING
    return max(0.0, rating - min(_FAR, _NEARNESS * (distance // _STRIDE_LINES)))


def _earlier(view: LogView, sieved: Sieved, texts: list[str], first: int, anchor: int) -> list[_Line]:
    """Return error-like candidates of the failed section that stand further up."""
    if not first:
        return []
    found: list[_Line] = []
    for candidate, text in zip(sieved.candidates, texts, strict=True):
        if first <= candidate.line_number < anchor - _WINDOW_LINES and text and not is_frame(text):
            rating = _rated(text, anchor - candidate.line_number)
            if rating > 0.0:
                found.append(_Line(candidate.line_number, quote_line(view.line_at(candidate.offset)), text, rating))
                if len(found) == _EARLIER_LIMIT:
                    break
    return found


def _offset_of(view: LogView, sieved: Sieved, number: int) -> int:
    """Return where a line begins: a stop is always a candidate; otherwise the end of the log is meant."""
    for candidate in sieved.candidates:
        if candidate.line_number == number:
            return candidate.offset
        if candidate.last_line_number == number:
            return candidate.last_offset
    return view.size_bytes
