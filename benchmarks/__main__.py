"""``python -m benchmarks NAME [--json] [--brief]``; NAME is one of the files here, or ``all``."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
from pathlib import Path

NAMES = ("ask", "channel", "handoff", "packed", "start", "diagnose")


def main() -> int:
    """Run one benchmark, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=[*NAMES, "all"])
    parser.add_argument("--json", action="store_true", help="one JSON line per figure instead of a table")
    parser.add_argument("--brief", action="store_true", help="a short run, to see that it runs")
    parser.add_argument("--data", type=Path, help="folder with labelled data (for diagnose)")
    arguments = parser.parse_args()
    met = True
    for name in NAMES if arguments.name == "all" else (arguments.name,):
        module = importlib.import_module(f"benchmarks.{name}")
        options = {"data": arguments.data} if name == "diagnose" else {}
        figures = asyncio.run(module.measure(brief=arguments.brief, **options))
        met &= importlib.import_module("benchmarks.measure").report(figures, as_json=arguments.json)
    return 0 if met or arguments.brief else 1


if __name__ == "__main__":
    sys.exit(main())
