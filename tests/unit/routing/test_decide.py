"""Stage 1: permission, status, capability, schema, role, order."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.config import Settings
from agentactors.errors import (
    AgentActorsError,
    InputInvalid,
    InvalidParameters,
    NoReachableAgent,
    PermissionDenied,
    RoleCapabilityMismatch,
)
from agentactors.protocol.state import StateKind, marker
from agentactors.registry.row import Pulse, ReplicaRow
from agentactors.registry.status import AgentStatus
from agentactors.routing.decide import decide
from agentactors.routing.directory import Directory
from agentactors.routing.request import Resolution, RouteRequest
from tests.unit.routing.table_rows import NOW, row

SETTINGS = Settings()
THEME = {"type": "object", "properties": {"theme": {"type": "string"}}, "required": ["theme"]}


def route(*rows: ReplicaRow, capability: str | None = "poetry.create", **more: Any) -> Resolution:
    return decide(Directory(rows), RouteRequest(capability=capability, **more), settings=SETTINGS, now=NOW)


def agents(resolution: Resolution) -> list[str]:
    return list(dict.fromkeys(target.agent_id for target in resolution.targets))


@pytest.mark.spec("REACH-06")
def test_an_exact_capability_gives_its_replicas() -> None:
    resolution = route(row(), row(replica_id="1", load=4), row("translator", "translation.text"))
    assert [target.replica_id for target in resolution.targets] == ["0", "1"]
    first = resolution.targets[0]
    assert (first.agent_id, first.incarnation, first.endpoint) == ("poet", 1, "actor-poet-0")
    assert resolution.capability == "poetry.create"
    assert resolution.lease_s == SETTINGS.resolution_lease_s
    assert resolution.schemas[first.schema_id] == {"type": "object"}
    assert resolution.rejected == ()
    assert resolution.ranking == ()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(resolution), type=Resolution) == resolution


def test_flags_of_the_capability_travel_with_the_target() -> None:
    capability = {
        "capability_id": "poetry.create",
        "input_schema": {"line": "string"},
        "takes_query": "line",
        "idempotent": True,
        "streaming": True,
    }
    target = route(row(capability=[capability])).targets[0]
    assert (target.takes_query, target.idempotent, target.streaming) == ("line", True, True)


@pytest.mark.spec("REACH-06", "REACH-16")
def test_a_capability_that_nobody_serves_is_refused_and_never_sent_elsewhere() -> None:
    with pytest.raises(NoReachableAgent) as caught:
        route(row(), capability="poetry.review", query="review my poem")
    assert caught.value.details["failed_check"] == "capability_id"


def test_a_sentence_alone_asks_for_a_capability() -> None:
    with pytest.raises(NoReachableAgent, match="name one"):
        route(row(), capability=None, query="write a poem")


def test_an_agent_with_one_capability_needs_no_more_than_its_name() -> None:
    assert route(row(), capability=None, agent_id="poet").capability == "poetry.create"
    with pytest.raises(NoReachableAgent):
        route(row(capability=["a.b", "c.d"]), capability=None, agent_id="poet")
    with pytest.raises(NoReachableAgent) as caught:
        route(row(), capability=None, agent_id="peot")
    assert caught.value.details == {"failed_check": "registered", "nearest": ["poet"]}


@pytest.mark.spec("REACH-04", "REACH-24")
def test_offline_and_silent_replicas_are_never_routed_to() -> None:
    for gone in (row(status=AgentStatus.OFFLINE), row(age_s=12.0), row(base_url="http://127.0.0.1:1", age_s=60.0)):
        with pytest.raises(NoReachableAgent) as caught:
            route(gone)
        assert caught.value.details["failed_check"] == "online"
    assert route(row(base_url="http://127.0.0.1:1", age_s=44.0)).targets


@pytest.mark.spec("REACH-04")
def test_a_late_packed_host_keeps_its_keys_and_any_other_late_replica_waits() -> None:
    pair = [row("many"), row("many", replica_id="1", status=AgentStatus.DEGRADED)]
    packed = route(*(msgspec.structs.replace(one, packed=True) for one in pair))
    assert [target.replica_id for target in packed.targets] == ["0", "1"]
    assert [target.replica_id for target in route(*pair).targets] == ["0"]


@pytest.mark.spec("REACH-04")
def test_degraded_comes_last_and_stands_for_an_agent_only_when_nothing_better_is_there() -> None:
    resolution = route(
        row("best", priority=500, status=AgentStatus.DEGRADED),
        row("good", age_s=8.0),
        row("good", replica_id="1"),
    )
    assert [(target.agent_id, target.replica_id) for target in resolution.targets] == [("good", "1"), ("best", "0")]
    assert [target.status for target in resolution.targets] == ["active", "degraded"]


@pytest.mark.spec("REACH-10")
def test_order_is_priority_then_load_then_name() -> None:
    rows = [
        row("d", priority=9),
        row("c", priority=10, load=100_000),
        row("b", priority=10, load=1),
        row("a", priority=10, load=1),
        row("e", priority=11, load=1000),
    ]
    expected = ["e", "a", "b", "c", "d"]
    assert agents(route(*rows)) == expected
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert agents(route(*rows)) == expected


@pytest.mark.spec("REACH-06")
def test_version_ranges() -> None:
    rows = [row("old", version="1.9"), row("new", version="2.0.1")]
    assert agents(route(*rows, version_range=">=1.0,<2.0")) == ["old"]
    assert agents(route(*rows, version_range="2.0.1")) == ["new"]
    assert agents(route(*rows, version_range="!=1.9.0, >1")) == ["new"]
    with pytest.raises(NoReachableAgent) as caught:
        route(*rows, version_range=">=3")
    assert caught.value.details["versions"] == ["1.9.0", "2.0.1"]
    with pytest.raises(InputInvalid):
        route(*rows, version_range="newest")


@pytest.mark.spec("REACH-21", "REACH-06")
def test_an_invisible_agent_leaves_no_trace() -> None:
    hidden = row("secret", owner="other", priority=900)
    seen = row("open")
    with_hidden = route(hidden, seen, explain=True)
    assert with_hidden == route(seen, explain=True)
    for request in ({"capability": "poetry.creat"}, {"agent_id": "secrets"}, {"capability": "x.y"}):
        errors = []
        for rows in ((hidden, seen), (seen,)):
            with pytest.raises(NoReachableAgent) as caught:
                route(*rows, **{"capability": "poetry.create", **request})
            errors.append(caught.value.args)
        assert errors[0] == errors[1]
        assert "secret'" not in str(errors)
    with pytest.raises(NoReachableAgent) as nothing:
        route(hidden)
    assert nothing.value.details == {"failed_check": "registered", "nearest": []}


@pytest.mark.spec("REACH-21", "REACH-24")
def test_visible_and_not_callable() -> None:
    shown = row("shown", owner="other", visibility={"see": ["*"], "call": ["other"]})
    with pytest.raises(PermissionDenied, match="shown"):
        route(shown)
    resolution = route(shown, row(), explain=True)
    assert agents(resolution) == ["poet"]
    assert [rejection.agent_id for rejection in resolution.rejected] == ["shown"]
    with pytest.raises(NoReachableAgent) as caught:
        route(shown, row(status=AgentStatus.OFFLINE))
    assert caught.value.details["failed_check"] == "online"
    assert caught.value.details["agent_id"] == "poet"


@pytest.mark.spec("REACH-21")
@pytest.mark.parametrize(
    ("visibility", "tenant", "role", "may"),
    [
        ({}, "default", "user", True),
        ({}, "other", "user", False),
        ({"call": ["*"]}, "other", "user", True),
        ({"call": ["other"]}, "other", "user", True),
        ({"call": ["other:admin"]}, "other", "user", False),
        ({"call": ["other:admin"]}, "other", "admin", True),
        ({"call": []}, "default", "user", False),
        ({"see": ["other"]}, "other", "user", True),
    ],
)
def test_who_may_call(visibility: dict[str, Any], tenant: str, role: str, may: bool) -> None:
    if may:
        assert route(row(visibility=visibility), tenant=tenant, role=role).targets
    else:
        with pytest.raises((NoReachableAgent, PermissionDenied)):
            route(row(visibility=visibility), tenant=tenant, role=role)


@pytest.mark.spec("REACH-06")
def test_schemas_choose_among_agents() -> None:
    rows = [row("strict", input_schema=THEME, priority=20), row("loose", input_schema={"subject": "string"})]
    assert agents(route(*rows, parameters={"theme": "autumn"})) == ["strict", "loose"]
    resolution = route(*rows, parameters={"subject": "autumn"}, explain=True)
    assert agents(resolution) == ["loose"]
    assert "theme" in resolution.rejected[0].reason
    assert agents(route(*rows, parameters={"theme": 3})) == ["loose"]
    assert agents(route(*rows, parameter_names=["theme"])) == ["strict", "loose"]
    assert agents(route(*rows, parameter_names=[])) == ["loose"]


@pytest.mark.spec("REACH-26")
def test_parameters_that_fit_nobody_are_named_before_any_agent_is_called() -> None:
    with pytest.raises(InvalidParameters) as caught:
        route(row(input_schema=THEME), parameters={})
    assert caught.value.details["missing"] == ["theme"]
    with pytest.raises(InvalidParameters) as caught:
        route(row(input_schema=THEME), parameters={"theme": 3})
    assert caught.value.details["path"] == "theme"
    closed = {**THEME, "additionalProperties": False}
    with pytest.raises(InvalidParameters) as caught:
        route(row(input_schema=closed), parameter_names=["theme", "colour"])
    assert caught.value.details["path"] == "colour"


@pytest.mark.spec("REACH-26")
def test_the_sentence_and_defaults_count_as_given() -> None:
    capability = {
        "capability_id": "poetry.create",
        "input_schema": {
            "type": "object",
            "properties": {"line": {"type": "string"}, "style": {"type": "string", "default": "free"}},
            "required": ["line", "style"],
        },
        "takes_query": "line",
    }
    one = row(capability=[capability])
    assert route(one, query="autumn", parameters={}).targets
    with pytest.raises(InvalidParameters):
        route(one, parameters={})


def test_a_value_that_travels_beside_the_envelope_is_known_by_name_only() -> None:
    one = row(input_schema={"theme": "string", "size": "integer"})
    large = {"theme": marker(0, StateKind.PLAIN, 2_000_000)}
    assert route(one, parameters=large).targets
    with pytest.raises(InvalidParameters):
        route(one, parameters={**large, "size": "x"})
    closed = row(input_schema={**THEME, "additionalProperties": False})
    assert route(closed, parameters=large).targets
    assert route(closed, parameters={}, parameter_names=["theme"]).targets
    with pytest.raises(InvalidParameters, match="colour"):
        route(closed, parameters={**large, "colour": marker(1, StateKind.NDARRAY, 8)})


@pytest.mark.spec("REACH-17")
def test_excluded_replicas_are_passed_over() -> None:
    rows = [row(priority=20), row(replica_id="1", priority=20), row("other")]
    assert agents(route(*rows, exclude=[("poet", "0"), ("poet", "1")])) == ["other"]
    with pytest.raises(NoReachableAgent) as caught:
        route(*rows, exclude=[("poet", "0"), ("poet", "1"), ("other", "0")])
    assert caught.value.details["failed_check"] == "online"


def test_a_call_that_goes_round_the_role_is_refused() -> None:
    planner = row("planner", "plan.create", role="planner")
    retriever = row("retriever", "retrieve.search", role="retriever")
    assert agents(route(planner, retriever, capability="retrieve.search", agent_id="retriever")) == ["retriever"]
    for target in (planner, row()):
        with pytest.raises(RoleCapabilityMismatch, match="retriever"):
            route(target, retriever, capability="retrieve.search", agent_id=target.agent_id)


@pytest.mark.spec("REACH-11")
def test_explain_says_who_was_considered_and_why_others_were_not() -> None:
    resolution = route(
        row("a", load=1),
        row("b", status=AgentStatus.OFFLINE),
        row("c", version="3"),
        row("d"),
        explain=True,
        version_range="<3",
        exclude=[("d", "0")],
    )
    assert {rejection.agent_id: rejection.reason for rejection in resolution.rejected} == {
        "b": "it is offline",
        "c": "its version is not <3",
        "d": "excluded by the caller",
    }
    assert [(ranked.agent_id, ranked.components) for ranked in resolution.ranking] == [
        ("a", {"priority": 10.0, "load": -0.5})
    ]
    assert resolution.ranking[0].score == resolution.targets[0].score == 9.5


@pytest.mark.spec("REACH-05")
def test_the_directory_follows_one_key_at_a_time() -> None:
    directory = Directory([row(), row(replica_id="1")])
    assert len(directory) == 2
    directory.put(("poet", "0"), row(capability="poetry.review"))
    assert len(directory.serving("poetry.create")) == len(directory.serving("poetry.review")) == 1
    directory.put(("poet", "1"), None)
    directory.put(("poet", "1"), None)
    assert directory.serving("poetry.create") == []
    assert [entry.row.replica_id for entry in directory.replicas("poet")] == ["0"]
    directory.put(("poet", "0"), row(capability="poetry.review", owner="other"))
    assert not directory.replicas("poet")[0].access.may_see("default", "user"), "access follows the owner"


@pytest.mark.spec("REACH-04")
def test_pulses_keep_a_copy_young() -> None:
    directory = Directory([row(age_s=11.0)])
    request = RouteRequest(capability="poetry.create")
    directory.apply_pulses(
        [
            Pulse("poet", "0", 1, NOW, load=7),
            Pulse("poet", "0", 1, NOW - 5, load=1),
            Pulse("poet", "0", 2, NOW + 9),
            Pulse("nobody", "0", 1, NOW),
        ]
    )
    target = decide(directory, request, settings=SETTINGS, now=NOW + 11).targets[0]
    assert (target.load, target.incarnation) == (7, 1)


_ROWS = st.lists(
    st.builds(
        row,
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(["poetry.create", "x.y"]),
        replica_id=st.sampled_from(["0", "1"]),
        status=st.sampled_from(AgentStatus),
        owner=st.sampled_from(["default", "other"]),
        age_s=st.sampled_from([0.0, 9.0, 13.0]),
        load=st.integers(0, 3),
        priority=st.integers(0, 3),
    ),
    max_size=6,
)


@settings(deadline=None)
@given(_ROWS, st.randoms(use_true_random=False))
def test_any_table_gives_the_same_order_and_only_what_may_serve(rows: list[ReplicaRow], rng: random.Random) -> None:
    unique = list({one.key: one for one in rows}.values())
    shuffled = rng.sample(unique, len(unique))
    outcomes = []
    for table in (unique, shuffled):
        try:
            outcomes.append(route(*table))
        except AgentActorsError as fault:
            outcomes.append((fault.code, fault.details.get("failed_check")))  # type: ignore[arg-type]  # compared only
    assert outcomes[0] == outcomes[1]
    if isinstance(outcomes[0], Resolution):
        by_key = {one.key: one for one in unique}
        for target in outcomes[0].targets:
            served = by_key[target.agent_id, target.replica_id]
            assert served.owner == "default"
            assert served.status_at(NOW, SETTINGS) is not AgentStatus.OFFLINE
            assert served.declaration["capabilities"][0]["capability_id"] == "poetry.create"
