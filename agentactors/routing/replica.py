"""Which replica of the chosen agent: on the hot path of every call.

Source: M. Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001 (power of two choices);
D. Thaler and C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998 (highest random weight,
here with BLAKE2b for their hash).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from agentactors.registry.row import Key
from agentactors.routing.request import Target


def choose_replica(targets: Sequence[Target], in_flight: Mapping[Key, int], rng: random.Random) -> Target:
    """Return the less loaded of two replicas taken at random.

    The load of a replica is what it reported plus what this caller has under way with it: the report is as old
    as the last heartbeat, the own count is exact.

    Args:
        targets: At least one.
        in_flight: The caller's own calls under way, by replica.
        rng: Seed it, and the choices repeat.

    Cost:
        About a microsecond; nothing is copied.
    """
    count = len(targets)
    if count == 1:
        return targets[0]
    first = int(rng.random() * count)
    second = int(rng.random() * (count - 1))
    one, other = targets[first], targets[second + (second >= first)]
    if _load(other, in_flight) < _load(one, in_flight):
        return other
    return one


def round_robin(targets: Sequence[Target], turn: int) -> Target:
    """Return the replica whose turn it is; the caller counts the turns."""
    return targets[turn % len(targets)]


def rendezvous(targets: Sequence[Target], key: str) -> Target:
    """Return the replica that owns ``key``: always the same one while it is there.

    When a replica leaves, only its keys move; when one joins, it takes its share and no other key moves.

    Cost:
        One hash per replica, about a microsecond each.
    """
    return max(targets, key=lambda target: _weight(target, key))


def _load(target: Target, in_flight: Mapping[Key, int]) -> int:
    return target.load + in_flight.get((target.agent_id, target.replica_id), 0)


def _weight(target: Target, key: str) -> bytes:
    return blake2b(f"{target.agent_id}/{target.replica_id}#{key}".encode(), digest_size=8).digest()
