"""The Executor's tools: an allow-list, no shell, nothing from the caller on a command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import InvalidParameters, PermissionDenied, UnknownAction
from agentactors.protocol.roles import ROLE_CAPABILITIES, Role
from agentactors.teams import tools
from agentactors.teams.tools import BUILD_COMMANDS, DEFAULT_COMMANDS, TOOLS, check_commands, run_tool


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH; the test puts programs into it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def install(folder: Path, name: str, body: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)


@pytest.mark.spec("COLLAB-08")
def test_the_list_is_the_specifications_but_for_the_log() -> None:
    assert {f"tool.{name}" for name in TOOLS} | {"tool.read_build_log"} == ROLE_CAPABILITIES[Role.EXECUTOR]


@pytest.mark.spec("COLLAB-08")
@pytest.mark.parametrize("name", ["os_info", "tool.python_env", "disk_usage"])
def test_a_tool_returns_plain_data(name: str) -> None:
    result = run_tool(name)

    assert json.loads(json.dumps(result)) == result
    assert result


@pytest.mark.spec("COLLAB-08")
def test_the_tools_tell_the_truth() -> None:
    assert run_tool("python_env")["version"] == ".".join(map(str, sys.version_info[:3]))
    assert run_tool("os_info")["cpu_count"] >= 1
    for disk in run_tool("disk_usage").values():
        assert 0 <= disk["free"] <= disk["total"]


@pytest.mark.spec("COLLAB-08")
@pytest.mark.parametrize("name", ["shell", "tool.shell", "os_inf", "", "__class__", "tool.tool.os_info"])
def test_a_tool_that_is_not_listed_is_refused(name: str) -> None:
    with pytest.raises(UnknownAction):
        run_tool(name)


def test_a_tool_that_looks_like_another_gets_its_name() -> None:
    with pytest.raises(UnknownAction) as caught:
        run_tool("os_inf")
    assert caught.value.details["nearest"] == ["os_info"]


@pytest.mark.spec("COLLAB-08")
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("os_info", {"path": "/etc"}),
        ("disk_usage", {"commands": ["gcc"]}),
        ("check_commands", {"arguments": ["-c", "id"]}),
        ("check_commands", {"commands": "gcc"}),
        ("check_commands", {"commands": [["gcc", "-c"]]}),
        ("check_commands", {"commands": None}),
    ],
)
def test_a_parameter_that_a_tool_has_not_is_refused(name: str, parameters: dict[str, object]) -> None:
    with pytest.raises(InvalidParameters):
        run_tool(name, parameters)


@pytest.mark.spec("COLLAB-08")
@given(name=st.text() | st.sampled_from(["gcc --help", "gcc;id", "../gcc", "/bin/sh", "sh", "$(id)"]))
def test_a_command_that_is_not_listed_is_refused_and_nothing_runs(name: str) -> None:
    if name in BUILD_COMMANDS:
        return
    with pytest.raises(PermissionDenied) as caught:
        run_tool("check_commands", {"commands": ["gcc", name]})
    assert caught.value.details["refused"] == [name]


@pytest.mark.spec("COLLAB-08")
def test_a_command_is_run_with_its_fixed_arguments_only(programs: Path) -> None:
    install(programs, "gcc", 'echo "gcc got $# arguments: $*"; echo second line')
    install(programs, "go", 'echo "$*"')

    assert check_commands(["gcc", "go", "make", "gcc"]) == {
        "gcc": {"found": True, "version": "gcc got 1 arguments: --version"},
        "go": {"found": True, "version": "version"},
        "make": {"found": False, "version": ""},
    }


@pytest.mark.parametrize("body", ["exit 3", "echo broken; exit 1", ""])
def test_a_command_that_tells_nothing_is_found_without_version(programs: Path, body: str) -> None:
    install(programs, "gcc", body)

    assert check_commands(["gcc"]) == {"gcc": {"found": True, "version": ""}}


def test_a_file_that_cannot_run_is_found_without_version(programs: Path) -> None:
    (programs / "gcc").write_bytes(b"\x00not a program")
    (programs / "gcc").chmod(0o755)

    assert check_commands(["gcc"]) == {"gcc": {"found": True, "version": ""}}


def test_long_and_broken_output_is_cut_and_readable(programs: Path) -> None:
    install(programs, "gcc", "printf '\\377%0500d' 1")

    version = check_commands(["gcc"])["gcc"]["version"]
    assert version.startswith("\ufffd0")
    assert len(version) == 200


@pytest.mark.spec("COLLAB-08")
def test_commands_that_hang_end_in_time(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "COMMAND_TIMEOUT_S", 0.2)
    monkeypatch.setattr(tools, "CHECK_TIMEOUT_S", 0.3)
    for name in ("gcc", "make", "cmake"):
        install(programs, name, "read line; while :; do :; done")

    found = check_commands(["gcc", "make", "cmake"])
    assert list(found) == ["gcc", "make", "cmake"]
    assert all(one == {"found": True, "version": ""} for one in found.values())


def test_the_defaults_are_on_the_list() -> None:
    assert set(DEFAULT_COMMANDS) <= set(BUILD_COMMANDS)
    found = run_tool("check_commands", {"commands": ("python3",)})
    assert found["python3"]["version"].startswith("Python 3")
