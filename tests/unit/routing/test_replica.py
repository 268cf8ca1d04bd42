"""Which replica: less loaded of two, in turn, or by key; repeatable."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.routing.replica import choose_replica, rendezvous, round_robin
from agentactors.routing.request import Target


def targets(*loads: int) -> list[Target]:
    return [Target("a", str(number), 1, f"e{number}", load=load) for number, load in enumerate(loads)]


@pytest.mark.spec("REACH-10")
def test_the_same_seed_gives_the_same_choices() -> None:
    replicas = targets(*[0] * 8)
    runs = []
    for _ in range(2):
        rng = random.Random(7)
        runs.append([choose_replica(replicas, {}, rng).replica_id for _ in range(50)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 8


@pytest.mark.spec("REACH-10")
def test_the_less_loaded_of_two_by_report_and_own_calls() -> None:
    rng = random.Random(1)
    assert {choose_replica(targets(5, 0), {}, rng).replica_id for _ in range(50)} == {"1"}
    assert {choose_replica(targets(5, 0), {("a", "1"): 6}, rng).replica_id for _ in range(50)} == {"0"}
    assert choose_replica(targets(9), {}, rng).replica_id == "0"


def test_equal_replicas_are_chosen_equally() -> None:
    rng = random.Random(3)
    counts = Counter(choose_replica(targets(0, 0, 0, 0), {}, rng).replica_id for _ in range(8000))
    assert all(1800 < count < 2200 for count in counts.values())


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=9), st.integers())
def test_the_most_loaded_alone_is_never_chosen(loads: list[int], seed: int) -> None:
    loads = [*loads, 100]
    assert choose_replica(targets(*loads), {}, random.Random(seed)).load < 100


def test_round_robin() -> None:
    assert [round_robin(targets(0, 0, 0), turn).replica_id for turn in range(5)] == ["0", "1", "2", "0", "1"]


@pytest.mark.spec("REACH-10")
def test_keys_move_only_with_their_replica() -> None:
    replicas = targets(*[0] * 5)
    keys = [f"key{number}" for number in range(500)]
    before = {key: rendezvous(replicas, key).replica_id for key in keys}
    assert all(60 < count < 140 for count in Counter(before.values()).values())
    after = {key: rendezvous(replicas[:-1], key).replica_id for key in keys}
    assert all(after[key] == owner for key, owner in before.items() if owner != "4")
