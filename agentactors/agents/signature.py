"""Validators of one handler's parameters and result, and the schemas they amount to."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, PlainValidator, TypeAdapter, ValidationError, WithJsonSchema, create_model

from agentactors.errors import InvalidParameters, ResultInvalid
from agentactors.protocol.state import StateKind, is_array, is_array_type, state_schema


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """One typed parameter; ``default`` is ``...`` when it is required."""

    name: str
    annotation: Any
    default: Any


class CompiledHandler:
    """Validates parameters before a handler runs and its result after.

    Cost:
        2-5 us for a few plain parameters.
    """

    __slots__ = ("_check", "_names", "_plain", "_validate", "capability_id", "input_schema", "output_schema")

    def __init__(self, capability_id: str, model: type[BaseModel], adapter: TypeAdapter[Any]) -> None:
        self.capability_id = capability_id
        self._names = tuple(model.model_fields)
        self._validate = model.__pydantic_validator__.validate_python
        self._check = adapter.validator.validate_python
        self._plain = adapter.serializer.to_python
        self.input_schema: dict[str, Any] = {**model.model_json_schema(), "title": capability_id}
        self.output_schema: dict[str, Any] = adapter.json_schema(mode="serialization")

    def parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the handler's arguments, defaults filled in.

        Raises:
            InvalidParameters: ``details.missing`` lists required parameters that are not there, ``path`` the
                first that is wrong.
        """
        try:
            checked = self._validate(given)
        except ValidationError as fault:
            raise self._parameter_error(fault) from None
        values = checked.__dict__
        return {name: values[name] for name in self._names}

    def result(self, value: Any) -> Any:
        """Return the result as plain data, validated; arrays, tables and bytes stay what they are.

        Raises:
            ResultInvalid: The result is not what the handler declares.
        """
        try:
            checked = self._check(value)
        except ValidationError as fault:
            first = fault.errors()[0]
            path = _path(first["loc"])
            raise ResultInvalid(
                f"{self.capability_id} returned a result that breaks its output schema at {path or '$'}: {first['msg']}.",
                {"path": path},
            ) from None
        return checked if _is_state(checked) else self._plain(checked, by_alias=True)

    def _parameter_error(self, fault: ValidationError) -> InvalidParameters:
        errors = fault.errors()
        missing = [_path(e["loc"]) for e in errors if e["type"] == "missing"]
        wrong = [e for e in errors if e["type"] != "missing"]
        parts = []
        if missing:
            parts.append(f"required and missing: {', '.join(missing)}")
        parts += [f"{_path(e['loc'])}: {e['msg'][:1].lower()}{e['msg'][1:]}" for e in wrong[:3]]
        return InvalidParameters(
            f"Parameters of {self.capability_id} are wrong ({'; '.join(parts)}).",
            {"missing": missing, "path": _path(errors[0]["loc"]), "accepted": list(self._names)},
        )


def compile_handler(capability_id: str, parameters: tuple[ParameterSpec, ...], returns: Any) -> CompiledHandler:
    """Build the validators of one handler.

    Raises:
        pydantic.errors.PydanticSchemaGenerationError: No schema describes one of the types.
    """
    fields: dict[str, Any] = {p.name: (with_state_types(p.annotation), p.default) for p in parameters}
    config = ConfigDict(extra="forbid")
    model: type[BaseModel] = create_model(f"Parameters_{capability_id.replace('.', '_')}", __config__=config, **fields)
    return CompiledHandler(capability_id, model, TypeAdapter(with_state_types(returns)))


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _is_state(value: Any) -> bool:
    return (
        isinstance(value, bytes | bytearray | memoryview)
        or is_array(value)
        or type(value).__module__.startswith("pyarrow")
    )


def _check_array(value: Any) -> Any:
    if is_array(value):
        return value
    raise ValueError("a numpy array is needed")


def _check_table(value: Any) -> Any:
    if type(value).__module__.startswith("pyarrow"):
        return value
    raise ValueError("an Arrow table is needed")


def _check_buffer(value: Any) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        return memoryview(value).toreadonly()
    raise ValueError("bytes are needed")


_ARRAY: Final = Annotated[Any, PlainValidator(_check_array), WithJsonSchema(state_schema(StateKind.NDARRAY))]
_TABLE: Final = Annotated[Any, PlainValidator(_check_table), WithJsonSchema(state_schema(StateKind.ARROW))]
_BUFFER: Final = Annotated[Any, PlainValidator(_check_buffer), WithJsonSchema(state_schema(StateKind.BYTES))]


def with_state_types(annotation: Any) -> Any:
    """Return ``annotation`` with arrays, tables and buffers replaced by what validates and describes them."""
    plain = typing.get_origin(annotation)
    if plain is Annotated:
        inner, *extras = typing.get_args(annotation)
        replaced = with_state_types(inner)
        return annotation if replaced is inner else Annotated[(replaced, *extras)]
    if plain in (typing.Union, types.UnionType):
        return typing.Union[tuple(with_state_types(one) for one in typing.get_args(annotation))]  # noqa: UP007 - made here
    if is_array_type(annotation) or is_array_type(plain):
        return _ARRAY
    if annotation is memoryview:
        return _BUFFER
    if isinstance(annotation, type) and annotation.__module__.startswith("pyarrow"):
        return _TABLE
    return annotation
