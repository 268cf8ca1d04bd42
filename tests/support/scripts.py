"""Other processes for tests: a script as a user would write it, run to its end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def written(path: Path, source: str) -> Path:
    """Write a script."""
    path.write_text(source, encoding="utf-8")
    return path


async def run_script(path: Path, *arguments: str, within_s: float = 60.0) -> Any:
    """Run a script in a process of its own and return the JSON in the last line that it printed."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(path),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        cwd=path.parent,
    )
    try:
        async with asyncio.timeout(within_s):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        _, err = await process.communicate()
        raise AssertionError(f"{path.name} did not end within {within_s} s:\n{err.decode()[-3000:]}") from None
    lines = out.decode().splitlines()
    assert process.returncode == 0, f"{path.name} failed:\n{out.decode()[-3000:]}\n{err.decode()[-3000:]}"
    return json.loads(lines[-1])
