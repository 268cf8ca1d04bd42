"""The context of one call: what a handler may know and do. The host implements it."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, runtime_checkable

from agentactors.protocol.state import StateRef
from agentactors.protocol.stream import ItemStream
from agentactors.protocol.task import Result


@runtime_checkable
class Context(Protocol):
    """What a handler gets when one of its parameters is annotated ``Context``.

    A context belongs to one call and dies with it. Nested calls made through it carry the same
    ``request_id``, what is left of the deadline, and are cancelled with it.
    """

    @property
    def request_id(self) -> str:
        """Names the chain: the same in every nested call and on every log line."""

    @property
    def message_id(self) -> str:
        """Names this call; an effect keyed by it can be made idempotent."""

    @property
    def agent_id(self) -> str:
        """The agent that runs the handler."""

    @property
    def key(self) -> str:
        """Which agent of a packed host this is; what the caller gave."""

    @property
    def tenant(self) -> str:
        """The caller's tenant."""

    @property
    def role(self) -> str:
        """The caller's role."""

    @property
    def query(self) -> str:
        """The caller's sentence, empty when there is none."""

    @property
    def deadline(self) -> float:
        """Absolute, seconds since the epoch."""

    @property
    def remaining_s(self) -> float:
        """Seconds left until the deadline; 0 when it has passed."""

    @property
    def cancelled(self) -> bool:
        """True once the call was cancelled or timed out; a sync handler looks here, its result is dropped."""

    @property
    def memory(self) -> MutableMapping[str, Any]:
        """Chain memory: small named conclusions, shared by all calls of the chain.

        A handler sees what was written before it was called, and what the chain named by ``context_refer``
        has written; its own writes are stored, and visible to others, when it returns or makes a nested call.

        Raises:
            TooLarge: On writing a value over 16 KiB or a chain over 256 KiB; names the key.
            ContextLost: On reading, when the referred chain has expired or is unknown.
        """

    def progress(self, message: str, *, step: int | None = None, steps: int | None = None) -> None:
        """Tell a caller who listens how far the work is; costs nothing when nobody does."""

    async def ask(
        self,
        capability: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> Result:
        """Call another agent within this chain; see :meth:`AgentSystem.ask`."""

    def ask_blocking(
        self,
        capability: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> Result:
        """The same for sync handlers: blocks their thread, never the loop."""

    async def ask_ref(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        timeout_s: float | None = None,
    ) -> StateRef:
        """Call another agent and keep its result in the object store; this replica owns it."""

    def stream(
        self,
        capability: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        key: str = "",
        timeout_s: float | None = None,
    ) -> AbstractAsyncContextManager[ItemStream]:
        """Stream from another agent; leaving the block stops it."""
