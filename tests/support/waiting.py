"""Waiting for a condition, with a deadline: the only way in which these tests wait."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar, overload

from agentactors.protocol.stream import ItemStream

Value = TypeVar("Value")
_PAUSE_S = 0.03


@overload
async def until(condition: Callable[[], Awaitable[Value]], *, within_s: float, what: str = "") -> Value: ...
@overload
async def until(condition: Callable[[], Value], *, within_s: float, what: str = "") -> Value: ...
async def until(condition: Callable[[], Any], *, within_s: float, what: str = "") -> Any:
    """Return what ``condition`` returns once that is true; fail when it does not become so in time."""
    deadline = time.monotonic() + within_s
    while True:
        found = condition()
        value = await found if inspect.isawaitable(found) else found
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what or condition} did not come true within {within_s} s; last: {value!r}")
        await asyncio.sleep(_PAUSE_S)


async def drained(opening: AbstractAsyncContextManager[ItemStream], into: list[Any] | None = None) -> list[Any]:
    """Read a stream to its end; ``into`` keeps what came before an error."""
    items: list[Any] = [] if into is None else into
    async with opening as stream:
        async for item in stream:
            items.append(item)  # noqa: PERF401 - what came before an error counts
    return items
