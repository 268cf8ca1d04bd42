"""Large state through four stages that each sum it: the driver and three agents, against raw Ray and a bare socket.

Raw Ray puts the array into plasma once and hands the reference from actor to actor, each of which sums it.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

import numpy as np
import ray

from agentactors import Agent, AgentSystem, capability
from benchmarks.measure import Figure, compare

_MODULUS = 2**64


def total(array: np.ndarray[Any, Any]) -> int:
    """Return the sum of an array's eight-byte words."""
    return int(array.view(np.uint64).sum())


class Stage(Agent):
    """Sums what it is handed."""

    @capability("bench.stage")
    async def stage(self, array: np.ndarray, so_far: str) -> str:
        """Add the array's sum; the number is text, since it has 64 bits."""
        return str((int(so_far) + total(array)) % _MODULUS)


class RawStage:
    """The same in raw Ray, chained."""

    def __init__(self, following: Any) -> None:
        self._following = following

    def stage(self, box: list[Any], so_far: int) -> int:
        so_far = (so_far + total(ray.get(box[0]))) % _MODULUS
        return so_far if self._following is None else int(ray.get(self._following.stage.remote(box, so_far)))


async def measure(*, brief: bool) -> list[Figure]:
    """Measure in interleaved pairs; each pair is the medians of some repeats."""
    pairs, repeats = (2, 3) if brief else (7, 5)
    figures = []
    async with AgentSystem.start(num_cpus=4, object_store_bytes=2 << 30) as system:
        await asyncio.gather(*(system.spawn(Stage, agent_id=f"stage-{number}") for number in range(3)))
        raw: Any = None
        for _ in range(3):
            raw = ray.remote(RawStage).options(num_cpus=0).remote(raw)

        async def ours(array: np.ndarray[Any, Any], *, large: bool) -> float:
            begun = time.perf_counter()
            ref = system.put(array) if large else None
            so_far = str(total(array))
            for number in range(3):
                asked = {"array": array if ref is None else ref, "so_far": so_far}
                so_far = (await system.ask("bench.stage", asked, agent_id=f"stage-{number}")).data
            taken = time.perf_counter() - begun
            if ref is not None:
                system.release(ref)
            assert int(so_far) == 4 * total(array) % _MODULUS
            return taken

        async def theirs(array: np.ndarray[Any, Any]) -> float:
            begun = time.perf_counter()
            box = [ray.put(array)]
            so_far = await raw.stage.remote(box, total(array))
            taken = time.perf_counter() - begun
            assert so_far == 4 * total(array) % _MODULUS
            return taken

        for size_mb, at_most in ((1, 0.2), (16, 1.1), (128, 1.15)):
            array = np.random.default_rng(7).integers(0, 255, size_mb << 20, dtype=np.uint8)
            large = size_mb > 1
            rows = []
            for number in range(pairs + 1):
                peer = statistics.median([await theirs(array) for _ in range(repeats)])
                own = statistics.median([await ours(array, large=large) for _ in range(repeats)])
                if number:  # the first touches the store's pages
                    rows.append((own * 1e3, peer * 1e3))
            own_ms, peer_ms = zip(*rows, strict=True)
            figures.append(
                compare(
                    f"handoff.{size_mb}mb",
                    own_ms,
                    peer_ms,
                    unit="ms",
                    peer_name="raw Ray, plasma, chained",
                    at_most=at_most,
                )
            )
    return figures
