"""All rules together, and the match of one line against them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agentactors.teams.diagnosis.literals import LiteralIndex, grams_of
from agentactors.teams.diagnosis.rules import (
    autotools,
    builders,
    cmake,
    compilers,
    harness,
    interfaces,
    jvm,
    languages,
    linkers,
    machine,
    python,
    resolvers,
    rpm,
    rpmspec,
    rust,
    services,
    shell,
    testing,
    web,
)
from agentactors.teams.diagnosis.rules.row import Rule

_TABLES: Final = (
    resolvers.RULES,
    machine.RULES,
    rpmspec.RULES,
    rpm.RULES,
    shell.RULES,
    autotools.RULES,
    builders.RULES,
    cmake.RULES,
    compilers.RULES,
    interfaces.RULES,
    linkers.RULES,
    python.RULES,
    rust.RULES,
    web.RULES,
    languages.RULES,
    jvm.RULES,
    testing.RULES,
    harness.RULES,
    services.RULES,
)
RULES: Final[tuple[Rule, ...]] = tuple(sorted((row for table in _TABLES for row in table), key=lambda row: -row.weight))
"""Heaviest first, so that the first match of a line is its best."""

_BY_KEY: Final[dict[str, list[int]]] = {}
for _ordinal, _row in enumerate(RULES):
    for _key in _row.keys:
        _BY_KEY.setdefault(_key, []).append(_ordinal)
_KEYS: Final = LiteralIndex(_BY_KEY)

_NOISE: Final = re.compile(
    r"^\+{1,3} |\((?:ignored|已忽略)\)|（已忽略）"  # shell trace; make went on
    r"|(?:^|[:\]] ?)(?:warning|Warning|WARNING|警告|note|附注|remark|Note|Warnung|avertissement|advertencia) ?(?:\[[^\]]{1,40}\])?: "
    r"|^\[(?:WARN|WARNING|INFO|DEBUG)\]|^(?:W|I|N|D): |^(?:hint|help|info|INFO|DEBUG|debug)\b ?:"
    r"|^[Cc]hecking .{1,200}\.\.\. ?(?:\([^)]{0,60}\) ?)?(?:no|yes|none|[\w./+-]{0,80})$|^-- |^(?:Run-time|Build-time|Program|Library|Dependency|Has header|Checking if) .{0,160}: (?:NO|YES|skipped)"
    r"|^\d{0,6} ?\| |conftest\b|^configure:\d+: |^(?:echo|printf|if|then|elif|for|case|test|\[) |^#(?:define|include|ifdef|ifndef|endif)\b|^//|^/\*"
    r"|^ok \d+|^(?:PASS|XFAIL|SKIP): |\.\.\. (?:ok|skipped|ignored)\b|\bPASSED\b|^\[ +OK +\]|^✓ | OK$"
    r"|^(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|libtool|cc1)(?:-[\d.]+)? +-|^/bin/(?:sh|bash) \S*libtool |^(?:Installing|Downloading|Get:\d+|Selecting|Unpacking|Preparing|Copying|adding|creating|copying) "
)


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that holds for a line."""

    rule: Rule
    match: re.Match[str]


def is_noise(text: str) -> bool:
    """Tell whether a plain line reports no failure: a warning, a probe, a trace, a passing test, an echoed command."""
    return _NOISE.search(text) is not None


def match_line(text: str, traits: set[str]) -> list[Match]:
    """Match one plain line against the catalogue.

    Args:
        text: The line in its plain form.
        traits: Traits of the whole log (``kernel`` ...).

    Returns:
        The best rule, and at most one more of another category, best first.
    """
    low = text.lower()
    ordinals = sorted({ordinal for key in _KEYS.found(low, grams_of(low)) for ordinal in _BY_KEY[key]})
    if not ordinals:
        return []
    noise = is_noise(text)
    found: list[Match] = []
    for row in [RULES[ordinal] for ordinal in ordinals]:
        if (noise and not row.noisy) or (row.needs and row.needs not in traits):
            continue
        match = row.pattern.search(text)
        if match is None or any(row.category == other.rule.category and not other.rule.must for other in found):
            continue
        found.append(Match(row, match))
        if len(found) == 2 and not any(other.rule.must for other in found):  # noqa: PLR2004
            break
        if len(found) > 3:  # noqa: PLR2004
            break
    return found
