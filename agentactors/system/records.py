"""Which systems run on this machine: one small file each in the state folder, for other processes to find."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import psutil

from agentactors.errors import SystemNotFound
from agentactors.nearest import nearest


class SystemRecord(msgspec.Struct, frozen=True):
    """How to find one system."""

    name: str
    address: str
    """Of the Ray cluster's control service."""
    namespace: str
    pid: int
    """The process that started it."""
    started_at: float
    detached: bool
    """Whether it outlives that process."""
    data_dir: str
    token_auth: bool = False
    """Whether Ray asks for its token there; a process that joins has to bring it."""
    secret: str = ""
    """Opens channels to the system's agents, in hexadecimal; never shown."""


class Records:
    """The records of one state folder.

    Args:
        state_dir: The folder; made, readable by its owner only, when first written to.
    """

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / "systems"

    def data_dir(self, name: str, *, detached: bool) -> Path:
        """Return the folder for a system's databases: kept for a detached system, else private to this process."""
        folder = self._folder / (name if detached else f"{name}.{os.getpid()}")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def write(self, record: SystemRecord) -> None:
        """Publish a record; it appears whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._folder / f".{record.name}.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(record)))
        draft.replace(self._path(record.name))

    def remove(self, record: SystemRecord) -> None:
        """Withdraw a record, and delete the databases of a system that was private to its process."""
        self._path(record.name).unlink(missing_ok=True)
        if not record.detached:
            shutil.rmtree(record.data_dir, ignore_errors=True)

    def all(self) -> list[SystemRecord]:
        """Return the records whose system may still run, oldest first; others are swept away."""
        found = []
        for path in self._folder.glob("*.json"):
            record = self._read(path)
            if record is None or not (record.detached or psutil.pid_exists(record.pid)):
                path.unlink(missing_ok=True)
                if record is not None:
                    shutil.rmtree(record.data_dir, ignore_errors=True)
            else:
                found.append(record)
        return sorted(found, key=lambda record: record.started_at)

    def find(self, name: str | None) -> SystemRecord:
        """Return the record of a system; without a name, of the only one.

        Raises:
            SystemNotFound: There is none of that name (``details.nearest`` lists some), or no name was given and
                there is not exactly one.
        """
        records = self.all()
        names = [record.name for record in records]
        if name is None:
            if len(records) == 1:
                return records[0]
            what = (
                f"several systems run ({', '.join(names)}): name one" if records else "no system runs on this machine"
            )
            raise SystemNotFound(f"{what[0].upper()}{what[1:]}.", {"nearest": names})
        for record in records:
            if record.name == name:
                return record
        near = nearest(name, names)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise SystemNotFound(f"No system {name!r} runs on this machine.{hint}", {"nearest": near})

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    @staticmethod
    def _read(path: Path) -> SystemRecord | None:
        try:
            record: SystemRecord = msgspec.json.decode(path.read_bytes(), type=SystemRecord)
        except (OSError, msgspec.DecodeError):
            return None
        return record


def record_detail(record: SystemRecord) -> dict[str, Any]:
    """Return a record as plain data, for ``--json``."""
    detail: dict[str, Any] = msgspec.to_builtins(record)
    del detail["secret"]
    return detail
