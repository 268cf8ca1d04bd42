"""The shape of one rule, and the constructor that the tables use.

Theory of operation: a rule is data. ``keys`` are lower-case literals of which at least one must stand in the line
before ``pattern`` is tried, which is what keeps some hundreds of rules affordable. Patterns see a line in its
plain form (see ``textline.plain_text``): no time stamp, no colour, outer blanks gone, every quotation mark one of
``'`` and ``"``. The capturing groups that match are the culprit, joined by a comma. Patterns must run in
time linear in the line: no nested repetition, gaps bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

DECISIVE: Final = 100.0
"""Nothing else explains the failure better: the disk is full, the compiler was killed."""
STRONG: Final = 85.0
"""Names the cause and is fatal wherever it stands."""
GOOD: Final = 70.0
"""Names the cause; now and then a consequence of something said before."""
FAIR: Final = 55.0
"""Fatal, but only half of the story."""
WEAK: Final = 38.0
"""A general report of failure."""
TRACE: Final = 20.0
"""Only good when there is nothing else."""

ERROR_WORD: Final = r"(?:error|错误|錯誤|Fehler|erreur|ошибка|エラー|erro|errore|fatal error|致命错误) ?: "
"""Expression for what compilers begin an error with, in the languages that they speak."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One message of one tool, and what it means."""

    name: str
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    category: str
    stage: str
    """Stage, or empty for the part of the build in which the line stands."""
    weight: float
    soft: bool
    """The line may be harmless: it counts in full only shortly before the build stops."""
    noisy: bool
    """Tried on lines that look like noise (warnings, shell traces, passing tests) as well."""
    after: re.Pattern[str] | None
    """Searched in the lines that follow; its groups are a better culprit."""
    before: tuple[re.Pattern[str], ...]
    """Each searched in the lines before, nearest first."""
    must: bool
    """Without a match of ``after`` or ``before`` the rule does not hold."""
    span: int
    """How many lines ``after`` and ``before`` look at."""
    culprit: str
    """Culprit when no group matches; ``{0}`` is the matched text."""
    with_file: bool
    """Put the source file that the line names behind the culprit."""
    needs: str
    """Trait of the log without which the rule does not hold (``kernel`` ...)."""


def rule(  # noqa: PLR0917 - one row of a table, in the order of its columns
    name: str,
    key: str,
    pattern: str,
    category: str,
    stage: str = "",
    weight: float = GOOD,
    *,
    soft: bool = False,
    noisy: bool = False,
    after: str = "",
    before: str | tuple[str, ...] = (),
    must: bool = False,
    span: int = 12,
    culprit: str = "{0}",
    with_file: bool = False,
    needs: str = "",
) -> Rule:
    """Make one row.

    Args:
        name: Unique name, tool first.
        key: Literals in lower case, parted by ``|``; one of them must be in the line.
        pattern: Regular expression for the plain line; groups are the culprit.
        category: Root-cause category.
        stage: Build stage; empty for "where the line stands".
        weight: Rank, see the constants above.
        soft: Counts in full only near the end of the build.
        noisy: Tried on lines that look like noise, too.
        after: Expression for the following lines.
        before: Expression for the preceding lines, or several, each with an answer of its own.
        must: Whether ``after`` or ``before`` has to match.
        span: Lines that ``after`` and ``before`` may look at.
        culprit: Culprit when no group matches.
        with_file: Name the source file as well.
        needs: Trait of the log that the rule needs.

    Returns:
        The row, its patterns compiled.
    """
    return Rule(
        name=name,
        keys=tuple(key.split("|")),
        pattern=re.compile(pattern),
        category=category,
        stage=stage,
        weight=weight,
        soft=soft,
        noisy=noisy,
        after=re.compile(after) if after else None,
        before=tuple(map(re.compile, (before,) if isinstance(before, str) else before)),
        must=must,
        span=span,
        culprit=culprit,
        with_file=with_file,
        needs=needs,
    )
