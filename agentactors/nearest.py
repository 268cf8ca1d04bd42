"""Unknown names: what the asker may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """Return up to ``limit`` known names that look like ``name``, best first.

    The parts of a dotted name may be in another order: ``text.translation`` finds ``translation.text``.
    """
    candidates = sorted(set(known))
    reordered = ".".join(sorted(name.lower().split(".")))
    same_parts = [one for one in candidates if ".".join(sorted(one.lower().split("."))) == reordered]
    by_spelling = difflib.get_close_matches(name, candidates, n=limit, cutoff=0.5)
    return list(dict.fromkeys([*same_parts, *by_spelling]))[:limit]
