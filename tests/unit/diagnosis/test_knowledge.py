from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentactors.errors import InputInvalid
from agentactors.teams.diagnosis.knowledge import excerpt, load_knowledge
from agentactors.teams.diagnosis.labels import CATEGORIES


def test_shipped_knowledge_covers_every_category() -> None:
    knowledge = load_knowledge()
    assert len(knowledge.entries) >= 70
    assert {entry.category for entry in knowledge.entries} == set(CATEGORIES)
    assert all(entry.title_zh for entry in knowledge.entries)


@pytest.mark.spec("COLLAB-08")
def test_symptoms_find_the_entry_with_score_and_source() -> None:
    hits = load_knowledge().search("x.c:1:1: fatal error: frob.h: No such file or directory")
    assert hits[0].category == "missing_header"
    assert hits[0].score > 0
    assert hits[0].source == "knowledge_base.jsonl"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_words_find_entries_in_english_and_chinese() -> None:
    knowledge = load_knowledge()
    assert knowledge.search("", query="patch no longer applies")[0].category == "patch_does_not_apply"
    assert knowledge.search("", query="编译器找不到头文件", limit=1)[0].category == "missing_header"
    assert knowledge.search("", query="") == []


def test_search_is_deterministic() -> None:
    log = "undefined reference to `x'\nNo space left on device\nKilled"
    assert load_knowledge().search(log, limit=9) == load_knowledge().search(log, limit=9)


def test_excerpt_keeps_first_and_last_telling_lines() -> None:
    log = "".join(
        f"file{chr(97 + i % 26)}{chr(97 + i // 26)}: error: number\n" + "quiet line\n" * 5 for i in range(500)
    )
    lines = excerpt(log.encode(), limit_lines=10).splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("fileaa")
    assert all("error" in line for line in lines)


def test_excerpt_of_a_log_without_errors_is_its_tail() -> None:
    assert excerpt(b"one\ntwo\n") == "one\ntwo"
    assert excerpt(b"") == ""


@pytest.mark.parametrize(
    "row",
    [
        "{",
        "[]",
        json.dumps({"id": "X"}),
        json.dumps({"id": "X", "category": "c", "title": "t", "cause": "c", "fix": "f", "symptoms": ["("]}),
    ],
)
def test_bad_entry_is_named(tmp_path: Path, row: str) -> None:
    path = tmp_path / "kb.jsonl"
    path.write_text(row, encoding="utf-8")
    with pytest.raises(InputInvalid, match=r"Line 1 of the knowledge base .*kb\.jsonl"):
        load_knowledge(path)


def test_unreadable_or_doubled_knowledge_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="cannot be read"):
        load_knowledge(tmp_path / "none.jsonl")
    row = json.dumps({"id": "X", "category": "timeout", "title": "t", "cause": "c", "fix": "f"})
    path = tmp_path / "kb.jsonl"
    path.write_text(f"{row}\n{row}\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match="twice"):
        load_knowledge(path)
