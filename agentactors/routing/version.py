"""Versions of agents, and ranges of them such as ``>=1.0,<2.0``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from agentactors.errors import InputInvalid

Version = tuple[int, int, int]

_VERSION: Final = re.compile(r"\d{1,9}(\.\d{1,9}){0,2}")
_CLAUSE: Final = re.compile(r"\s*(>=|<=|==|!=|>|<|=)?\s*(\d{1,9}(?:\.\d{1,9}){0,2})\s*")
_COMPARE: Final[Mapping[str, Callable[[Version, Version], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "=": operator.eq,
    "": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


def parse_version(text: str) -> Version:
    """Return the three numbers of a version; those that it does not give are 0.

    Raises:
        InputInvalid: It is no version.
    """
    if not _VERSION.fullmatch(text):
        raise InputInvalid(f"{text[:80]!r} is no version: write 1, 1.2 or 1.2.3.", {"path": "version"})
    major, minor, patch = [*map(int, text.split(".")), 0, 0][:3]
    return major, minor, patch


def parse_range(text: str) -> Callable[[Version], bool]:
    """Return the test that a range such as ``>=1.0,<2.0`` stands for; every clause must hold, none: any version.

    Raises:
        InputInvalid: It is no range.
    """
    clauses: list[tuple[Callable[[Version, Version], bool], Version]] = []
    for clause in text.split(",") if text.strip() else ():
        found = _CLAUSE.fullmatch(clause)
        if found is None:
            raise InputInvalid(
                f"{text[:80]!r} is no range of versions: write clauses such as >=1.0,<2.0.", {"path": "version_range"}
            )
        clauses.append((_COMPARE[found[1] or ""], parse_version(found[2])))
    return lambda version: all(compare(version, bound) for compare, bound in clauses)
