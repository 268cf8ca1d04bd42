"""The registry's table: registration, heartbeats, incarnations, feed and write-through."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from agentactors.config import Settings
from agentactors.errors import RegistrationRefused, RoleCapabilityMismatch, StaleIncarnation
from agentactors.feed.follower import Follower
from agentactors.feed.log import Position
from agentactors.protocol.declaration import Declaration
from agentactors.protocol.declare import parse_declaration
from agentactors.protocol.roles import Role
from agentactors.registry.row import Registration, ReplicaRow
from agentactors.registry.status import AgentStatus, StatusEvent
from agentactors.registry.table import RegistryTable

SETTINGS = Settings()
EXTERNAL = {"base_url": "http://127.0.0.1:9000"}


def declared(agent_id: str = "poet", capability: str = "poetry.create", **more: Any) -> Declaration:
    return parse_declaration({"agent_id": agent_id, "capabilities": [capability], **more})


def table(**more: Any) -> RegistryTable:
    return RegistryTable(settings=SETTINGS, incarnation=1, **more)


def register(registry: RegistryTable, now: float = 0.0, instance_id: str = "i1", **more: Any) -> Registration:
    declaration = more.pop("declaration", None) or declared()
    return registry.register(declaration, owner=more.pop("owner", "t"), instance_id=instance_id, now=now, **more)


def beat(registry: RegistryTable, now: float, incarnation: int = 1, **more: Any) -> bool:
    return registry.heartbeat("poet", more.pop("replica_id", "0"), incarnation=incarnation, now=now, **more).known


def status(registry: RegistryTable, agent_id: str = "poet", replica_id: str = "0") -> AgentStatus:
    row = registry.row(agent_id, replica_id)
    assert row is not None
    return row.status


@pytest.mark.spec("REACH-28", "REACH-04")
def test_a_registration_is_active_and_says_how_often_to_speak() -> None:
    registry = table()
    answer = register(registry, endpoint="actor", node_id="n1")
    assert answer.incarnation == 1
    assert answer.heartbeat_interval_s == 5.0
    assert answer.offline_after_s == 12.0
    assert answer.epoch == 1
    assert [row.key for row in registry.list_active(0.0)] == [("poet", "0")]
    external = register(registry, declaration=declared("ext", **EXTERNAL))
    assert (external.heartbeat_interval_s, external.offline_after_s) == (30.0, 60.0)


@pytest.mark.spec("REACH-02")
def test_warnings_come_back_and_are_kept() -> None:
    registry = table()
    answer = register(registry, declaration=declared(capability="poem"))
    assert any("domain.action" in warning for warning in answer.warnings)
    assert registry.rows()[0].warnings == list(answer.warnings)


@pytest.mark.spec("REACH-03")
def test_an_id_of_another_owner_is_refused_without_naming_it() -> None:
    registry = table()
    register(registry, owner="secret-tenant")
    with pytest.raises(RegistrationRefused) as caught:
        register(registry, owner="other", replica_id="1", instance_id="i2")
    assert "secret-tenant" not in caught.value.message + str(caught.value.details)
    registry.deregister("poet", owner="secret-tenant")
    assert register(registry, owner="other", instance_id="i2").incarnation == 2


@pytest.mark.spec("REACH-04")
@pytest.mark.parametrize(("more", "limit_s"), [({}, 6.0), (EXTERNAL, 30.0)])
def test_a_heartbeat_interval_over_half_the_time_out_is_refused(more: dict[str, Any], limit_s: float) -> None:
    registry = table()
    with pytest.raises(RegistrationRefused) as caught:
        register(registry, declaration=declared(heartbeat_interval_s=limit_s + 0.1, **more))
    assert caught.value.details == {"path": "heartbeat_interval_s", "limit_s": limit_s}
    assert (
        register(registry, declaration=declared(heartbeat_interval_s=limit_s, **more)).heartbeat_interval_s == limit_s
    )


def test_a_role_is_checked_again_at_registration() -> None:
    unchecked = declared().model_copy(update={"role": Role.PLANNER})
    stolen = unchecked.model_copy(
        update={"capabilities": (declared().capabilities[0].model_copy(update={"capability_id": "retrieve.search"}),)}
    )
    with pytest.raises(RoleCapabilityMismatch):
        register(table(), declaration=stolen)


@pytest.mark.spec("RUN-07")
def test_incarnations() -> None:
    registry = table()
    assert register(registry).incarnation == 1
    assert register(registry, now=1.0).incarnation == 1, "the same process keeps its own"
    assert register(registry, now=2.0, instance_id="i2").incarnation == 2, "a new process succeeds it"
    with pytest.raises(StaleIncarnation) as caught:
        register(registry, now=3.0, instance_id="i1", known_incarnation=1)
    assert caught.value.details["current"] == 2
    with pytest.raises(StaleIncarnation):
        beat(registry, 3.0, incarnation=1)
    registry.deregister("poet", owner="t")
    with pytest.raises(StaleIncarnation):
        beat(registry, 4.0, incarnation=1)
    assert beat(registry, 4.0, incarnation=2) is False, "it has been deregistered: register again"
    assert register(registry, now=5.0, instance_id="i2", known_incarnation=2).incarnation == 3


@pytest.mark.spec("RUN-07")
def test_a_registry_that_lost_its_store_takes_the_incarnation_that_a_process_knows() -> None:
    registry = table()
    assert beat(registry, 0.0, incarnation=7) is False
    assert register(registry, known_incarnation=7).incarnation == 7
    assert beat(registry, 1.0, incarnation=7)
    assert register(registry, instance_id="i2").incarnation == 8


def test_registering_the_same_again_makes_no_epoch() -> None:
    registry = table()
    register(registry)
    registry.take_dirty()
    assert register(registry, now=1.0).epoch == 1
    assert registry.take_dirty() == ([], {}, 1)
    assert register(registry, now=2.0, declaration=declared(priority=11)).epoch == 2


@pytest.mark.spec("REACH-04")
def test_heartbeats_make_no_epoch_and_carry_load() -> None:
    registry = table()
    register(registry)
    registry.take_dirty()
    assert beat(registry, 5.0, load=3, in_flight=2, lag_s=0.25)
    row = registry.rows()[0]
    assert (row.load, row.in_flight, row.lag_s, row.last_heartbeat) == (3, 2, 0.25, 5.0)
    assert registry.take_dirty() == ([], {}, 1)
    assert [pulse.key for pulse in registry.pulses(5.0)] == [("poet", "0")]
    assert registry.pulses(5.1) == []


@pytest.mark.spec("REACH-04", "REACH-28")
def test_silence_degrades_then_takes_offline_and_a_heartbeat_brings_back() -> None:
    registry = table()
    register(registry)
    assert registry.sweep(7.5) == 0
    assert registry.sweep(7.6) == 1
    assert status(registry) is AgentStatus.DEGRADED
    assert registry.list_active(7.6) == []
    assert registry.sweep(12.0) == 1
    assert status(registry) is AgentStatus.OFFLINE
    assert "12" in registry.rows()[0].cause
    assert registry.sweep(100.0) == 0
    assert beat(registry, 101.0)
    assert status(registry) is AgentStatus.ACTIVE
    assert registry.rows()[0].cause == ""


@pytest.mark.spec("REACH-04", "REACH-24")
def test_an_external_agent_is_offline_after_sixty_seconds_also_when_nobody_sweeps() -> None:
    registry = table()
    register(registry, declaration=declared(**EXTERNAL))
    assert registry.list_active(45.0)
    assert registry.find_by_capability("poetry.create", 45.0)
    assert registry.list_active(60.0) == []
    assert registry.find_by_capability("poetry.create", 60.0) == []
    assert status(registry) is AgentStatus.ACTIVE, "nobody has swept"


def test_an_agent_may_say_that_it_is_degraded() -> None:
    registry = table()
    register(registry)
    beat(registry, 1.0, degraded=True)
    assert status(registry) is AgentStatus.DEGRADED
    beat(registry, 2.0)
    assert status(registry) is AgentStatus.ACTIVE


@pytest.mark.spec("REACH-28")
def test_mark_down_lasts_until_the_next_heartbeat() -> None:
    registry = table()
    register(registry)
    register(registry, replica_id="1", instance_id="i2")
    assert registry.mark_down("poet", "1", cause="probe failed", now=1.0) == 1
    assert registry.mark_down("poet", None, cause="node lost", now=1.0, event=StatusEvent.DIED) == 1
    assert [row.cause for row in registry.rows()] == ["node lost", "probe failed"]
    assert registry.mark_down("nobody", None, cause="x", now=1.0) == 0
    beat(registry, 2.0)
    assert [row.key for row in registry.list_active(2.0)] == [("poet", "0")]


@pytest.mark.spec("REACH-28", "REACH-05")
def test_deregister_removes_own_replicas_only() -> None:
    registry = table()
    register(registry)
    register(registry, replica_id="1", instance_id="i2")
    assert registry.deregister("poet", owner="other") == 0
    assert registry.deregister("poet", "1", owner="t") == 1
    assert registry.deregister("poet", owner="t") == 1
    assert registry.rows() == []
    rows, dropped, epoch = registry.take_dirty()
    assert (rows, dropped, epoch) == ([], {("poet", "0"): 1, ("poet", "1"): 1}, 4)


@pytest.mark.spec("REACH-05", "REACH-28")
def test_update_capability_changes_all_replicas_at_once() -> None:
    registry = table()
    register(registry, declaration=declared(input_schema={"theme": "string"}, substitutes={"poetry.create": ["x.y"]}))
    register(registry, replica_id="1", instance_id="i2", declaration=declared(input_schema={"theme": "string"}))
    warnings = registry.update_capability(
        "poet",
        ["poetry.create", {"capability_id": "poetry.review", "input_schema": {"poem": "string"}}],
        owner="t",
        now=1.0,
    )
    assert any("poetry.review" in warning for warning in warnings)
    assert len(registry.find_by_capability("poetry.review", 1.0)) == 2
    held = registry.rows()[0].declaration["capabilities"]
    assert set(held[0]["input_schema"]["properties"]) == {"theme"}
    registry.update_capability("poet", [declared(capability="poetry.review").capabilities[0]], owner="t", now=2.0)
    assert registry.find_by_capability("poetry.create", 2.0) == []
    assert registry.rows()[0].declaration["substitutes"] == {}


def test_update_capability_refuses_what_registration_would_and_changes_nothing() -> None:
    registry = table()
    register(registry)
    before = registry.position
    wrong: list[Any] = [[], ["a.b", "a.b"], [3], [{"capability_id": []}], [{"capability_id": "a.b", "input_schema": 3}]]
    for capabilities in wrong:
        with pytest.raises(RegistrationRefused):
            registry.update_capability("poet", capabilities, owner="t", now=1.0)
    with pytest.raises(RegistrationRefused):
        registry.update_capability("poet", ["a.b"], owner="other", now=1.0)
    with pytest.raises(RoleCapabilityMismatch):
        registry.update_capability("poet", ["plan.create"], owner="t", now=1.0)
    assert registry.position == before


@pytest.mark.spec("RAY-08", "RUN-07")
def test_recovered_rows_keep_status_and_get_a_grace() -> None:
    first = table()
    register(first)
    register(first, declaration=declared("other"), instance_id="i9")
    first.mark_down("other", None, cause="gone", now=0.0)
    first.deregister("other", owner="t")
    rows, _, epoch = first.take_dirty()
    stored = [msgspec.msgpack.decode(msgspec.msgpack.encode(row), type=ReplicaRow) for row in rows]
    again = RegistryTable(
        settings=SETTINGS, incarnation=2, epoch=epoch, rows=stored, counters={("other", "0"): 4}, recovered_at=1000.0
    )
    assert again.position == Position(2, epoch)
    assert again.sweep(1005.0) == 0
    assert [row.key for row in again.list_active(1005.0)] == [("poet", "0")]
    assert beat(again, 1005.0)
    assert again.sweep(1012.1) == 0
    assert register(again, declaration=declared("other"), instance_id="new").incarnation == 5
    with pytest.raises(StaleIncarnation):
        again.heartbeat("other", "0", incarnation=4, now=1.0)


def test_what_could_not_be_stored_is_dirty_again_with_its_newest_state() -> None:
    registry = table()
    register(registry)
    rows, dropped, _ = registry.take_dirty()
    registry.mark_down("poet", None, cause="x", now=1.0)
    registry.put_back(rows, dropped)
    again, _, epoch = registry.take_dirty()
    assert [row.status for row in again] == [AgentStatus.OFFLINE]
    assert epoch == 2


@pytest.mark.spec("REACH-05")
def test_followers_see_every_change() -> None:
    registry = table()
    follower: Follower[ReplicaRow] = Follower()
    follower.apply(registry.snapshot())
    register(registry)
    registry.mark_down("poet", None, cause="x", now=1.0)
    changes = registry.since(follower.position)
    assert changes is not None
    assert follower.apply(changes)
    assert follower.rows == {row.key: row for row in registry.rows()}
    registry.deregister("poet", owner="t")
    changes = registry.since(follower.position)
    assert changes is not None
    assert follower.apply(changes)
    assert follower.rows == {}
