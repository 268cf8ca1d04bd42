"""An agent whose handlers call and stream from agents, itself among them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agentactors import Agent, Context, capability, errors


class Looping(Agent):
    """Calls itself for ever, and passes on what goes wrong below it."""

    def __init__(self) -> None:
        self._calls = 0
        self._counting = 0

    @capability("loop.call")
    async def call(self, ctx: Context) -> int:
        """Ask for the same again."""
        return int((await ctx.ask("loop.call")).data)

    @capability("loop.relay")
    async def relay(self) -> int:
        """Do something, then fail as a call below that never started does."""
        self._calls += 1
        raise errors.Overloaded("full below", {"started": False, "retry_after_s": 1.0})

    @capability("loop.calls")
    async def calls(self) -> int:
        """Tell how often relay ran here."""
        return self._calls

    @capability("loop.items")
    async def items(self, ctx: Context, count: int) -> list[int]:
        """Stream from another agent and gather its items."""
        async with ctx.stream("loop.count", {"count": count}) as stream:
            return [item async for item in stream]

    @capability("loop.first")
    async def first(self, ctx: Context, count: int) -> int:
        """Stream from another agent and leave at the first item."""
        async with ctx.stream("loop.count", {"count": count}) as stream:
            async for item in stream:
                return int(item)
        return -1

    @capability("loop.counting")
    async def counting(self) -> int:
        """Tell how many counts run here."""
        return self._counting

    @capability("loop.count")
    async def count(self, count: int) -> AsyncIterator[int]:
        """Count."""
        self._counting += 1
        try:
            for number in range(count):
                yield number
        finally:
            self._counting -= 1
