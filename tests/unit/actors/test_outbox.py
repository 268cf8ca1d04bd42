"""What waits to be collected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.actors.outbox import Outbox
from agentactors.errors import StateLost


def test_a_value_is_handed_over_once() -> None:
    outbox = Outbox(100, 10)
    outbox.put("a", ("value",), 60, 0.0)
    assert outbox.take("a", 5.0) == ("value",)
    with pytest.raises(StateLost) as caught:
        outbox.take("a", 5.0)
    assert caught.value.details == {"key": "a"}
    assert outbox.statistics() == (0, 0, 1, 0)


def test_a_value_that_nobody_collects_in_time_is_dropped() -> None:
    outbox = Outbox(100, 10)
    outbox.put("a", (1,), 60, 0.0)
    outbox.put("b", (2,), 1, 5.0)
    with pytest.raises(StateLost):
        outbox.take("a", 10.0)
    assert outbox.take("b", 14.9) == (2,)
    assert outbox.statistics() == (0, 0, 1, 1)


def test_the_oldest_make_room_and_one_may_be_larger_than_all() -> None:
    outbox = Outbox(100, 10)
    outbox.put("a", (1,), 60, 0.0)
    outbox.put("b", (2,), 40, 0.0)
    outbox.put("c", (3,), 1, 0.0)
    assert outbox.statistics() == (2, 41, 0, 1)
    outbox.put("d", (4,), 1000, 0.0)
    assert outbox.statistics() == (1, 1000, 0, 3)
    assert outbox.take("d", 0.0) == (4,)


def test_a_key_that_comes_again_replaces_the_first() -> None:
    outbox = Outbox(100, 10)
    outbox.put("a", (1,), 60, 0.0)
    outbox.put("a", (2,), 50, 9.0)
    assert outbox.statistics() == (1, 50, 0, 1)
    assert outbox.take("a", 15.0) == (2,), "its time began anew"
    assert outbox.statistics().size_bytes == 0


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 80), st.booleans(), st.integers(0, 4)), max_size=40))
def test_its_count_is_right_and_its_bound_holds(steps: list[tuple[str, int, bool, int]]) -> None:
    outbox, now, put, taken = Outbox(100, 10), 0.0, 0, 0
    for key, size, take, pause in steps:
        now += pause
        if take:
            try:
                outbox.take(key, now)
            except StateLost:
                continue
            taken += 1
        else:
            outbox.put(key, (size,), size, now)
            put += 1
        held, size_bytes, collected, dropped = outbox.statistics()
        assert size_bytes <= 100
        assert (collected, put) == (taken, held + collected + dropped)
