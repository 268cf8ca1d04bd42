"""The knowledge base: entries on causes and fixes, and the search for those that fit a log."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.catalogue import is_noise
from agentactors.teams.diagnosis.model import KnowledgeEntry, KnowledgeHit
from agentactors.teams.diagnosis.sieve import Candidate, sieve
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.view import LogBytes, LogView

SHIPPED: Final = "knowledge_base.jsonl"
_WORD: Final = re.compile(r"[a-z][a-z0-9+_.-]{1,40}[a-z0-9+]|[a-z]{2,}")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_K1, _B = 1.2, 0.6
"""Saturation and length normalisation of BM25, at their customary values."""
_SYMPTOM_SCORE: Final = 6.0
_LINE_CHARACTERS: Final = 300
_QUERY_WEIGHT: Final = 1.5
_EXCERPT_WEIGHT: Final = 0.35
_TELLING: Final = re.compile(
    r"error|ERROR|Error|FAIL|fail|fatal|undefined|not found|No such|cannot|Cannot|unable|Unable|missing|denied|conflict|requires|needed by|"
    r"nothing provides|No match|Killed|[Tt]imed? ?out|TIMEOUT|space|memory|Hunk|Reversed|unpackaged|错误|失败|没有|未|无法|拒绝"
)


@dataclass(frozen=True, slots=True)
class _Indexed:
    entry: KnowledgeEntry
    symptoms: tuple[re.Pattern[str], ...]
    terms: Counter[str]
    length: int


def _terms(text: str) -> list[str]:
    """Cut text into words, and Chinese text into pairs of characters."""
    low = text.lower()
    words = _WORD.findall(low)
    for run in _HAN.findall(low):
        words += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return words


class KnowledgeBase:
    """Entries with an index over them; immutable.

    Args:
        entries: The entries, ids unique.
        source: Name of the file they come from, given with every hit.
    """

    def __init__(self, entries: list[KnowledgeEntry], source: str) -> None:
        self.entries: tuple[KnowledgeEntry, ...] = tuple(entries)
        self.source: str = source
        self._indexed = [_index(entry) for entry in entries]
        self._average = sum(item.length for item in self._indexed) / max(1, len(self._indexed))
        self._document_count = Counter(term for item in self._indexed for term in set(item.terms))

    def search(self, log_excerpt: str, *, query: str = "", limit: int = 5) -> list[KnowledgeHit]:
        """Find the entries that fit a log.

        A symptom that matches a line counts most, the more so the fewer lines it matches elsewhere; words of the
        query and of the excerpt add to it (BM25; Chinese by pairs of characters). Deterministic.

        Args:
            log_excerpt: Telling lines of the log, as ``excerpt`` gives them; may be empty.
            query: What somebody asks in words, English or Chinese; may be empty.
            limit: Most hits, at least 1.

        Returns:
            Hits with a score above zero, best first, ties by id.

        Cost: entries times lines of the excerpt; some milliseconds for 100 by 200.
        """
        lines = [plain_text(line)[:_LINE_CHARACTERS] for line in log_excerpt.splitlines()]
        lines = [line for line in lines if line]
        asked, read = Counter(_terms(query)), Counter(_terms("\n".join(lines)))
        scored = []
        for item in self._indexed:
            score = _symptom_score(item, lines)
            score += _QUERY_WEIGHT * self._bm25(item, asked) + _EXCERPT_WEIGHT * self._bm25(item, read)
            if score > 0.0:
                scored.append((-round(score, 4), item.entry.id, item.entry))
        return [
            self._hit(entry, -score) for score, _, entry in sorted(scored, key=lambda row: row[:2])[: max(1, limit)]
        ]

    def _bm25(self, item: _Indexed, query: Counter[str]) -> float:
        total = 0.0
        for term in query:
            frequency = item.terms.get(term, 0)
            if frequency:
                holders = self._document_count[term]
                rarity = math.log(1.0 + (len(self._indexed) - holders + 0.5) / (holders + 0.5))
                norm = frequency + _K1 * (1.0 - _B + _B * item.length / self._average)
                total += rarity * frequency * (_K1 + 1.0) / norm
        return total

    def _hit(self, entry: KnowledgeEntry, score: float) -> KnowledgeHit:
        return KnowledgeHit(
            id=entry.id,
            title=entry.title,
            title_zh=entry.title_zh,
            category=entry.category,
            score=score,
            fix=entry.fix,
            cause=entry.cause,
            source=self.source,
        )


def _index(entry: KnowledgeEntry) -> _Indexed:
    terms = Counter(
        _terms(" ".join((entry.title, entry.title_zh, entry.cause, *entry.tags, entry.category.replace("_", " "))))
    )
    return _Indexed(entry, tuple(re.compile(symptom) for symptom in entry.symptoms), terms, sum(terms.values()))


def _symptom_score(item: _Indexed, lines: list[str]) -> float:
    """Score the symptoms that occur; the longer the match, the more it tells."""
    total = 0.0
    for symptom in item.symptoms:
        match = next((found for found in map(symptom.search, lines) if found), None)
        if match:
            total += _SYMPTOM_SCORE * min(1.0, 0.3 + len(match.group(0)) / 40.0)
    return total / math.sqrt(max(1, len(item.symptoms)))


def load_knowledge(path: Path | None = None) -> KnowledgeBase:
    """Load a knowledge base.

    Args:
        path: A JSON-lines file; None for the one that ships with the package.

    Returns:
        The knowledge base.

    Raises:
        InputInvalid: The file cannot be read, or a row is not an entry; names file and line.
    """
    name = str(path) if path else SHIPPED
    try:
        text = (path or resources.files(__package__).joinpath(SHIPPED)).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"The knowledge base {name} cannot be read ({error}): give a UTF-8 file of JSON lines."
        raise InputInvalid(msg, {"path": name}) from error
    entries: list[KnowledgeEntry] = []
    known: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        entry = _entry(name, number, line)
        if entry.id in known:
            msg = f"The knowledge base {name} has the id {entry.id} twice, again in line {number}: make ids unique."
            raise InputInvalid(msg, {"path": name, "line": number})
        known.add(entry.id)
        entries.append(entry)
    return KnowledgeBase(entries, Path(name).name)


def _entry(name: str, number: int, line: str) -> KnowledgeEntry:
    try:
        entry = KnowledgeEntry.model_validate(json.loads(line))
        for symptom in entry.symptoms:
            re.compile(symptom)
    except (ValueError, ValidationError, re.error, RecursionError) as error:
        reason = str(error).splitlines()[0]
        msg = f"Line {number} of the knowledge base {name} is not an entry ({reason}): correct it."
        raise InputInvalid(msg, {"path": name, "line": number}) from error
    return entry


def excerpt(log: LogBytes, *, limit_lines: int = 200) -> str:
    """Pick the telling lines of a log.

    Args:
        log: The log, any contiguous bytes.
        limit_lines: Most lines, at least 1.

    Returns:
        Lines that report trouble, half of them the first and half the last ones, in log order, plain.

    Cost: one pass over the bytes, about 50 ms per megabyte of an ordinary log.
    """
    view = LogView(log)
    candidates = sieve(view).candidates
    first = limit_lines - limit_lines // 2
    chosen = dict(islice(_telling(view, candidates), first))
    chosen.update(islice(_telling(view, reversed(candidates)), limit_lines - first))
    if not chosen:
        return "\n".join(plain_text(quote_line(raw)) for _, raw in view.tail(min(20, limit_lines)))
    return "\n".join(chosen[number] for number in sorted(chosen))


def _telling(view: LogView, candidates: Iterable[Candidate]) -> Iterator[tuple[int, str]]:
    for candidate in candidates:
        text = plain_text(quote_line(view.line_at(candidate.offset)))
        if _TELLING.search(text) and not is_noise(text):
            yield candidate.line_number, text[:_LINE_CHARACTERS]
