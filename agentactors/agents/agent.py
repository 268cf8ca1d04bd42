"""The class that users write, and the mark on its methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from agentactors.protocol.declaration import Visibility
from agentactors.protocol.roles import Role

MARK: Final = "__agentactors_capability__"

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class CapabilityMark:
    """What :func:`capability` notes on a method."""

    capability_id: str
    description: str | None
    idempotent: bool
    takes_query: str | None


def capability(
    capability_id: str, *, description: str | None = None, idempotent: bool = False, takes_query: str | None = None
) -> Callable[[Handler], Handler]:
    """Make a method of an :class:`Agent` a capability that others find and call.

    The method may be ``async def`` (runs on the replica's loop), ``def`` (runs in a bounded pool of
    threads, so it may block), or a generator of either kind (streams its items). Its typed parameters
    become the input schema and its return type the output schema; a parameter annotated
    :class:`~agentactors.Context` gets the call's context. Parameters and results are validated on every call.

    Args:
        capability_id: ``domain.action``, such as ``poetry.create``.
        description: What it does, in words; by default the first paragraph of the docstring.
        idempotent: Doing it twice does no more than doing it once: then a call may be repeated on another
            replica when a connection is lost.
        takes_query: The parameter that gets the caller's sentence when the caller names no value for it.
    """

    def mark(handler: Handler) -> Handler:
        setattr(handler, MARK, CapabilityMark(capability_id, description, idempotent, takes_query))
        return handler

    return mark


class Agent:
    """Base of every agent: a plain class whose ``@capability`` methods others call.

    One instance lives in each replica, which is a Ray actor of its own. Its async handlers run interleaved
    on one event loop, so state that they share needs no lock between two awaits; its sync handlers run in
    threads. A replica that dies is started again with a fresh instance: what must survive belongs into a
    store, chain memory or a state ref. Constructor arguments are given to ``AgentSystem.spawn``.

    The class attributes are the agent's declaration; every one may be left as it is.
    """

    agent_id: ClassVar[str] = ""
    """Unique within the system; by default the class name in kebab case."""
    agent_name: ClassVar[str] = ""
    version: ClassVar[str] = "1.0.0"
    description: ClassVar[str] = ""
    """What the agent is for; by default the first paragraph of the class docstring."""
    tags: ClassVar[tuple[str, ...]] = ()
    priority: ClassVar[int] = 10
    not_capable: ClassVar[tuple[str, ...]] = ()
    role: ClassVar[Role | None] = None
    visibility: ClassVar[Visibility] = Visibility()
    substitutes: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    declaration: ClassVar[Mapping[str, Any] | None] = None
    """A declaration written by hand, in any of the accepted forms; it wins over everything derived."""

    async def on_start(self) -> None:
        """Prepare the agent; it is registered only after this has returned."""

    async def on_stop(self) -> None:
        """Give back what the agent holds; called on an orderly stop, never on a crash."""
