from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.teams.diagnosis.literals import LiteralIndex, grams_of
from agentactors.teams.diagnosis.sieve import sieve
from agentactors.teams.diagnosis.view import LogView


@settings(max_examples=60)
@given(
    st.lists(st.text(alphabet="abc é错", min_size=1, max_size=8), max_size=12), st.text(alphabet="abc é错", max_size=60)
)
def test_literal_index_agrees_with_plain_search(literals: list[str], text: str) -> None:
    found = LiteralIndex(literals).found(text, grams_of(text))
    assert sorted(found) == sorted({literal for literal in literals if literal in text})


def test_like_lines_are_one_candidate_with_first_and_last_place() -> None:
    log = b"".join(b"unit %d: error: number %d\n" % (n, n) for n in range(50)) + b"quiet\n"
    (candidate,) = sieve(LogView(log)).candidates
    assert (candidate.line_number, candidate.last_line_number, candidate.count) == (1, 50, 50)


def test_compiler_command_lines_are_left_out_unless_they_report_something() -> None:
    command = b"gcc -Werror=format-security -Wl,--version-script=x -o a.o -c a.c"
    log = command + b"\n" + command + b": error: no\n"
    assert [candidate.line_number for candidate in sieve(LogView(log)).candidates] == [2]


def test_flood_keeps_its_beginning_and_its_end() -> None:
    words = ["".join(chr(97 + (n // 26**k) % 26) for k in range(4)) for n in range(30_000)]
    sieved = sieve(LogView("\n".join(f"error {word}" for word in words).encode()))
    assert sieved.line_count == 30_000
    assert len(sieved.candidates) <= 22_000
    assert sieved.candidates[0].line_number == 1
    assert sieved.candidates[-1].line_number == 30_000
