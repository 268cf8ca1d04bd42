"""Frames of a stream as bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import AgentActorsError, InvalidMessage
from agentactors.protocol import stream
from agentactors.protocol.stream import StreamFrame, decode_frame, encode_frame, is_note
from tests.unit.protocol.messages import request

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.sampled_from([stream.ITEM, stream.PROGRESS]), PLAIN)
def test_items_and_notes_come_back_equal(kind: str, value: Any) -> None:
    data = encode_frame(StreamFrame(kind, value))
    assert decode_frame(data) == (kind, value, ())
    assert is_note(data) is (kind == stream.PROGRESS)


def test_the_end_is_an_envelope() -> None:
    envelope = request()
    frame = decode_frame(encode_frame(StreamFrame(stream.END, envelope)), ("beside",))
    assert stream.envelope_of(frame) == envelope
    assert frame.attachments == ("beside",)


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(InvalidMessage, match="no plain data"):
        encode_frame(StreamFrame(stream.ITEM, object()))


@given(
    st.binary(max_size=200)
    | st.builds(lambda mark, rest: mark + rest, st.sampled_from([b"i", b"p", b"e"]), st.binary())
)
def test_junk_is_one_of_our_errors_or_a_frame(data: bytes) -> None:
    try:
        frame = decode_frame(data)
    except AgentActorsError:
        return
    assert frame.kind in {stream.ITEM, stream.PROGRESS, stream.END}


@pytest.mark.parametrize("data", [b"", b"x", b"i", b"i\xc1", b"i" + b"\x91" * 100_000, b"i\xa1\xff", b"e\x80"])
def test_known_junk_is_refused(data: bytes) -> None:
    with pytest.raises(AgentActorsError):
        decode_frame(data)
