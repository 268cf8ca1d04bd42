"""The pages: those made from the code are up to date, and the written ones name only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentactors import Settings
from agentactors.error_table import ERROR_TABLE
from agentactors.protocol.envelope import Body, Envelope, ErrorBody, MessageType
from docs import generate
from tests.support.pages import ROOT, examples, pages

_LINK = re.compile(r"\[[^]]*\]\(([^)#]+)(?:#[^)]*)?\)")


@pytest.mark.spec("OPS-05", "COLLAB-05")
@pytest.mark.parametrize("name", sorted(generate.PAGES))
def test_a_page_made_from_the_code_is_up_to_date(name: str) -> None:
    committed = (generate.FOLDER / name).read_text(encoding="utf-8")
    assert committed == generate.PAGES[name](), "run `make docs`"


@pytest.mark.spec("OPS-05")
def test_every_code_setting_and_field_is_on_its_page() -> None:
    errors, settings, fields = (generate.PAGES[f"{name}.md"]() for name in ("errors", "settings", "fields"))
    assert all(f"| `{row.code}` |" in errors for row in ERROR_TABLE)
    assert all(f"| `{name}` |" in settings for name in Settings.model_fields)
    for struct in (Envelope, Body, ErrorBody):
        assert all(f"| `{name}` |" in fields for name in struct.__struct_fields__)


@pytest.mark.spec("OPS-05")
def test_no_field_is_without_meaning_or_example() -> None:
    rows = [line for line in generate.fields_page().splitlines() if line.startswith("| `")]
    empty = [row for row in rows if re.search(r"(?<!\\)\|\s+\|", row) and not row.startswith(("| `body`", "| `error`"))]
    assert empty == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in _LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_are_python(page: Path) -> None:
    for example in examples(page):
        compile(example.code, str(example), "exec")


def test_make_targets_that_pages_name_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        target
        for page in pages()
        for target in re.findall(r"(?:^|`)make ([a-z]+)(?=\s|`)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert {"demo", "test"} <= named <= targets
    assert {"help", "demo", "test", "lint", "types", "fmt", "bench", "clean"} <= targets


def test_both_readmes_say_the_same() -> None:
    """The same parts, code blocks, links and rows of tables, in the same order."""
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
    for pattern in (
        r"^(#+) ",
        r"^```(\w*)$",
        r"^(\|)",
        r"`(make \w+|agentactors [a-z]+)",
        r"\(((?:docs|examples)/[^)]*)\)",
    ):
        found = [re.findall(pattern, text, re.MULTILINE) for text in (english, chinese)]
        assert found[0] == found[1], pattern
    codes = [set(re.findall(r"`([A-Z]{3,}_[A-Z_]+)`", text)) for text in (english, chinese)]
    assert codes[0] == codes[1] <= {row.code for row in ERROR_TABLE}


@pytest.mark.spec("OPS-05")
def test_error_codes_on_written_pages_exist() -> None:
    known = {row.code for row in ERROR_TABLE}
    for page in (one for one in pages() if one.name not in generate.PAGES):
        named = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", page.read_text(encoding="utf-8")))
        unknown = {name for name in named - known if not name.startswith(("AGENTACTORS_", "RAY_"))}
        assert unknown <= {kind.value for kind in MessageType}, page


def test_the_constraints_are_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []
    assert lines == sorted(lines, key=lambda line: line.partition("==")[0].lower())
