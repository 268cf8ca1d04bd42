"""Why nobody can be reached: registered, online, capability id, in this order."""

from __future__ import annotations

from typing import Any

import pytest

from agentactors.config import Settings
from agentactors.errors import NoReachableAgent
from agentactors.nearest import nearest
from agentactors.registry.row import ReplicaRow
from agentactors.registry.status import AgentStatus
from agentactors.routing.decide import decide
from agentactors.routing.directory import Directory
from agentactors.routing.request import RouteRequest
from tests.unit.routing.table_rows import NOW, row


def failed(*rows: ReplicaRow, **request: Any) -> NoReachableAgent:
    with pytest.raises(NoReachableAgent) as caught:
        decide(Directory(rows), RouteRequest(**request), settings=Settings(), now=NOW)
    assert caught.value.message.endswith(".")
    return caught.value


@pytest.mark.spec("REACH-25")
def test_nothing_registered() -> None:
    fault = failed(capability="poetry.create")
    assert fault.details == {"failed_check": "registered", "nearest": []}
    fault = failed(row(), capability="poetry.create", agent_id="poet2")
    assert fault.details == {"failed_check": "registered", "nearest": ["poet"]}
    assert "'poet'" in fault.message


@pytest.mark.spec("REACH-25")
def test_registered_and_not_online() -> None:
    fault = failed(row(age_s=75.5), row(replica_id="1", age_s=40.25), capability="poetry.create")
    assert fault.details["failed_check"] == "online"
    assert fault.details["last_heartbeat_age_s"] == 40.25
    assert fault.details["limit_s"] == 12.0
    assert "40.2 s" in fault.message
    external = failed(row(base_url="http://127.0.0.1:1", age_s=61.0), capability="poetry.create")
    assert external.details["limit_s"] == 60.0
    down = failed(row(status=AgentStatus.OFFLINE, cause="node lost"), capability="poetry.create")
    assert "node lost" in down.message


@pytest.mark.spec("REACH-25")
def test_another_capability_id() -> None:
    fault = failed(row("t", "translation.text"), row(), capability="text.translation")
    assert fault.details == {
        "failed_check": "capability_id",
        "capability": "text.translation",
        "nearest": ["translation.text"],
    }
    assert "did you mean 'translation.text'?" in fault.message
    mine = failed(row("t", "translation.text"), row(), capability="translation.text", agent_id="poet")
    assert mine.details["failed_check"] == "capability_id"
    assert "poetry.create" in mine.message


@pytest.mark.parametrize(
    ("wanted", "known", "expected"),
    [
        ("text.translation", ["translation.text", "text.summary"], "translation.text"),
        ("poetry.creat", ["poetry.create", "pottery.create"], "poetry.create"),
        ("Poetry.Create", ["poetry.create"], "poetry.create"),
        ("poet.create", ["poetry.create", "image.create"], "poetry.create"),
    ],
)
def test_nearest(wanted: str, known: list[str], expected: str) -> None:
    assert nearest(wanted, known)[0] == expected


def test_nothing_near() -> None:
    assert nearest("zzz.qqq", ["poetry.create"]) == []
    assert len(nearest("a.b", [f"a.b{number}" for number in range(9)])) == 3
