"""What all benchmarks share: closed loops, paired repeats, figures as a table or as JSON lines."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and what it is measured against."""

    metric: str
    value: float
    unit: str
    peer: str
    peer_value: float | None
    ratio: float | None
    goal: str
    met: bool | None = None
    n: int = 0


def compare(
    metric: str,
    ours: Iterable[float],
    peer: Iterable[float],
    *,
    unit: str,
    peer_name: str,
    at_most: float | None = None,
    at_least: float | None = None,
    floor: float | None = None,
) -> Figure:
    """Return the figure of paired repeats: medians, and the median of the pairs' ratios.

    The goal is a ratio (``at_most``, ``at_least``), a value of our own (``floor``), or none.
    """
    mine, theirs = list(ours), list(peer)
    ratio = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    goal, met = "", None
    if at_most is not None:
        goal, met = f"at most {at_most}x", ratio <= at_most
    elif at_least is not None:
        goal, met = f"at least {at_least}x", ratio >= at_least
    elif floor is not None:
        goal, met = f"at least {floor:,.0f} {unit}", statistics.median(mine) >= floor
    return Figure(
        metric,
        round(statistics.median(mine), 3),
        unit,
        peer_name,
        round(statistics.median(theirs), 3),
        round(ratio, 3),
        goal,
        met,
        len(mine),
    )


async def closed_loop(call: Callable[[], Awaitable[Any]], *, concurrency: int, seconds: float) -> list[float]:
    """Keep ``concurrency`` calls in flight for ``seconds``; return the latency of each, in seconds."""
    latencies: list[float] = []
    stop = time.perf_counter() + seconds

    async def one() -> None:
        while (begun := time.perf_counter()) < stop:
            await call()
            latencies.append(time.perf_counter() - begun)

    await asyncio.gather(*(one() for _ in range(concurrency)))
    return latencies


def p50_us(latencies: list[float]) -> float:
    """Return the median, in microseconds."""
    return statistics.median(latencies) * 1e6


def machine() -> str:
    """Return one line that says where the figures come from."""
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, Ray {version('ray')}, "
        f"load {os.getloadavg()[0]:.1f}"
    )


def report(figures: Iterable[Figure], *, as_json: bool) -> bool:
    """Print the figures; return whether every goal was met."""
    rows = list(figures)
    if as_json:
        for row in rows:
            print(json.dumps({**asdict(row), "machine": machine()}, ensure_ascii=False))
    else:
        table = Table(title=machine())
        for column in ("metric", "value", "unit", "peer", "peer value", "ratio", "goal", "met"):
            table.add_column(column)
        for row in rows:
            met = "" if row.met is None else ("yes" if row.met else "NO")
            cells = (row.metric, row.value, row.unit, row.peer, row.peer_value, row.ratio, row.goal, met)
            table.add_row(*("" if cell is None else str(cell) for cell in cells))
        Console().print(table)
    return all(row.met is not False for row in rows)
