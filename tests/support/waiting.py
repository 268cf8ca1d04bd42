"""Waiting for a condition, with a deadline: the only way in which these tests wait."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

Value = TypeVar("Value")
_PAUSE_S = 0.03


async def until(condition: Callable[[], Value | Awaitable[Value]], *, within_s: float, what: str = "") -> Value:
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
