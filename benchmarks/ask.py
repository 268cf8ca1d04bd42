"""Small ask between two actors, and the first item of a stream, against raw Ray calls in the same run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import ray

from agentactors import Agent, AgentSystem, Context, capability
from benchmarks.measure import Figure, closed_loop, compare, p50_us

TEXT = "what is the capital of France? " * 3
MESSAGE = {"sender": "planner/7", "kind": "ask", "ts": 1.7e9, "text": TEXT}


class Echo(Agent):
    """Gives back what it gets."""

    @capability("bench.echo")
    async def echo(self, sender: str, kind: str, ts: float, text: str) -> dict[str, str | float]:
        """Echo one message."""
        return {"sender": sender, "kind": kind, "ts": ts, "text": text}

    @capability("bench.items")
    async def items(self, count: int) -> AsyncIterator[int]:
        """Yield numbers."""
        for number in range(count):
            yield number


class Caller(Agent):
    """Asks another agent, as agents do."""

    @capability("bench.ask")
    async def run(self, ctx: Context, concurrency: int, seconds: float) -> list[float]:
        """Ask for some seconds and return the latencies."""
        return await closed_loop(lambda: ctx.ask("bench.echo", MESSAGE), concurrency=concurrency, seconds=seconds)

    @capability("bench.first_item")
    async def first_item(self, ctx: Context, repeats: int) -> list[float]:
        """Open streams and return how long each first item took."""
        taken = []
        for _ in range(repeats):
            begun = time.perf_counter()
            async with ctx.stream("bench.items", {"count": 1}) as stream:
                taken += [time.perf_counter() - begun async for _ in stream]
        return taken


class RawEcho:
    """A raw Ray async actor."""

    async def echo(self, message: dict[str, Any]) -> dict[str, Any]:
        return message

    async def items(self, count: int) -> AsyncIterator[int]:
        for number in range(count):
            yield number


class RawCaller:
    """Calls it, as a raw Ray actor does."""

    def __init__(self, target: Any) -> None:
        self._target = target

    async def run(self, concurrency: int, seconds: float) -> list[float]:
        return await closed_loop(lambda: self._target.echo.remote(MESSAGE), concurrency=concurrency, seconds=seconds)

    async def first_item(self, repeats: int) -> list[float]:
        taken = []
        for _ in range(repeats):
            begun = time.perf_counter()
            async for ref in self._target.items.options(num_returns="streaming").remote(1):
                await ref
                taken.append(time.perf_counter() - begun)
        return taken


async def measure(*, brief: bool) -> list[Figure]:
    """Measure in interleaved pairs: raw, ours, raw, ours…"""
    repeats, seconds, streams = (2, 0.5, 20) if brief else (7, 1.5, 150)
    async with AgentSystem.start(num_cpus=4) as system:
        await asyncio.gather(system.spawn(Echo), system.spawn(Caller))
        target: Any = ray.remote(RawEcho).options(num_cpus=0, max_concurrency=1000).remote()
        raw: Any = ray.remote(RawCaller).options(num_cpus=0, max_concurrency=1000).remote(target)

        async def ours(concurrency: int) -> list[float]:
            asked = {"concurrency": concurrency, "seconds": seconds}
            data: list[float] = (await system.ask("bench.ask", asked)).data
            return data

        async def first() -> list[float]:
            data: list[float] = (await system.ask("bench.first_item", {"repeats": streams})).data
            return data

        await ours(16), await raw.run.remote(16, seconds), await first(), await raw.first_item.remote(streams)
        pairs: dict[str, list[tuple[float, float]]] = {"p50": [], "per_s": [], "first": []}
        for _ in range(repeats):
            theirs = p50_us(await raw.run.remote(1, seconds))
            pairs["p50"].append((p50_us(await ours(1)), theirs))
            theirs = len(await raw.run.remote(256, seconds)) / seconds
            pairs["per_s"].append((len(await ours(256)) / seconds, theirs))
            theirs = p50_us(await raw.first_item.remote(streams))
            pairs["first"].append((p50_us(await first()), theirs))
    columns = {name: tuple(zip(*values, strict=True)) for name, values in pairs.items()}
    raw_call, raw_stream = "raw Ray async actor call", "raw Ray streaming generator"
    return [
        compare("ask.p50", *columns["p50"], unit="us", peer_name=raw_call, at_most=1.15),
        compare("ask.per_s_256", *columns["per_s"], unit="1/s", peer_name=raw_call, at_least=0.9),
        compare("stream.first_item", *columns["first"], unit="us", peer_name=raw_stream, at_most=1.2),
    ]
