"""A stream: its frames on the wire, its shape for the consumer.

Every frame is an envelope that answers the request. A STATUS with state RUNNING and the action ``item`` or
``progress`` carries one of them in ``result``; the frame that ends the stream is an ACTION_RESULT or an ERROR.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

ITEM: Final = "item"
PROGRESS: Final = "progress"


class ItemStream(Protocol):
    """An open stream: iterate over it, leave its block, and its producer is gone.

    At most a bounded number of items are produced ahead of the consumer; a slow consumer slows its producer.
    """

    @property
    def request_id(self) -> str:
        """Names the chain."""

    @property
    def agent_id(self) -> str:
        """Who produces the items."""

    def __aiter__(self) -> AsyncIterator[Any]:
        """Yield items in the order in which the agent yields them."""
