"""Packed agents: what one more costs in time and memory, and an ask of one, against a bare asyncio mailbox."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import psutil

from agentactors import Agent, AgentSystem, Context, capability
from benchmarks.measure import Figure, closed_loop, compare, p50_us

AGENTS = 10_000


class Light(Agent):
    """One of many."""

    def __init__(self) -> None:
        self._count = 0

    @capability("bench.light")
    async def light(self, number: int) -> int:
        """Count."""
        self._count += number
        return self._count


class Asker(Agent):
    """Asks the light ones, and a mailbox of its own."""

    @capability("bench.make")
    async def make(self, ctx: Context, first: int, count: int) -> float:
        """Ask agents that are not there yet; return seconds."""
        begun = time.perf_counter()
        for start in range(first, first + count, 200):
            await asyncio.gather(
                *(ctx.ask("bench.light", {"number": 1}, key=f"k{number}") for number in range(start, start + 200))
            )
        return time.perf_counter() - begun

    @capability("bench.ask_light")
    async def run(self, ctx: Context, seconds: float) -> list[float]:
        """Return the latencies of asking one after another."""
        return await closed_loop(
            lambda: ctx.ask("bench.light", {"number": 1}, key="k7"), concurrency=1, seconds=seconds
        )

    @capability("bench.mailbox")
    async def mailbox(self, seconds: float) -> list[float]:
        """The same of a queue and a task."""
        queue: asyncio.Queue[tuple[int, asyncio.Future[int]]] = asyncio.Queue(16)
        loop = asyncio.get_running_loop()

        async def serve() -> None:
            while True:
                number, future = await queue.get()
                future.set_result(number)

        async def ask() -> int:
            future: asyncio.Future[int] = loop.create_future()
            queue.put_nowait((1, future))
            return await future

        serving = loop.create_task(serve())
        try:
            return await closed_loop(ask, concurrency=1, seconds=seconds)
        finally:
            serving.cancel()


async def measure(*, brief: bool) -> list[Figure]:
    """Measure the second making against the second asking of the same agents: the difference is what making costs."""
    repeats, seconds = (2, 0.3) if brief else (7, 1.0)
    async with AgentSystem.start(num_cpus=4) as system:
        await asyncio.gather(system.spawn(Light, packed=True), system.spawn(Asker))
        host = next(row for row in await system.agents() if row["packed"])
        process = psutil.Process((await system.describe(host["endpoint"]))["pid"])

        async def ask(capability_id: str, **parameters: Any) -> Any:
            return (await system.ask(capability_id, parameters, timeout_s=120)).data

        await ask("bench.make", first=0, count=1_000)
        resident = process.memory_info().rss
        made = await ask("bench.make", first=1_000, count=AGENTS)
        grown = process.memory_info().rss - resident
        again = await ask("bench.make", first=1_000, count=AGENTS)
        pairs = []
        for _ in range(repeats):
            floor = p50_us(await ask("bench.mailbox", seconds=seconds))
            pairs.append((p50_us(await ask("bench.ask_light", seconds=seconds)), floor))
    ours, floors = zip(*pairs, strict=True)
    each_us = max(0.0, made - again) / AGENTS * 1e6
    limit_bytes = 60 * 1024 * 1024
    return [
        compare("packed.ask_p50", ours, floors, unit="us", peer_name="asyncio mailbox in one process", at_most=4.0),
        Figure(
            "packed.make",
            round(each_us, 2),
            "us",
            "limit",
            50.0,
            round(each_us / 50, 3),
            "at most 1x",
            each_us <= 50,
            1,
        ),
        Figure(
            "packed.memory_10000",
            round(grown / 1024 / 1024, 1),
            "MiB",
            "limit",
            60.0,
            round(grown / limit_bytes, 3),
            "at most 1x",
            grown <= limit_bytes,
            1,
        ),
    ]
