"""Chain memory as a handler sees it: a mapping over what was stored before the call, written through after it."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import msgspec

from agentactors.config import Settings
from agentactors.errors import ContextLost, InvalidMessage, TooLarge
from agentactors.logs import get_logger

_LOG = get_logger(__name__)


class ChainMemory(MutableMapping[str, Any]):
    """Own conclusions over those of the referred chain; deletions are not kept (nothing may un-conclude).

    Args:
        request_id: The chain.
        own: What the chain has stored, encoded.
        referred: What the chain named by ``context_refer`` has stored.
        lost: Why the referred chain cannot be read, if it cannot.
        settings: The bounds.
    """

    def __init__(
        self,
        request_id: str,
        *,
        own: dict[str, bytes],
        referred: dict[str, bytes],
        lost: ContextLost | None,
        settings: Settings,
    ) -> None:
        self._request_id = request_id
        self._own = own
        self._referred = referred
        self._lost = lost
        self._settings = settings
        self._size_bytes = sum(len(key) + len(value) for key, value in own.items())
        self._dirty: dict[str, bytes] = {}

    def __getitem__(self, key: str) -> Any:
        value = self._own.get(key)
        if value is None:
            self._check_lost()
            value = self._referred[key]
        return msgspec.msgpack.decode(value)

    def __setitem__(self, key: str, value: Any) -> None:
        try:
            data = msgspec.msgpack.encode(value)
        except (TypeError, ValueError, OverflowError, RecursionError) as fault:
            raise InvalidMessage(f"ctx.memory[{key!r}] is no plain data: {fault}.") from None
        limit = self._settings.context_value_bytes
        if len(data) > limit:
            raise TooLarge(
                f"ctx.memory[{key!r}] has {len(data):,} bytes; {limit:,} are allowed. Store a conclusion, not an output.",
                {"key": key, "size_bytes": len(data), "limit_bytes": limit},
            )
        old = self._own.get(key)
        size_bytes = self._size_bytes + len(data) + (len(key) if old is None else -len(old))
        limit = self._settings.context_chain_bytes
        if size_bytes > limit:
            raise TooLarge(
                f"ctx.memory[{key!r}] would bring the chain to {size_bytes:,} bytes; {limit:,} are allowed.",
                {"key": key, "size_bytes": size_bytes, "limit_bytes": limit},
            )
        self._size_bytes = size_bytes
        self._own[key] = self._dirty[key] = data

    def __delitem__(self, key: str) -> None:
        raise TypeError(f"ctx.memory[{key!r}] cannot be deleted: others may have read it; write a new value.")

    def __iter__(self) -> Iterator[str]:
        self._check_lost()
        return iter({**self._referred, **self._own})

    def __len__(self) -> int:
        return len(list(iter(self)))

    @property
    def holds_anything(self) -> bool:
        """Whether the chain has conclusions of its own."""
        return bool(self._own)

    def take_dirty(self) -> dict[str, bytes]:
        """Return what was written since the last call, for the journal."""
        dirty, self._dirty = self._dirty, {}
        return dirty

    def _check_lost(self) -> None:
        if self._lost is not None:
            _LOG.warning("context_lost", request_id=self._request_id, reason=self._lost.message)
            raise self._lost
