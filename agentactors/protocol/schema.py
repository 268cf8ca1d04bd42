"""JSON Schemas of parameters and results: read them, check them, check values against them.

Declarations come from people, so a schema may be written in short, ``{"theme": "string"}``. That is no JSON
Schema of anything: a validator would ignore the unknown keyword and accept every value. So each schema is
normalised once, at registration, and what cannot be understood is refused there; nothing is guessed later.
Values are checked by jsonschema-rs (a few microseconds), meta-schemas by jsonschema (about a millisecond).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from agentactors.errors import InvalidParameters, RegistrationRefused, ResultInvalid
from agentactors.nearest import nearest
from agentactors.protocol.declaration import JsonSchema

MAX_SCHEMA_DEPTH: Final = 32
_MESSAGE_CHARS: Final = 300

TYPE_WORDS: Final[Mapping[str, str]] = {
    "string": "string",
    "str": "string",
    "integer": "integer",
    "int": "integer",
    "number": "number",
    "float": "number",
    "boolean": "boolean",
    "bool": "boolean",
    "array": "array",
    "list": "array",
    "object": "object",
    "dict": "object",
}
"""The words that the short form understands; ``word[]`` is an array of them."""

_KEYWORDS: Final = frozenset(
    re.findall(
        r"\S+",
        """
        $schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions type enum const
        multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems
        uniqueItems maxContains minContains maxProperties minProperties required dependentRequired properties
        patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties items prefixItems
        contains allOf anyOf oneOf not if then else dependentSchemas dependencies title description default deprecated
        readOnly writeOnly examples format contentEncoding contentMediaType contentSchema
        """,
    )
)
_TELLING: Final = frozenset(
    {"properties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "$defs", "definitions", "patternProperties"}
)
"""Where one of these holds a container, the author means a JSON Schema, however wrong the rest is."""

_OF_OBJECTS: Final = _TELLING | {
    *("additionalProperties", "required", "propertyNames", "minProperties", "maxProperties", "dependencies"),
    *("dependentRequired", "dependentSchemas", "unevaluatedProperties", "not", "if", "then", "else"),
}
"""Keywords that say something about an object; the others leave every object valid."""

_ANNOTATIONS: Final = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
)
_OPENAPI: Final = frozenset({"example", "nullable", "discriminator", "xml", "externalDocs"})
"""No keywords of JSON Schema, but common in schemas; a validator ignores them."""

_NAMED_CHILDREN: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_VALUES: Final = frozenset({"default", "const", "enum", "examples"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a value."""

    path: str
    """Where: ``theme``, ``items[0].name``; empty for the value itself."""
    message: str


def join(path: str, *parts: str | int) -> str:
    """Return ``path`` with ``parts`` behind it: names after a dot, numbers in brackets."""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f"{'.' if path else ''}{part}"
    return path


def normalise_schema(raw: Any, *, path: str, of_object: bool = True) -> JsonSchema:
    """Return a real JSON Schema for ``raw``, which may be a JSON Schema or the short form.

    The short form maps each name to a type word (:data:`TYPE_WORDS`, ``word[]``), to a nested short form or
    to a JSON Schema; all its fields are optional. A mapping is a JSON Schema when all its keys are keywords
    with valid values; a field that is really called ``type`` beside others is a field. The result never
    accepts every value by accident: only ``{}``, which stands for "any object", is that open. Normalising a
    normalised schema changes nothing.

    Args:
        raw: What the declaration says; not changed.
        path: Where it stands in the declaration, for messages.
        of_object: Whether the value must be an object, as parameters must. A result may be anything: then
            ``{"type": "string"}`` is a string, and ``{}`` any value.

    Raises:
        RegistrationRefused: It is neither; ``details.path`` names the place.
    """
    if not isinstance(raw, Mapping):
        raise _refused("a schema is an object such as {'theme': 'string'}", path)
    _check_plain(raw, path, MAX_SCHEMA_DEPTH)
    if not raw:
        return {"type": "object"} if of_object else {}
    schema = _as_schema(raw, path) if _is_schema(raw) else _from_short(raw, path)
    _check_schema(schema, path)
    return _as_object(schema, path) if of_object else schema


class Validator:
    """A schema compiled once, to check many values.

    Args:
        schema: A normalised JSON Schema.

    Raises:
        RegistrationRefused: The schema cannot be compiled.
    """

    __slots__ = ("_compiled", "schema")

    def __init__(self, schema: JsonSchema) -> None:
        self.schema = schema
        try:
            self._compiled = jsonschema_rs.Draft202012Validator(schema)
        except ValueError as fault:
            raise _refused(_short(fault), "") from None

    def is_valid(self, instance: Any) -> bool:
        """Say whether ``instance`` is valid. Cost: 0.3-3 us.

        What the schema looks at and is no plain data is invalid; what it does not look at may be anything.
        """
        try:
            return bool(self._compiled.is_valid(instance))
        except ValueError:
            return False

    def faults(self, instance: Any) -> list[Fault]:
        """Return what is wrong with ``instance``; empty when it is valid."""
        try:
            return [
                Fault(join("", *error.instance_path), _cut(error.message))
                for error in self._compiled.iter_errors(instance)
            ]
        except ValueError as fault:
            return [Fault("", f"it holds a value that is no plain data ({_short(fault)})")]


def compile_schema(schema: JsonSchema) -> Validator:
    """Return a normalised schema, compiled. Cost: some 50 us; keep the result."""
    return Validator(schema)


def missing_required(schema: JsonSchema, instance: Mapping[str, Any]) -> list[str]:
    """Return the required properties that ``instance`` lacks and that have no default, in declared order."""
    properties = schema.get("properties", {})
    return [
        name
        for name in schema.get("required", ())
        if name not in instance and "default" not in _mapping(properties.get(name))
    ]


def with_defaults(schema: JsonSchema, instance: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``instance`` with its missing top-level properties set to their defaults; nothing is changed in place."""
    filled = dict(instance)
    for name, declared in schema.get("properties", {}).items():
        if name not in filled and "default" in _mapping(declared):
            filled[name] = copy.deepcopy(declared["default"])
    return filled


def check_input(schema_validator: Validator, schema: JsonSchema, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with defaults filled in, after checking them.

    Raises:
        InvalidParameters: They break the schema. ``details.missing`` lists required parameters that are not
            there, ``details.path`` names the first fault.

    Cost:
        A few microseconds when they are valid.
    """
    filled = with_defaults(schema, parameters)
    if schema_validator.is_valid(filled):
        return filled
    faults = schema_validator.faults(filled)
    missing = missing_required(schema, filled)
    if missing:
        sentence = f"Missing parameter{'s' if len(missing) > 1 else ''}: {', '.join(missing)}."
        raise InvalidParameters(sentence, {"missing": missing, "path": missing[0]})
    first = faults[0]
    raise InvalidParameters(
        f"Parameter {first.path!r} is wrong: {first.message}." if first.path else f"Wrong parameters: {first.message}.",
        {"missing": [], "path": first.path, "faults": [f"{fault.path}: {fault.message}" for fault in faults[:10]]},
    )


def check_output(schema_validator: Validator, result: Any) -> None:
    """Check a handler's result.

    Raises:
        ResultInvalid: It breaks the schema; ``details.path`` names the first fault.
    """
    if schema_validator.is_valid(result):
        return
    first = schema_validator.faults(result)[0]
    where = f" at {first.path!r}" if first.path else ""
    raise ResultInvalid(f"The result breaks its output schema{where}: {first.message}.", {"path": first.path})


def compatible(producer_output: JsonSchema, consumer_input: JsonSchema) -> bool:
    """Say whether results of one capability can be the parameters of another.

    Conservative: every parameter that is required and has no default must be among the result's declared
    properties, and wherever both declare types of one name, the types must overlap.
    """
    offered = _mapping(producer_output.get("properties"))
    wanted = _mapping(consumer_input.get("properties"))
    if any(name not in offered for name in missing_required(consumer_input, {})):
        return False
    return all(_overlap(_mapping(offered[name]), _mapping(wanted[name])) for name in offered.keys() & wanted.keys())


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    types = [_types(one), _types(other)]
    if not all(types):
        return True
    # Every integer is a number; the other way round only some are, which is still an overlap.
    widened = [kinds | ({"number"} if "integer" in kinds else set()) for kinds in types]
    return bool(widened[0] & widened[1])


def _types(schema: Mapping[str, Any]) -> set[str]:
    declared = schema.get("type", ())
    return {declared} if isinstance(declared, str) else set(declared)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_schema(raw: Mapping[str, Any]) -> bool:
    """Say whether the author means a JSON Schema: see :func:`normalise_schema`."""
    if any(isinstance(raw.get(key), Mapping | list) for key in _TELLING):
        # {"properties": {"type": "string"}} could be a field called properties: nobody writes that.
        return True
    if isinstance(raw.get("$ref"), str) and not _is_type_word(raw["$ref"]):
        return True
    foreign = [key for key in raw if key not in _KEYWORDS | _OPENAPI and not key.startswith("x-")]
    if foreign:
        return raw.get("type") == "object" and not any(
            isinstance(raw[key], Mapping) or _is_type_word(raw[key]) for key in foreign
        )
    if "type" not in raw and any(
        _is_type_word(value) or (isinstance(value, Mapping) and key not in _OF_OBJECTS) for key, value in raw.items()
    ):
        return False  # {"title": "string"}, {"items": {…}}: as a JSON Schema it would accept every object
    return next(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(_plain(raw)), None) is None


def _is_type_word(value: Any) -> bool:
    return isinstance(value, str) and value.removesuffix("[]") in TYPE_WORDS


def _as_schema(raw: Mapping[str, Any], path: str) -> JsonSchema:
    schema: JsonSchema = _plain(raw)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        schema["properties"] = {
            name: _field(declared, join(path, "properties", name)) if isinstance(declared, str) else declared
            for name, declared in properties.items()
        }
    return schema


def _from_short(raw: Mapping[str, Any], path: str) -> JsonSchema:
    if raw.get("type") == "object":
        raise _refused("the fields of an object belong under 'properties'", path)
    return {"type": "object", "properties": {name: _field(value, join(path, name)) for name, value in raw.items()}}


def _field(value: Any, path: str) -> JsonSchema:
    if isinstance(value, str):
        return _from_word(value, path)
    if isinstance(value, list) and len(value) == 1:
        return {"type": "array", "items": _field(value[0], join(path, 0))}
    if not isinstance(value, Mapping):
        raise _refused("a field is declared by a type word, an object or a JSON Schema", path)
    if not value:
        return {"type": "object"}
    if not _is_schema(value):
        return _from_short(value, path)
    schema = _as_schema(value, path)
    if not schema.keys() & (_KEYWORDS - _ANNOTATIONS):
        raise _refused("the field says no type", path)
    _check_schema(schema, path)
    return schema


def _from_word(word: str, path: str) -> JsonSchema:
    base = word.removesuffix("[]")
    if base not in TYPE_WORDS:
        near = nearest(base, TYPE_WORDS, limit=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(TYPE_WORDS)}"
        raise _refused(f"{_cut(word)!r} is no type{hint}", path)
    schema: JsonSchema = {"type": TYPE_WORDS[base]}
    return {"type": "array", "items": schema} if word.endswith("[]") else schema


def _as_object(schema: JsonSchema, path: str) -> JsonSchema:
    kinds = _types(schema)
    if kinds <= {"object"} and schema.keys() - _ANNOTATIONS - {"type"} and not schema.keys() & _OF_OBJECTS:
        idle = next(key for key in schema if key not in _ANNOTATIONS | {"type"})
        if idle in _KEYWORDS:
            raise _refused(f"{idle!r} says nothing about an object; its fields belong under 'properties'", path)
    if not kinds:
        return {"type": "object", **schema}
    if "object" not in kinds:
        raise _refused(
            f"parameters are an object, and this is the schema of a {min(kinds)}; a field that is called "
            "'type' is written {'properties': {'type': {'type': 'string'}}}",
            path,
        )
    return schema


def _check_schema(schema: JsonSchema, path: str) -> None:
    for where, ref in _references(schema, path):
        if not ref.startswith("#"):
            raise _refused(f"the $ref {_cut(ref)!r} points elsewhere; only '#…' is followed, nothing is fetched", where)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as fault:
        raise _refused(_cut(fault.message), join(path, *fault.absolute_path)) from None
    try:
        jsonschema_rs.Draft202012Validator(schema)
    except ValueError as fault:
        # What the meta-schema cannot say: a regular expression or a local $ref that leads nowhere.
        raise _refused(_short(fault), join(path, *getattr(fault, "instance_path", ()))) from None


def _references(schema: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield every reference in a schema; names of properties and plain values are none."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from _references(item, join(path, index))
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        where = join(path, key)
        if key in {"$ref", "$dynamicRef"} and isinstance(value, str):
            yield where, value
        elif key in _NAMED_CHILDREN and isinstance(value, dict):
            for name, child in value.items():
                yield from _references(child, join(where, name))
        elif key not in _VALUES:
            yield from _references(value, where)


def _check_plain(value: Any, path: str, depth_left: int) -> None:
    """Refuse what JSON cannot hold, and nesting that a recursive reader could not survive."""
    if depth_left == 0:
        raise _refused(f"it is nested more than {MAX_SCHEMA_DEPTH} levels deep", "")
    if isinstance(value, Mapping):
        for key, child in value.items():
            if not isinstance(key, str):
                raise _refused(f"the key {key!r} is no string", path)
            _check_plain(child, join(path, key), depth_left - 1)
    elif isinstance(value, list | tuple):
        for index, child in enumerate(value):
            _check_plain(child, join(path, index), depth_left - 1)
    elif not (value is None or isinstance(value, str | int | float)):
        raise _refused(f"a {type(value).__name__} is no plain data", path)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(child) for key, child in value.items()}
    return [_plain(child) for child in value] if isinstance(value, list | tuple) else value


def _short(fault: ValueError) -> str:
    return _cut(str(fault).partition("\n")[0])


def _cut(text: str) -> str:
    return text if len(text) <= _MESSAGE_CHARS else text[: _MESSAGE_CHARS - 1] + "…"


def _refused(what: str, path: str) -> RegistrationRefused:
    where = f" at {path}" if path else ""
    return RegistrationRefused(f"The schema{where} cannot be used: {what}.", {"path": path})
