"""The estimator: one CJK character one token, a quarter of the characters of every other piece."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.llm.tokens import estimate_tokens


@pytest.mark.spec("COLLAB-13")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t\u3000", 0),
        ("a", 1),
        ("four", 1),
        ("fives", 2),
        ("one two", 2),
        ("one  \n two", 2),
        ("a b c d", 4),
        ("构建失败", 4),
        ("构建失败:zlib.h", 6),
        ("中a文b", 4),
        ("ひらがなカタカナ", 8),
        ("한국어", 3),
        ("好,再见。", 5),
        ("好，再见。", 5),
        ("𠀀", 1),
        ("naïve café", 3),
        ("x" * 400, 100),
    ],
)
def test_examples(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.spec("COLLAB-13")
@given(text=st.text(max_size=200))
def test_an_estimate_is_bounded_by_the_characters(text: str) -> None:
    dense = sum(not character.isspace() for character in text)

    assert dense / 4 <= estimate_tokens(text) <= dense


@given(first=st.text(max_size=50), second=st.text(max_size=50))
def test_text_apart_counts_apart(first: str, second: str) -> None:
    assert estimate_tokens(f"{first} {second}") == estimate_tokens(first) + estimate_tokens(second)
