"""``agentactors doctor``: is this machine fit, and are the systems on it well."""

from __future__ import annotations

import asyncio
import json
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import psutil
import typer
from rich.console import Console
from rich.text import Text

from agentactors.config import Settings, load_settings
from agentactors.errors import AgentActorsError
from agentactors.runtime import names
from agentactors.system.records import Records, SystemRecord

if TYPE_CHECKING:
    from agentactors.system.system import AgentSystem

EXIT_FAILED: Final = 1
_LOW_DISK_BYTES: Final = 2 * 1024**3
_LOW_MEMORY_BYTES: Final = 1024**3
_LOW_SHM_BYTES: Final = 256 * 1024**2
_PING_S: Final = 5.0
_MAX_LAG_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    ok: bool
    note: str


def add_to(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("doctor")
    def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
        """Look at this machine and at every system that runs on it, and say what is wrong and why."""
        settings = load_settings(worker_logs=False)
        findings = [*_machine(settings)]
        for record in Records(settings.state_dir).all():
            findings += asyncio.run(_system(record, settings))
        if as_json:
            typer.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        else:
            _print(findings)
        if not all(finding.ok for finding in findings):
            raise typer.Exit(EXIT_FAILED)


def _machine(settings: Settings) -> Iterator[Finding]:
    yield Finding("Python", sys.version_info >= (3, 11), platform.python_version())
    yield Finding("Ray", version("ray").startswith("2.60."), version("ray"))
    free = psutil.virtual_memory().available
    yield Finding("memory", free > _LOW_MEMORY_BYTES, f"{free / 1e9:.1f} GB available")
    shm = Path("/dev/shm")  # noqa: S108 - where Ray's object store lies on Linux
    if shm.is_dir():
        left = shutil.disk_usage(shm).free
        yield Finding("shared memory", left > _LOW_SHM_BYTES, f"{left / 1e9:.1f} GB free in {shm}")
    yield _state_folder(settings.state_dir)


def _state_folder(folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as fault:
        return Finding("state folder", ok=False, note=f"{folder}: {fault.strerror}")
    left = shutil.disk_usage(folder).free
    return Finding("state folder", left > _LOW_DISK_BYTES, f"{folder}, {left / 1e9:.1f} GB free")


async def _system(record: SystemRecord, settings: Settings) -> list[Finding]:
    """Attach to one system, ping its actors, look at its agents."""
    from agentactors.system.system import AgentSystem

    where = f"system {record.name}"
    try:
        async with AgentSystem.attach(record.name, settings=settings) as system:
            findings = [Finding(where, ok=True, note=f"Ray at {record.address}, started by process {record.pid}")]
            findings += [await _ping(system, name) for name in (names.REGISTRY, names.ROUTER, names.JOURNAL)]
            for row in await system.agents():
                well = row["status"] == "active" and row["lag_s"] < _MAX_LAG_S
                note = f"{row['status']}, heartbeat {row['last_heartbeat_age_s']:.1f} s ago"
                note += f", its loop is {row['lag_s']:.1f} s late" if row["lag_s"] >= _MAX_LAG_S else ""
                note += f" ({row['cause']})" if row["cause"] else ""
                findings.append(Finding(f"{record.name}: {row['agent_id']}/{row['replica_id']}", well, note))
            return findings
    except AgentActorsError as fault:
        return [Finding(where, ok=False, note=f"{fault.code}: {fault.message}")]


async def _ping(system: AgentSystem, name: str) -> Finding:
    begun = time.monotonic()
    try:
        await system.ping(name, timeout_s=_PING_S)
    except AgentActorsError as fault:
        return Finding(f"{system.name}: {name}", ok=False, note=f"{fault.code}: {fault.message}")
    return Finding(f"{system.name}: {name}", ok=True, note=f"answers in {(time.monotonic() - begun) * 1000:.0f} ms")


def _print(findings: list[Finding]) -> None:
    console = Console()
    for finding in findings:
        mark = Text("ok  ", style="green") if finding.ok else Text("BAD ", style="bold red")
        console.print(mark + Text(f"{finding.what}: {finding.note}"), soft_wrap=True)
