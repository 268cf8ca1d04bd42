"""The tools of the Executor: an allow-list of functions that look at this machine and change nothing.

No tool goes through a shell, and none takes a path or an argument from its caller. The one parameter there
is, the names for ``check_commands``, picks from a fixed table of programs with fixed arguments.
"""

from __future__ import annotations

import difflib
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from agentactors.errors import InvalidParameters, PermissionDenied, UnknownAction

COMMAND_TIMEOUT_S: Final = 3.0
"""How long one program may take to tell its version."""
CHECK_TIMEOUT_S: Final = 10.0
"""How long all programs of one check may take; those that are left are reported without version."""
_VERSION_CHARS: Final = 200
_NAME_CHARS: Final = 100

BUILD_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "autoconf": ("--version",),
    "cargo": ("--version",),
    "clang": ("--version",),
    "cmake": ("--version",),
    "dnf": ("--version",),
    "dpkg-buildpackage": ("--version",),
    "g++": ("--version",),
    "gcc": ("--version",),
    "git": ("--version",),
    "go": ("version",),
    "java": ("-version",),
    "ld": ("--version",),
    "make": ("--version",),
    "meson": ("--version",),
    "ninja": ("--version",),
    "node": ("--version",),
    "patch": ("--version",),
    "perl": ("--version",),
    "pkg-config": ("--version",),
    "python3": ("--version",),
    "rpm": ("--version",),
    "rpmbuild": ("--version",),
    "rustc": ("--version",),
}
"""Program to the arguments that make it tell its version; nothing else is ever run."""

DEFAULT_COMMANDS: Final = ("gcc", "ld", "make", "cmake", "pkg-config", "rpmbuild", "python3")
_PYTHON_PACKAGES: Final = ("pip", "setuptools", "wheel", "build", "meson", "numpy", "cython")


def os_info() -> dict[str, Any]:
    """Return operating system, kernel, machine, processors and memory (bytes; 0 when not known)."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    return {
        "system": platform.system(),
        "distribution": release.get("PRETTY_NAME", ""),
        "distribution_id": release.get("ID", ""),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "cpu_count": os.cpu_count() or 0,
        "memory_bytes": _memory_bytes(),
    }


def python_env() -> dict[str, Any]:
    """Return the Python that runs the Executor, and the versions of packages that builds use."""
    return {
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "virtual_environment": sys.prefix != sys.base_prefix,
        "packages": {name: _package_version(name) for name in _PYTHON_PACKAGES},
    }


def disk_usage() -> dict[str, Any]:
    """Return total, used and free bytes of the disks that a build writes to."""
    places = {"root": Path("/"), "temporary": Path(tempfile.gettempdir()), "working": Path()}
    return {name: shutil.disk_usage(place)._asdict() for name, place in places.items()}


def check_commands(commands: Sequence[str] = DEFAULT_COMMANDS) -> dict[str, Any]:
    """Look up build programs and ask each for its version.

    Args:
        commands: Names from :data:`BUILD_COMMANDS`.

    Returns:
        For each name: ``found``, and the first line of ``version`` (empty when it told none in time).

    Raises:
        PermissionDenied: A name is not in the table; nothing was run.
    """
    refused = sorted(set(commands) - BUILD_COMMANDS.keys())
    if refused:
        raise PermissionDenied(
            f"The command {refused[0]!r} is not on the Executor's list; it may look at {', '.join(BUILD_COMMANDS)}.",
            {"refused": refused, "allowed": list(BUILD_COMMANDS)},
        )
    end = time.monotonic() + CHECK_TIMEOUT_S
    found = {}
    for name in dict.fromkeys(commands):
        program = shutil.which(name)
        left_s = min(COMMAND_TIMEOUT_S, end - time.monotonic())
        version = _version(program, BUILD_COMMANDS[name], left_s) if program and left_s > 0 else ""
        found[name] = {"found": program is not None, "version": version}
    return found


class Tool(NamedTuple):
    """One entry of the allow-list."""

    run: Callable[..., dict[str, Any]]
    parameters: frozenset[str] = frozenset()


TOOLS: Final[Mapping[str, Tool]] = {
    "os_info": Tool(os_info),
    "python_env": Tool(python_env),
    "disk_usage": Tool(disk_usage),
    "check_commands": Tool(check_commands, frozenset({"commands"})),
}
"""The allow-list, but for ``read_build_log``, which the diagnosis brings."""


def run_tool(name: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Run an allow-listed tool; blocks for up to :data:`CHECK_TIMEOUT_S`, so keep it off an event loop.

    Args:
        name: ``os_info``, or its capability id ``tool.os_info``.
        parameters: The tool's own parameters.

    Raises:
        UnknownAction: The tool is not on the list.
        InvalidParameters: The tool has no such parameter, or a value is of the wrong kind.
        PermissionDenied: A command is not on the list.
    """
    short = name.removeprefix("tool.")[:_NAME_CHARS]
    if short not in TOOLS:
        raise UnknownAction(
            f"The Executor has no tool {short!r}; it has {', '.join(TOOLS)}.",
            {"action": short, "nearest": difflib.get_close_matches(short, TOOLS, cutoff=0.4)},
        )
    given = dict(parameters or {})
    unknown = sorted(given.keys() - TOOLS[short].parameters)
    if unknown:
        raise InvalidParameters(f"The tool {short} has no parameter {unknown[0]!r}.", {"unknown": unknown})
    commands = given.get("commands", [])
    if not isinstance(commands, list | tuple) or not all(isinstance(command, str) for command in commands):
        raise InvalidParameters(f"commands of the tool {short} must be a list of names.", {"path": "$.commands"})
    return TOOLS[short].run(**given)


def _version(program: str, arguments: tuple[str, ...], timeout_s: float) -> str:
    try:
        done = subprocess.run(  # noqa: S603  both program and arguments come from BUILD_COMMANDS
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return ""
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:_VERSION_CHARS] if lines and done.returncode == 0 else ""


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def _package_version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
