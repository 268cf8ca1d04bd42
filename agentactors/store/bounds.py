"""How much chain memory may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from agentactors.config import Settings
from agentactors.errors import TooLarge

MAX_KEY_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class ContextBounds:
    """The bounds on one value and on one chain, in bytes."""

    value_bytes: int
    chain_bytes: int

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the bounds in force."""
        return cls(settings.context_value_bytes, settings.context_chain_bytes)

    def check_values(self, items: Mapping[str, bytes]) -> None:
        """Check each value by itself.

        Raises:
            TooLarge: A value or its key is over its bound.
        """
        for key, value in items.items():
            if len(key.encode()) > MAX_KEY_BYTES:
                raise TooLarge(
                    f"A key of chain memory has at most {MAX_KEY_BYTES} bytes; {key[:40]!r}… has more.",
                    {"key": key[:40], "limit_bytes": MAX_KEY_BYTES},
                )
            if len(value) > self.value_bytes:
                raise TooLarge(
                    f"The value of {key!r} has {len(value):,} bytes; chain memory takes {self.value_bytes:,} a value: "
                    "store a conclusion, or pass a state ref.",
                    {"key": key, "size_bytes": len(value), "limit_bytes": self.value_bytes},
                )

    def check_chain(self, held: Mapping[str, int], items: Mapping[str, bytes]) -> int:
        """Return what a chain would hold, in bytes, after ``items`` are set in it.

        Args:
            held: The size of each value that it holds.
            items: What is to be set.

        Raises:
            TooLarge: It would be over the bound; the message names the key with which it is.
        """
        sizes = dict(held)
        for key, value in items.items():
            sizes[key] = size_of(key, value)
            if sum(sizes.values()) > self.chain_bytes:
                raise TooLarge(
                    f"With {key!r}, this chain's memory would hold {sum(sizes.values()):,} bytes; "
                    f"{self.chain_bytes:,} are allowed.",
                    {"key": key, "size_bytes": sum(sizes.values()), "limit_bytes": self.chain_bytes},
                )
        return sum(sizes.values())


def size_of(key: str, value: bytes) -> int:
    """Return what a value counts for: its bytes and its key's."""
    return len(key.encode()) + len(value)
