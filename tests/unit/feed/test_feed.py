"""The feed: a follower has what the writer has, or knows that it has not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.errors import InvalidMessage, StaleIncarnation
from agentactors.feed.follower import FeedCodec, Follower
from agentactors.feed.log import Change, Changes, FeedLog, Position, Snapshot


class Item(msgspec.Struct, frozen=True):
    name: str
    value: int = 0

    @property
    def key(self) -> tuple[str, str]:
        return (self.name, "0")


def log_of(count: int, *, incarnation: int = 1, epoch: int = 0, history: int = 10) -> FeedLog[Item]:
    log: FeedLog[Item] = FeedLog(incarnation, epoch, history)
    for number in range(count):
        item = Item(f"i{number % 3}", number)
        log.append(item.key, item)
    return log


def test_epochs_count_from_where_the_store_left_off() -> None:
    log = log_of(0, epoch=41)
    assert log.append(("a", "0"), None) == 42
    assert log.position == Position(1, 42)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (Position(1, 5), []),
        (Position(1, 3), [4, 5]),
        (Position(1, 2), [3, 4, 5]),
        (Position(1, 1), None),
        (Position(1, 6), None),
        (Position(2, 5), None),
        (Position(0, 0), None),
    ],
)
def test_since(position: Position, expected: list[int] | None) -> None:
    changes = log_of(5, history=3).since(position)
    if expected is None:
        assert changes is None
    else:
        assert changes is not None
        assert [change.epoch for change in changes.changes] == expected
        assert changes.position == Position(1, 5)


@pytest.mark.spec("REACH-05")
def test_a_follower_takes_a_snapshot_then_changes() -> None:
    told: list[tuple[tuple[str, str], Item | None]] = []

    def note(key: tuple[str, str], row: Item | None) -> None:
        told.append((key, row))

    follower: Follower[Item] = Follower(note)
    log = log_of(1)
    assert follower.apply(log.snapshot([Item("i0", 0)]))
    log.append(("i0", "0"), None)
    log.append(("i1", "0"), Item("i1", 1))
    log.append(("i1", "0"), Item("i1", 2))
    changes = log.since(follower.position)
    assert changes is not None
    assert follower.apply(changes)
    assert follower.rows == {("i1", "0"): Item("i1", 2)}
    assert follower.position == Position(1, 4)
    assert told == [(("i0", "0"), Item("i0", 0)), (("i0", "0"), None), (("i1", "0"), Item("i1", 2))]
    told.clear()
    assert follower.apply(changes), "the same again changes nothing"
    assert told == []


def test_a_gap_applies_nothing() -> None:
    follower: Follower[Item] = Follower()
    assert follower.apply(Snapshot(Position(1, 3), [Item("a")]))
    gap = Changes(Position(1, 6), [Change(5, ("a", "0"), None), Change(6, ("b", "0"), Item("b"))])
    assert follower.apply(gap) is False
    assert follower.apply(Changes(Position(1, 5), [])) is False
    assert follower.apply(Changes(Position(2, 4), [Change(4, ("a", "0"), None)])) is False
    assert set(follower.rows) == {("a", "0")}
    assert follower.position == Position(1, 3)


@pytest.mark.spec("RUN-07")
def test_a_replaced_writer_is_refused() -> None:
    follower: Follower[Item] = Follower()
    follower.apply(Snapshot(Position(2, 3), [Item("a")]))
    for stale in (Snapshot[Item](Position(1, 9), []), Changes[Item](Position(1, 9), [])):
        with pytest.raises(StaleIncarnation):
            follower.apply(stale)


def test_a_late_snapshot_does_not_turn_the_copy_back() -> None:
    follower: Follower[Item] = Follower()
    follower.apply(Snapshot(Position(1, 5), [Item("a")]))
    assert follower.apply(Snapshot[Item](Position(1, 4), []))
    assert follower.position == Position(1, 5)
    assert set(follower.rows) == {("a", "0")}


def test_a_snapshot_of_a_new_writer_tells_only_what_differs() -> None:
    told: list[str] = []
    follower: Follower[Item] = Follower(lambda key, _row: told.append(key[0]))
    follower.apply(Snapshot(Position(1, 5), [Item("a"), Item("b"), Item("c", 1)]))
    told.clear()
    follower.apply(Snapshot(Position(2, 5), [Item("b"), Item("c", 2), Item("d")]))
    assert sorted(told) == ["a", "c", "d"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Snapshot(Position(1, 5), [Item("a"), Item("b", 3)]),
        lambda: Changes(Position(1, 5), [Change(4, ("a", "0"), Item("a")), Change(5, ("b", "0"), None)]),
    ],
)
def test_updates_survive_the_wire(make: Callable[[], Snapshot[Item] | Changes[Item]]) -> None:
    codec = FeedCodec(Item)
    assert codec.decode(codec.encode(make())) == make()


@settings(deadline=None)
@given(st.binary(max_size=64))
def test_garbage_is_our_error(data: bytes) -> None:
    with pytest.raises(InvalidMessage):
        FeedCodec(Item).decode(data)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 9), st.booleans()), max_size=60),
    st.integers(1, 8),
)
def test_a_follower_that_looks_now_and_then_ends_with_the_writers_rows(
    steps: list[tuple[str, int | None, bool]], history: int
) -> None:
    log: FeedLog[Item] = FeedLog(1, 0, history)
    rows: dict[tuple[str, str], Item] = {}
    told: dict[tuple[str, str], Item] = {}

    def note(key: tuple[str, str], row: Item | None) -> None:
        if row is None:
            told.pop(key, None)
        else:
            told[key] = row

    follower: Follower[Item] = Follower(note)
    for name, value, look in [*steps, ("a", None, True)]:
        key = (name, "0")
        if value is None:
            rows.pop(key, None)
        else:
            rows[key] = Item(name, value)
        log.append(key, rows.get(key))
        if look:
            assert follower.apply(log.since(follower.position) or log.snapshot(rows.values()))
            assert follower.rows == rows == told
