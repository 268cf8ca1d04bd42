"""Starting a system with four agents, against ``ray.init`` and four raw actors; each in a process of its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time

from benchmarks.measure import Figure, compare

RAW = """
import time; begun = time.perf_counter()
import ray
ray.init(address="local", include_dashboard=False, log_to_driver=False)
class A:
    async def ping(self): return 1
actors = [ray.remote(A).options(num_cpus=0).remote() for _ in range(4)]
ray.get([actor.ping.remote() for actor in actors])
print("TOOK", time.perf_counter() - begun)
ray.shutdown()
"""

OURS = """
import time; begun = time.perf_counter()
import asyncio
from agentactors import Agent, AgentSystem, capability
class Pinged(Agent):
    '''Answers.'''
    @capability("bench.ping")
    async def ping(self) -> int:
        '''Answer.'''
        return 1
async def main():
    async with AgentSystem.start() as system:
        await asyncio.gather(*(system.spawn(Pinged, agent_id=f"agent-{n}") for n in range(4)))
        await asyncio.gather(*(system.ask("bench.ping", agent_id=f"agent-{n}") for n in range(4)))
        print("TOOK", time.perf_counter() - begun)
asyncio.run(main())
"""


def _took(script: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True, env=dict(os.environ)
    )
    return float(next(line for line in done.stdout.splitlines() if line.startswith("TOOK")).split()[1])


async def measure(*, brief: bool) -> list[Figure]:
    """Measure in interleaved pairs of fresh processes."""
    ours, raw = [], []
    for _ in range(1 if brief else 5):
        begun = time.perf_counter()
        raw.append(await asyncio.to_thread(_took, RAW))
        ours.append(await asyncio.to_thread(_took, OURS))
        assert time.perf_counter() - begun < 240
    peer = "ray.init + four raw actors"
    return [compare("start.four_agents", ours, raw, unit="s", peer_name=peer, at_most=1.3)]
