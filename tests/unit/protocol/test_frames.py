"""The codec of the direct channel: any chunking, any junk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.protocol import frames as f

FRAMES = st.lists(
    st.builds(f.Frame, st.sampled_from(sorted(f.KINDS)), st.integers(0, 2**32 - 1), st.binary(max_size=300)),
    max_size=12,
)


def joined(frames: list[f.Frame]) -> bytes:
    return b"".join(f.encode(*one) for one in frames)


@given(FRAMES, st.lists(st.integers(1, 60), max_size=80))
def test_any_chunking_gives_the_same_frames(frames: list[f.Frame], sizes: list[int]) -> None:
    data = joined(frames)
    decoder = f.FrameDecoder()
    seen: list[f.Frame] = []
    for size in [*sizes, len(data) + 1]:
        chunk, data = data[:size], data[size:]
        seen += decoder.feed(chunk)
    assert seen == frames
    assert decoder.held_bytes == 0


@given(FRAMES, st.binary(max_size=400), st.integers(1, 50))
def test_junk_is_refused_or_waited_for(frames: list[f.Frame], junk: bytes, size: int) -> None:
    data = joined(frames) + junk
    decoder = f.FrameDecoder(max_body_bytes=500)
    seen: list[f.Frame] = []
    try:
        for start in range(0, len(data), size):
            seen += decoder.feed(data[start : start + size])
    except f.BrokenFrame:
        pass
    else:
        assert decoder.held_bytes < f.HEADER.size + 500
    assert seen[: len(frames)] == frames[: len(seen)]


@given(FRAMES, st.data())
def test_a_cut_stream_gives_the_whole_frames_before_the_cut(frames: list[f.Frame], data: st.DataObject) -> None:
    encoded = joined(frames)
    cut = data.draw(st.integers(0, len(encoded)))
    seen = f.FrameDecoder().feed(encoded[:cut])
    assert seen == frames[: len(seen)]
    assert len(joined(seen)) <= cut


def test_a_long_frame_is_refused_at_its_header() -> None:
    with pytest.raises(f.BrokenFrame, match="101 bytes; 100 are allowed"):
        f.FrameDecoder(max_body_bytes=100).feed(f.head(f.CALL, 1, 101))
    assert f.FrameDecoder(max_body_bytes=100).feed(f.encode(f.CALL, 1, bytes(100))) == [(f.CALL, 1, bytes(100))]
    with pytest.raises(f.BrokenFrame):
        f.FrameDecoder().feed(f.head(f.CALL, 1, f.MAX_BODY_BYTES + 1))


@pytest.mark.parametrize("kind", [0, f.GOODBYE + 1, 255])
def test_an_unknown_kind_is_refused_at_its_header(kind: int) -> None:
    with pytest.raises(f.BrokenFrame, match=f"unknown frame kind {kind}"):
        f.FrameDecoder().feed(f.head(kind, 1, 0))
