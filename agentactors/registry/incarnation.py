"""Which incarnation a process gets when it registers: the fence against its predecessors."""

from __future__ import annotations

from collections.abc import Mapping

from agentactors.errors import StaleIncarnation
from agentactors.registry.row import Key, ReplicaRow


class Incarnations:
    """The last incarnation of every replica that ever registered, also of those that have left.

    Args:
        counters: What earlier registries stored.
    """

    def __init__(self, counters: Mapping[Key, int]) -> None:
        self._last = dict(counters)

    def last(self, key: Key) -> int:
        """Return the newest incarnation of that replica; 0 when there was none."""
        return self._last.get(key, 0)

    def assign(self, key: Key, row: ReplicaRow | None, *, instance_id: str, known: int) -> int:
        """Return the incarnation of a process that registers as ``key``, and remember it.

        The process of the row keeps its own. Any other one gets the next, unless it has been an incarnation
        that was succeeded meanwhile. A process that remembers more than the registry does (which lost its
        store) keeps what it remembers.

        Args:
            key: The replica.
            row: Its row, if it has one.
            instance_id: Names the process.
            known: The incarnation that the process had before; 0 for a fresh one.

        Raises:
            StaleIncarnation: Another process has succeeded this one.
        """
        if row is not None and row.instance_id == instance_id:
            return row.incarnation
        last = self.last(key)
        if 0 < known < last:
            raise stale(key, known, last)
        self._last[key] = known if known > last else last + 1
        return self._last[key]

    def check(self, key: Key, incarnation: int) -> None:
        """Check that a message of ``incarnation`` is not of a process that was succeeded.

        Raises:
            StaleIncarnation: It is.
        """
        if incarnation < self.last(key):
            raise stale(key, incarnation, self.last(key))


def stale(key: Key, incarnation: int, current: int) -> StaleIncarnation:
    """Return the error for a message of an incarnation that was succeeded."""
    return StaleIncarnation(
        f"Incarnation {incarnation} of replica {key[1]!r} of {key[0]!r} has been succeeded by {current}: "
        "stop this process.",
        {"agent_id": key[0], "replica_id": key[1], "incarnation": incarnation, "current": current},
    )
