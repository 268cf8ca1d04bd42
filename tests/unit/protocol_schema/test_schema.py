"""Schemas: the short form, what is refused, and how values are checked."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentactors.errors import InvalidParameters, RegistrationRefused, ResultInvalid
from agentactors.protocol.schema import (
    TYPE_WORDS,
    Validator,
    check_input,
    check_output,
    compatible,
    compile_schema,
    join,
    missing_required,
    normalise_schema,
    with_defaults,
)
from agentactors.protocol.state import StateKind, marker, state_schema

POET = {
    "type": "object",
    "properties": {
        "theme": {"type": "string", "description": "诗歌主题"},
        "style": {"type": "string", "enum": ["free", "rhyming"]},
        "max_length": {"type": "integer", "default": 50},
    },
    "required": ["theme"],
}


def refused(raw: Any, **options: Any) -> RegistrationRefused:
    with pytest.raises(RegistrationRefused) as caught:
        normalise_schema(raw, path="s", **options)
    assert caught.value.message.endswith(".")
    return caught.value


@pytest.mark.spec("REACH-27")
def test_short_form_becomes_a_real_schema_with_optional_properties() -> None:
    schema = normalise_schema({"theme": "string", "style": "string"}, path="s")
    assert schema == {"type": "object", "properties": {"theme": {"type": "string"}, "style": {"type": "string"}}}
    assert missing_required(schema, {}) == []
    check = Validator(schema)
    assert check.is_valid({})
    assert check.is_valid({"theme": "autumn"})
    assert not check.is_valid({"theme": 3})


@pytest.mark.spec("REACH-27")
@pytest.mark.parametrize("word", sorted(TYPE_WORDS))
def test_every_type_word_checks_something(word: str) -> None:
    samples: dict[str, Any] = {
        "string": "a", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {},
    }  # fmt: skip
    check = Validator(normalise_schema({"field": word}, path="s"))
    accepted = {kind for kind, value in samples.items() if check.is_valid({"field": value})}
    assert accepted == {TYPE_WORDS[word]} | ({"integer"} if TYPE_WORDS[word] == "number" else set())


def test_arrays_and_nesting_in_the_short_form() -> None:
    raw = {"words": "string[]", "sizes": ["int"], "author": {"name": "str", "born": {"type": "integer"}}}
    assert normalise_schema(raw, path="s")["properties"] == {
        "words": {"type": "array", "items": {"type": "string"}},
        "sizes": {"type": "array", "items": {"type": "integer"}},
        "author": {"type": "object", "properties": {"name": {"type": "string"}, "born": {"type": "integer"}}},
    }


def test_a_json_schema_stays_as_it_is() -> None:
    assert normalise_schema(POET, path="s") == POET
    assert normalise_schema({"properties": POET["properties"]}, path="s")["type"] == "object"


def test_type_words_are_understood_inside_a_json_schema() -> None:
    schema = normalise_schema({"type": "object", "properties": {"theme": "string"}, "required": ["theme"]}, path="s")
    assert schema["properties"] == {"theme": {"type": "string"}}


def test_the_empty_schema_accepts_any_object_as_parameters_and_anything_as_result() -> None:
    assert normalise_schema({}, path="s") == {"type": "object"}
    assert normalise_schema({}, path="s", of_object=False) == {}


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"type": "string", "theme": "string"}, "type"),
        ({"title": "string"}, "title"),
        ({"title": "string", "description": "string"}, "description"),
        ({"default": "integer"}, "default"),
        ({"minimum": "number", "maximum": "number"}, "minimum"),
        ({"required": "boolean"}, "required"),
        ({"items": "string[]"}, "items"),
        ({"const": "string"}, "const"),
        ({"type": {"type": "string"}}, "type"),
        ({"format": "string"}, "format"),
        ({"$ref": "array"}, "$ref"),
        ({"items": {"type": "array", "items": {"type": "string"}}}, "items"),
        ({"default": {"type": "string"}, "contains": {"type": "string"}}, "default"),
    ],
)
def test_fields_that_are_called_like_keywords_are_fields(raw: dict[str, Any], field: str) -> None:
    schema = normalise_schema(raw, path="s")
    assert set(schema["properties"]) == set(raw)
    assert not Validator(schema).is_valid({field: None})


def test_annotations_alone_are_no_fields() -> None:
    assert normalise_schema({"description": "Whatever you like."}, path="s") == {
        "type": "object",
        "description": "Whatever you like.",
    }


def test_a_schema_of_no_object_is_refused_for_parameters_and_right_for_results() -> None:
    assert "properties" in refused({"type": "string"}).message
    assert normalise_schema({"type": "string"}, path="s", of_object=False) == {"type": "string"}
    assert normalise_schema({"type": ["object", "null"]}, path="s") == {"type": ["object", "null"]}


@pytest.mark.spec("REACH-03")
@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("string", "s"),
        (True, "s"),
        (None, "s"),
        ({"theme": "strng"}, "s.theme"),
        ({"theme": 3}, "s.theme"),
        ({"theme": ["string", "int"]}, "s.theme"),
        ({"theme": {"description": "words"}}, "s.theme"),
        ({"a": {"b": {"c": "wat"}}}, "s.a.b.c"),
        ({"a": {"type": "object", "properties": {"b": {"type": "wat"}}}}, "s.a.properties.b.type"),
        ({"type": "object", "properties": {"theme": {"type": "strng"}}}, "s.properties.theme.type"),
        ({"type": "object", "properties": {"theme": {"minLength": -1}}}, "s.properties.theme.minLength"),
        ({"type": "object", "required": "theme", "properties": {}}, "s.required"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}, "s.properties.a.pattern"),
        ({"type": "object", "theme": "string"}, "s"),
        ({"type": "object", "theme": {"type": "string"}}, "s"),
        ({"$ref": "https://example.com/s.json"}, "s.$ref"),
        ({"properties": {"a": {"$ref": "other.json#/x"}}}, "s.properties.a.$ref"),
        ({"allOf": [{"$dynamicRef": "file:///etc/passwd"}]}, "s.allOf[0].$dynamicRef"),
        ({"properties": {"a": {"type": "string", "default": b"x"}}}, "s.properties.a.default"),
        ({1: "string"}, "s"),
        ({"minimum": 3}, "s"),
        ({"type": "object", "items": {"type": "array"}}, "s"),
    ],
)
def test_what_is_wrong_is_refused_with_its_path(raw: Any, path: str) -> None:
    assert refused(raw).details["path"] == path


def test_a_type_that_is_nearly_right_gets_a_suggestion() -> None:
    assert "'string'" in refused({"theme": "strng"}).message


def test_a_local_reference_is_followed_and_one_to_nowhere_refused() -> None:
    schema = normalise_schema(
        {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}, path="s"
    )
    assert not Validator(schema).is_valid({"a": "x"})
    refused({"properties": {"a": {"$ref": "#/$defs/none"}}})


def test_a_property_or_default_that_looks_like_a_reference_is_none() -> None:
    normalise_schema({"properties": {"$ref": {"type": "string", "default": {"$ref": "http://x/"}}}}, path="s")


def test_deep_nesting_is_refused_and_does_not_recurse() -> None:
    raw: Any = "string"
    for _ in range(5000):
        raw = {"a": raw}
    assert "deep" in refused(raw).message


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=12),
        st.sampled_from(sorted(TYPE_WORDS)),
        min_size=1,
        max_size=5,
    )
)
def test_a_short_form_is_refused_or_checks_every_field(raw: dict[str, str]) -> None:
    try:
        schema = normalise_schema(raw, path="s")
    except RegistrationRefused:
        # {"type": "string"} alone, or {"type": "object", …}: what is meant is not clear.
        assert "type" in raw
        return
    check = Validator(schema)
    assert check.is_valid({})
    for field in raw:
        if schema != {"type": "object"}:
            assert not check.is_valid({field: None})
    assert normalise_schema(schema, path="s") == schema


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["string", "object", "type"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "a", "$ref", "items", "title", "not"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(_JSON, st.booleans())
def test_whatever_comes_is_a_stable_schema_or_refused(raw: Any, of_object: bool) -> None:
    try:
        schema = normalise_schema(raw, path="s", of_object=of_object)
    except RegistrationRefused:
        return
    assert normalise_schema(schema, path="s", of_object=of_object) == schema
    Validator(schema)


def test_the_input_is_not_changed() -> None:
    raw = {"properties": {"a": "string"}}
    normalise_schema(raw, path="s")
    assert raw == {"properties": {"a": "string"}}


def test_faults_name_their_place() -> None:
    check = compile_schema(
        {
            "type": "object",
            "properties": {"list": {"type": "array", "items": {"properties": {"n": {"type": "string"}}}}},
        }
    )
    assert [fault.path for fault in check.faults({"list": [{"n": 1}]})] == ["list[0].n"]
    assert check.faults({"list": []}) == []
    assert check.faults({"list": ["x" * 10_000, b"x"]})[0].path == ""


@pytest.mark.parametrize("value", [b"x", object(), {1, 2}, {1: 2}])
def test_a_value_that_is_no_plain_data_is_invalid_and_breaks_nothing(value: Any) -> None:
    check = Validator({"type": "object", "properties": {"a": {"type": "object", "additionalProperties": False}}})
    assert not check.is_valid({"a": value})
    assert check.faults({"a": value})


def test_long_messages_are_cut() -> None:
    fault = Validator({"type": "integer"}).faults("x" * 100_000)[0]
    assert len(fault.message) <= 300


def test_not_a_number_is_no_number() -> None:
    assert not Validator({"type": "number"}).is_valid(math.nan)


def test_compiling_a_broken_schema_is_our_error() -> None:
    with pytest.raises(RegistrationRefused):
        Validator({"type": "wat"})


@pytest.mark.spec("REACH-26")
def test_missing_parameters_take_their_defaults() -> None:
    filled = check_input(Validator(POET), POET, {"theme": "autumn"})
    assert filled == {"theme": "autumn", "max_length": 50}


@pytest.mark.spec("REACH-26")
def test_a_missing_required_parameter_is_named() -> None:
    with pytest.raises(InvalidParameters, match="theme") as caught:
        check_input(Validator(POET), POET, {})
    assert caught.value.details["missing"] == ["theme"]


def test_a_wrong_parameter_is_named() -> None:
    with pytest.raises(InvalidParameters, match="max_length") as caught:
        check_input(Validator(POET), POET, {"theme": "x", "max_length": "many"})
    assert caught.value.details["path"] == "max_length"
    assert caught.value.details["missing"] == []
    with pytest.raises(InvalidParameters, match="Wrong parameters"):
        check_input(Validator(strict := {"type": "object", "maxProperties": 0}), strict, {"a": 1})


def test_a_required_parameter_with_a_default_is_not_missing() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}, "required": ["a"]}
    assert check_input(Validator(schema), schema, {}) == {"a": "x"}


def test_defaults_change_nothing_in_place_and_are_not_shared() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "array", "default": []}}}
    given_parameters: dict[str, Any] = {}
    with_defaults(schema, given_parameters)["a"].append(1)
    assert given_parameters == {}
    assert schema["properties"]["a"]["default"] == []


def test_a_state_parameter_takes_its_marker_and_nothing_else() -> None:
    schema = {"type": "object", "properties": {"image": state_schema(StateKind.NDARRAY)}, "required": ["image"]}
    normalised = normalise_schema(schema, path="s")
    assert normalised == schema
    check = Validator(normalised)
    assert check.is_valid({"image": marker(0, StateKind.NDARRAY, 800)})
    assert not check.is_valid({"image": [1, 2]})


@pytest.mark.spec("REACH-31")
def test_a_result_that_breaks_its_schema_is_named() -> None:
    check = Validator({"type": "object", "properties": {"poem": {"type": "string"}}, "required": ["poem"]})
    check_output(check, {"poem": "x"})
    with pytest.raises(ResultInvalid, match="poem"):
        check_output(check, {"poem": 3})
    with pytest.raises(ResultInvalid):
        check_output(check, {})


def test_compatible_is_conservative() -> None:
    poem = {"type": "object", "properties": {"poem": {"type": "string"}, "lines": {"type": "integer"}}}
    assert compatible(poem, {"type": "object", "properties": {"poem": {"type": "string"}}, "required": ["poem"]})
    assert not compatible(poem, {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
    assert not compatible(poem, {"type": "object", "properties": {"poem": {"type": "integer"}}})
    assert compatible(poem, {"type": "object", "properties": {"lines": {"type": ["number", "null"]}}})
    assert compatible(poem, {"type": "object", "properties": {"poem": {}}, "required": ["poem"]})
    assert compatible(poem, {"properties": {"style": {"default": "free"}}, "required": ["style"]})
    assert not compatible({}, {"required": ["a"]})


def test_paths() -> None:
    assert join("", "a", 0, "b") == "a[0].b"
    assert join("x", "a") == "x.a"
