"""Declarations: three forms, one result; what is refused, and what is only warned about."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.errors import RegistrationRefused, RoleCapabilityMismatch
from agentactors.protocol.declaration import CapabilityDeclaration, Declaration, Visibility
from agentactors.protocol.declare import MAX_CAPABILITIES, lint, parse_declaration
from agentactors.protocol.roles import Role
from agentactors.protocol.schema import Validator

DESCRIPTION = "擅长围绕给定主题创作现代诗，支持自由诗和押韵诗"
INPUT = {"theme": "string", "style": "string"}
OUTPUT = {"poem": "string"}
AGENT = {"agent_id": "agent.poet.v2", "agent_name": "现代诗写手", "health_check_url": "/healthz"}

ROW = {
    **AGENT,
    "capabilities": ["poetry.create"],
    "description": DESCRIPTION,
    "input_schema": INPUT,
    "output_schema": OUTPUT,
}
CAPABILITY = {
    "capability_id": "poetry.create",
    "description": DESCRIPTION,
    "input_schema": INPUT,
    "output_schema": OUTPUT,
}
SINGLE = {**AGENT, "capability_declaration": CAPABILITY}
EACH = {**AGENT, "capabilities": [CAPABILITY]}

SEED_3_1 = {
    "agent_id": "agent.poet.v2",
    "capability_declaration": {
        "capability_id": "poetry.create",
        "description": "根据主题、风格和字数要求创作一首现代诗",
        "input_schema": {
            "type": "object",
            "properties": {
                "theme": {"type": "string", "description": "诗歌主题"},
                "style": {"type": "string", "enum": ["free", "rhyming"]},
                "max_length": {"type": "integer", "default": 50},
            },
            "required": ["theme"],
        },
        "output_schema": {
            "type": "object",
            "properties": {"poem": {"type": "string"}, "word_count": {"type": "integer"}},
            "required": ["poem"],
        },
    },
}


def refused(raw: Any) -> RegistrationRefused:
    with pytest.raises(RegistrationRefused) as caught:
        parse_declaration(raw)
    return caught.value


@pytest.mark.spec("REACH-27", "REACH-02")
def test_the_three_forms_register_to_the_same_result() -> None:
    row, single, each = parse_declaration(ROW), parse_declaration(SINGLE), parse_declaration(EACH)
    assert row == single == each
    assert row.description == DESCRIPTION
    assert row.priority == 10
    capability = row.capability("poetry.create")
    assert capability is not None
    assert capability.description == DESCRIPTION
    check = Validator(capability.input_schema)
    assert check.is_valid({})
    assert not check.is_valid({"theme": 3})
    assert not Validator(capability.output_schema).is_valid({"poem": None})


@pytest.mark.spec("REACH-27")
def test_the_wider_example_of_the_seed() -> None:
    capability = parse_declaration(SEED_3_1).capabilities[0]
    assert capability.input_schema == SEED_3_1["capability_declaration"]["input_schema"]  # type: ignore[index]  # plain data
    assert capability.input_schema["required"] == ["theme"]


@pytest.mark.spec("REACH-27")
def test_ids_share_the_agents_schema_and_entries_have_their_own() -> None:
    declaration = parse_declaration(
        {
            **ROW,
            "capabilities": ["poetry.create", {"capability_id": "poetry.review", "input_schema": {"poem": "string"}}],
        }
    )
    create, review = declaration.capabilities
    assert set(create.input_schema["properties"]) == {"theme", "style"}
    assert set(review.input_schema["properties"]) == {"poem"}
    assert review.output_schema == create.output_schema
    assert review.description == ""


@pytest.mark.parametrize("raw", [ROW, SINGLE, EACH, SEED_3_1, {"agent_id": "a", "capabilities": ["x.y"]}])
def test_reading_a_dumped_declaration_gives_it_back(raw: dict[str, Any]) -> None:
    declaration = parse_declaration(raw)
    assert parse_declaration(declaration.model_dump(mode="json")) == declaration
    assert parse_declaration(json.loads(declaration.model_dump_json())) == declaration


def test_everything_that_a_declaration_holds() -> None:
    declaration = parse_declaration(
        {
            **EACH,
            "version": "2.1",
            "tags": ["写作", "诗歌"],
            "priority": 20,
            "not_capable": ["不做翻译"],
            "visibility": {"see": ["*"], "call": ["team:editor", "other"]},
            "substitutes": {"poetry.create": ["text.generate"]},
            "base_url": "http://127.0.0.1:9000",
            "cost_hint": 2,
            "urgency_hint": "low",
            "heartbeat_interval_s": 30,
        }
    )
    assert declaration.tags == ("写作", "诗歌")
    assert declaration.visibility == Visibility(see=("*",), call=("team:editor", "other"))
    assert declaration.heartbeat_interval_s == 30.0


@pytest.mark.spec("REACH-03")
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"agent_id": 3}, "agent_id"),
        ({"agent_id": "with space"}, "agent_id"),
        ({"agent_id": "a/b"}, "agent_id"),
        ({"agent_id": ""}, "agent_id"),
        ({"descripton": "x"}, "descripton"),
        ({"priority": "10"}, "priority"),
        ({"priority": -1}, "priority"),
        ({"priority": True}, "priority"),
        ({"version": "one"}, "version"),
        ({"tags": "a, b"}, "tags"),
        ({"tags": [1]}, "tags[0]"),
        ({"role": "boss"}, "role"),
        ({"capabilities": []}, "capabilities"),
        ({"capabilities": "poetry.create"}, "capabilities"),
        ({"capabilities": [3]}, "capabilities[0]"),
        ({"capabilities": ["a.b", "a.b"]}, "capabilities[1]"),
        ({"capabilities": ["a.b", {"capability_id": ""}]}, "capabilities[1].capability_id"),
        ({"capabilities": [{"description": "x"}]}, "capabilities[0].capability_id"),
        ({"capabilities": [{"capability_id": "a.b", "inputs": {}}]}, "capabilities[0].inputs"),
        ({"capabilities": [{"capability_id": "a.b", "streaming": "yes"}]}, "capabilities[0].streaming"),
        ({"capabilities": [{"capability_id": "a.b", "takes_query": "text"}]}, "capabilities[0].takes_query"),
        ({"capabilities": ["a.b"] * (MAX_CAPABILITIES + 1)}, "capabilities"),
        (
            {"capabilities": [{"capability_id": "a.b", "input_schema": {"properties": {"theme": {"type": "strng"}}}}]},
            "capabilities[0].input_schema.properties.theme.type",
        ),
        ({"capabilities": [{"capability_id": "a.b", "input_schema": 3}]}, "capabilities[0].input_schema"),
        ({"capabilities": [{"capability_id": "a.b", "output_schema": {"a": "x"}}]}, "capabilities[0].output_schema.a"),
        ({"capability_declaration": CAPABILITY}, "capability_declaration"),
        ({"visibility": {"see": [""]}}, "visibility.see[0]"),
        ({"visibility": {"call": ["a:b:c"]}}, "visibility.call[0]"),
        ({"visibility": {"seen": []}}, "visibility.seen"),
        ({"substitutes": {"other.thing": ["a.b"]}}, "substitutes.other.thing"),
        ({"base_url": "ftp://x"}, "base_url"),
        ({"heartbeat_interval_s": 0}, "heartbeat_interval_s"),
        ({"cost_hint": float("nan")}, "cost_hint"),
        ({"urgency_hint": b"x"}, "urgency_hint"),
        ({"agent_name": "x" * 2_000_000}, ""),
    ],
)
def test_what_is_wrong_is_refused_with_its_path(change: dict[str, Any], path: str) -> None:
    assert refused({**EACH, **change}).details["path"] == path


@pytest.mark.spec("REACH-03")
def test_paths_follow_the_form_that_was_written() -> None:
    assert refused({**ROW, "input_schema": {"theme": "strng"}}).details["path"] == "input_schema.theme"
    wrong = {**AGENT, "capability_declaration": {**CAPABILITY, "input_schema": {"theme": "strng"}}}
    assert refused(wrong).details["path"] == "capability_declaration.input_schema.theme"
    wrong = {**AGENT, "capability_declaration": {**CAPABILITY, "idempotent": 1}}
    assert refused(wrong).details["path"] == "capability_declaration.idempotent"
    assert refused({**AGENT, "capability_declaration": "x"}).details["path"] == "capability_declaration"
    assert refused([]).details["path"] == ""


def test_an_unknown_field_gets_a_suggestion() -> None:
    assert "'description'" in refused({**EACH, "descripton": "x"}).message


def test_a_capability_of_another_role_is_refused() -> None:
    with pytest.raises(RoleCapabilityMismatch):
        parse_declaration({"agent_id": "a", "role": "planner", "capabilities": ["retrieve.search"]})
    planner = parse_declaration({"agent_id": "a", "role": "planner", "capabilities": ["plan.create"]})
    assert planner.role is Role.PLANNER


@pytest.mark.spec("REACH-02")
def test_lint_says_what_the_owner_should_mend_and_where() -> None:
    warnings = lint(
        parse_declaration({"agent_id": "a", "capabilities": [{"capability_id": "Poem", "input_schema": INPUT}]})
    )
    text = "\n".join(warnings)
    assert all(warning.startswith("Poem: ") for warning in warnings)
    for part in ("domain.action", "description is empty", "input_schema.properties.theme", "requires nothing"):
        assert part in text


@pytest.mark.spec("REACH-02")
def test_lint_is_silent_about_a_good_declaration() -> None:
    good = CapabilityDeclaration(
        capability_id="poetry.create",
        description="Writes a poem.",
        input_schema={
            "type": "object",
            "properties": {"theme": {"type": "string", "description": "What about."}},
            "required": ["theme"],
        },
    )
    assert lint(Declaration(agent_id="a", capabilities=(good,))) == ()
    nothing = CapabilityDeclaration(capability_id="clock.now", description="Says the time.")
    assert lint(Declaration(agent_id="a", capabilities=(nothing,))) == ()


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*ROW, "capability_declaration", "visibility", "tags", "x"]), _JSON, max_size=5))
def test_whatever_comes_is_a_declaration_or_refused(change: dict[str, Any]) -> None:
    try:
        declaration = parse_declaration({**EACH, **change})
    except (RegistrationRefused, RoleCapabilityMismatch):
        return
    assert parse_declaration(declaration.model_dump(mode="json")) == declaration
