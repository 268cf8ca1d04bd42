"""The public API is what the README says, and no more."""

from __future__ import annotations

import re

import pytest

import agentactors
from tests.support.pages import ROOT

PUBLIC = {
    "Agent",
    "AgentActorsError",
    "AgentSystem",
    "Context",
    "Result",
    "ResultStatus",
    "Role",
    "Settings",
    "StateRef",
    "Task",
    "Visibility",
    "__version__",
    "capability",
}
"""A name that goes breaks somebody's program: changing this list is a decision."""
SYSTEM = {
    "agents",
    "ask",
    "ask_ref",
    "attach",
    "data_dir",
    "describe",
    "name",
    "namespace",
    "put",
    "read",
    "release",
    "result",
    "settings",
    "shutdown",
    "spawn",
    "start",
    "stop",
    "stream",
    "submit",
    "submit_task",
    "tell",
    "update_capabilities",
}
CONTEXT = {
    "agent_id",
    "ask",
    "ask_blocking",
    "ask_ref",
    "cancelled",
    "deadline",
    "memory",
    "message_id",
    "progress",
    "query",
    "remaining_s",
    "request_id",
    "role",
    "stream",
    "tenant",
}


def documented(page: str) -> set[str]:
    """Return the names in the first column of a page's last table."""
    text = (ROOT / page).read_text(encoding="utf-8")
    rows = text[text.rindex("| --- | --- |") :].splitlines()[1:]
    return {name for row in rows if row.startswith("|") for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def test_the_list_of_public_names() -> None:
    assert set(agentactors.__all__) == PUBLIC
    assert list(agentactors.__all__) == sorted(agentactors.__all__)


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_readme_lists_every_public_name(page: str) -> None:
    assert documented(page) == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_can_be_imported_and_is_described(name: str) -> None:
    value = getattr(agentactors, name)
    assert name.startswith("__") or value.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        _ = agentactors.Nobody
    with pytest.raises(ImportError):
        exec("from agentactors import Nobody", {})


def test_everything_public_is_listed_by_dir() -> None:
    assert set(dir(agentactors)) == PUBLIC


def test_what_a_system_and_a_context_offer_is_kept() -> None:
    """Names may be added; one that goes breaks somebody's program."""
    assert {name for name in SYSTEM if not hasattr(agentactors.AgentSystem, name)} == set()
    assert {name for name in CONTEXT if not hasattr(agentactors.Context, name)} == set()


def test_the_version_is_that_of_the_project() -> None:
    assert f'version = "{agentactors.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
