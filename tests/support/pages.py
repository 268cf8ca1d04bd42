"""The written pages, and the examples in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A Python example, and what the text block that follows it says that it prints."""

    page: str
    line: int
    code: str
    prints: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Return every page of the repository."""
    folders = ("docs", "cluster", "deployments")
    return sorted([*ROOT.glob("*.md"), *(page for folder in folders for page in (ROOT / folder).glob("*.md"))])


def examples(page: Path) -> Iterator[Example]:
    """Yield the Python examples of a page."""
    text = page.read_text(encoding="utf-8")
    blocks = list(_FENCE.finditer(text))
    for block, after in zip_longest(blocks, blocks[1:]):
        if block[1] != "python":
            continue
        follows = after is not None and after[1] == "text" and not text[block.end() : after.start()].strip()
        prints = after[2] if after is not None and follows else ""
        line = text.count("\n", 0, block.start(2)) + 1
        yield Example(page.relative_to(ROOT).as_posix(), line, block[2], prints)
