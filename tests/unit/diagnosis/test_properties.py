from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.knowledge import excerpt, load_knowledge
from agentactors.teams.diagnosis.labels import CATEGORIES, STAGES
from agentactors.teams.diagnosis.report import to_markdown
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.textline import plain_text, quote_line
from agentactors.teams.diagnosis.verify import verify
from tests.support.diagnosis_messages import MESSAGES

KNOWLEDGE = load_knowledge()
PIECES = [message.log.encode() for message in MESSAGES]


def run(log: bytes) -> None:
    findings = scan(log)
    diagnosis = conclude(findings, KNOWLEDGE.search(excerpt(log)))
    assert diagnosis.stage in STAGES
    assert diagnosis.category in CATEGORIES
    assert len(diagnosis.evidence) <= 10
    lines = log.split(b"\n")
    for line in diagnosis.evidence:
        assert line.text == quote_line(lines[line.line_number - 1][:4000])
    to_markdown(diagnosis, findings, verify(diagnosis, findings, log)).encode()
    diagnosis.model_dump_json()


@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_diagnosis(log: bytes) -> None:
    run(log)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(PIECES) | st.binary(max_size=60), max_size=6),
    st.sampled_from([b"\n", b"\r\n", b"\r", b""]),
)
def test_any_mixture_of_messages_gives_a_true_diagnosis(pieces: list[bytes], joint: bytes) -> None:
    run(joint.join(pieces))


@settings(max_examples=100)
@given(st.text(max_size=300))
def test_plain_text_is_stable_on_what_has_no_prefix(text: str) -> None:
    assert len(plain_text(text)) <= 2500


@settings(max_examples=30)
@given(st.integers(0, 300), st.sampled_from(PIECES[:40]))
def test_line_number_follows_what_stands_before(before: int, piece: bytes) -> None:
    alone = conclude(scan(piece), []).evidence[0]
    log = b"".join(b"building unit %d\n" % number for number in range(before)) + piece
    moved = conclude(scan(log), []).evidence[0]
    assert (moved.line_number, moved.text) == (alone.line_number + before, alone.text)


def test_same_log_gives_the_same_diagnosis() -> None:
    log = b"\n".join(PIECES)
    assert scan(log) == scan(log)
