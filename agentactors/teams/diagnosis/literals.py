"""Which of many literals occur in a line, at a cost that depends on the line and not on their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

_GRAM: Final = 4


def grams_of(text: str) -> set[str]:
    """Return every run of four characters of a text."""
    return {text[i : i + _GRAM] for i in range(len(text) - _GRAM + 1)}


class LiteralIndex:
    """A set of literals, found by their rarest four characters.

    A line is cut into runs of four; only literals whose rarest run is among them are searched for. Literals shorter
    than four characters are always searched for.

    Args:
        literals: The literals, none empty.
    """

    def __init__(self, literals: Iterable[str]) -> None:
        unique = tuple(dict.fromkeys(literals))
        frequency = Counter(gram for literal in unique for gram in grams_of(literal))
        self._short = [literal for literal in unique if len(literal) < _GRAM]
        self._by_gram: dict[str, list[str]] = {}
        for literal in unique:
            if len(literal) >= _GRAM:
                rarest = min(sorted(grams_of(literal)), key=frequency.__getitem__)
                self._by_gram.setdefault(rarest, []).append(literal)
        self._grams = frozenset(self._by_gram)

    def found(self, text: str, grams: set[str]) -> list[str]:
        """Return the literals that a text contains, in no particular order.

        Args:
            text: The text.
            grams: What ``grams_of`` gives for it.

        Returns:
            The literals.
        """
        likely = [literal for gram in grams & self._grams for literal in self._by_gram[gram]]
        return [literal for literal in (*self._short, *likely) if literal in text]
