"""The reader's side of a feed: a local copy of the rows, kept up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

import msgspec

from agentactors.errors import InvalidMessage, StaleIncarnation
from agentactors.feed.log import Changes, Key, Position, Row, Snapshot


class Follower(Generic[Row]):
    """A copy of a writer's rows that is read without asking the writer.

    Applying updates is idempotent: what has been seen is skipped. The copy is never in a state that the writer
    was not in, and never goes back.

    Args:
        on_change: Called with each key that changed and its new row (None: gone), after the copy has it.
    """

    def __init__(self, on_change: Callable[[Key, Row | None], None] | None = None) -> None:
        self.rows: dict[Key, Row] = {}
        self.position = Position(0, 0)
        """(0, 0) until the first snapshot."""
        self._on_change = on_change

    def apply(self, update: Snapshot[Row] | Changes[Row]) -> bool:
        """Bring the copy up to date.

        Returns:
            False when changes are missing in between, or are of a writer that this copy does not follow yet:
            nothing was applied; ask for a snapshot.

        Raises:
            StaleIncarnation: The update is of an older incarnation of the writer than the copy.
        """
        if update.position.incarnation < self.position.incarnation:
            raise StaleIncarnation(
                f"An update of incarnation {update.position.incarnation} came after one of "
                f"{self.position.incarnation}: its writer has been replaced.",
                {"incarnation": update.position.incarnation, "current": self.position.incarnation},
            )
        if isinstance(update, Snapshot):
            return self._replace(update)
        if update.position.incarnation != self.position.incarnation:
            return False
        return self._extend(update)

    def _replace(self, snapshot: Snapshot[Row]) -> bool:
        if snapshot.position < self.position:
            return True  # overtaken by changes that were applied meanwhile
        fresh = {row.key: row for row in snapshot.rows}
        before, self.rows, self.position = self.rows, fresh, snapshot.position
        for key in before.keys() - fresh.keys():
            self._tell(key, None)
        for key, row in fresh.items():
            if before.get(key) != row:
                self._tell(key, row)
        return True

    def _extend(self, update: Changes[Row]) -> bool:
        new = [change for change in update.changes if change.epoch > self.position.epoch]
        expected = range(self.position.epoch + 1, max(update.position.epoch, self.position.epoch) + 1)
        if [change.epoch for change in new] != list(expected):
            return False
        for change in new:
            if change.row is None:
                self.rows.pop(change.key, None)
            else:
                self.rows[change.key] = change.row
        self.position = max(self.position, update.position)
        for key in dict.fromkeys(change.key for change in new):
            self._tell(key, self.rows.get(key))
        return True

    def _tell(self, key: Key, row: Row | None) -> None:
        if self._on_change is not None:
            self._on_change(key, row)


class FeedCodec(Generic[Row]):
    """Snapshots and changes of one kind of row to msgpack and back.

    Args:
        row_type: The class of the rows, a msgspec Struct.
    """

    def __init__(self, row_type: type[Row]) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(Snapshot[row_type] | Changes[row_type])  # type: ignore[valid-type]  # the class is a value here, which only msgspec needs

    def encode(self, update: Snapshot[Row] | Changes[Row]) -> bytes:
        """Return the bytes of an update."""
        return self._encoder.encode(update)

    def decode(self, data: bytes) -> Snapshot[Row] | Changes[Row]:
        """Return the update in ``data``, validated.

        Raises:
            InvalidMessage: It is none.
        """
        try:
            update: Snapshot[Row] | Changes[Row] = self._decoder.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
            raise InvalidMessage(f"This is no update of a feed: {fault}.") from None
        return update
