"""From an agent class to its spec: handlers, types, declaration.

Types are resolved here, in the process that defines the class, because a class from ``__main__`` reaches its
host by value and leaves behind the names that its annotations mention.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import Field
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation

from agentactors.agents.agent import MARK, Agent, CapabilityMark
from agentactors.agents.context import Context
from agentactors.agents.signature import CompiledHandler, ParameterSpec, compile_handler
from agentactors.errors import InputInvalid
from agentactors.protocol.declaration import Declaration
from agentactors.protocol.declare import parse_declaration

_STREAMS: Final = (
    typing.get_origin(AsyncIterator[int]),
    typing.get_origin(Iterator[int]),
    typing.get_origin(typing.AsyncGenerator[int, None]),
    typing.get_origin(typing.Generator[int, None, None]),
    typing.get_origin(typing.AsyncIterable[int]),
    typing.get_origin(typing.Iterable[int]),
)


class HandlerKind(StrEnum):
    """How a handler runs."""

    ASYNC = "async"
    SYNC = "sync"
    ASYNC_STREAM = "async_stream"
    SYNC_STREAM = "sync_stream"

    @property
    def streams(self) -> bool:
        """Whether the handler yields items."""
        return self in (HandlerKind.ASYNC_STREAM, HandlerKind.SYNC_STREAM)


@dataclass(frozen=True, slots=True)
class HandlerSpec:
    """One capability's handler; picklable, so that it can travel with its class."""

    capability_id: str
    method: str
    kind: HandlerKind
    parameters: tuple[ParameterSpec, ...]
    returns: Any
    """The return type, or the item type of a stream."""
    context_parameter: str | None
    takes_query: str | None
    idempotent: bool

    def compile(self) -> CompiledHandler:
        """Return the validators of parameters and result."""
        return compile_handler(self.capability_id, self.parameters, self.returns)


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent class with everything its host and the registry need."""

    cls: type[Agent]
    declaration: Declaration
    handlers: Mapping[str, HandlerSpec]


def derive_spec(cls: type[Agent], *, agent_id: str | None = None) -> AgentSpec:
    """Read an agent class.

    Args:
        cls: The class; ``@capability`` methods need types on every parameter and on the result.
        agent_id: Overrides the class's own id.

    Raises:
        InputInvalid: The class is no Agent, has no capability, has an untyped parameter or a type that no
            schema describes; the message names class, method and parameter.
        RegistrationRefused: The hand-written declaration breaks its schema.
        RoleCapabilityMismatch: A capability belongs to another role.
    """
    given: Any = cls
    if not (isinstance(given, type) and issubclass(given, Agent)):
        raise InputInvalid(f"{cls!r} is no agent: derive the class from agentactors.Agent.")
    handlers = {spec.capability_id: spec for spec in _handlers(cls)}
    if not handlers:
        raise InputInvalid(f"Agent {cls.__name__} has no capability: mark a method with @capability('domain.action').")
    derived = _derived_declaration(cls, handlers)
    written = dict(cls.declaration or {})
    raw = {**(_attributes(cls) if written else derived), **written}
    if agent_id:
        raw["agent_id"] = agent_id
    declaration = parse_declaration(raw)
    unserved = sorted(set(declaration.capability_ids) - set(handlers))
    if unserved:
        raise InputInvalid(f"Agent {cls.__name__} declares {unserved[0]!r} and has no method for it.")
    if written:
        declaration = _with_flags(declaration, handlers)
    return AgentSpec(cls, declaration, handlers)


def _with_flags(declaration: Declaration, handlers: Mapping[str, HandlerSpec]) -> Declaration:
    """A declaration written by hand says nothing of how its methods run: the marks do."""
    capabilities = tuple(
        one.model_copy(
            update={
                "takes_query": one.takes_query or handlers[one.capability_id].takes_query,
                "idempotent": one.idempotent or handlers[one.capability_id].idempotent,
                "streaming": handlers[one.capability_id].kind.streams,
            }
        )
        for one in declaration.capabilities
    )
    return declaration.model_copy(update={"capabilities": capabilities})


def _attributes(cls: type[Agent]) -> dict[str, Any]:
    return {
        "agent_id": cls.agent_id or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower(),
        "agent_name": cls.agent_name or cls.__name__,
        "version": cls.version,
        "description": cls.description or _paragraph(cls.__doc__ if cls.__doc__ is not Agent.__doc__ else None),
        "tags": list(cls.tags),
        "priority": cls.priority,
        "not_capable": list(cls.not_capable),
        "role": cls.role.value if cls.role else None,
        "visibility": cls.visibility.model_dump(mode="json"),
        "substitutes": {capability: list(names) for capability, names in cls.substitutes.items()},
    }


def _derived_declaration(cls: type[Agent], handlers: Mapping[str, HandlerSpec]) -> dict[str, Any]:
    capabilities = []
    for spec in handlers.values():
        compiled = _compile(cls, spec)
        mark: CapabilityMark = getattr(getattr(cls, spec.method), MARK)
        capabilities.append(
            {
                "capability_id": spec.capability_id,
                "description": mark.description or _paragraph(getattr(cls, spec.method).__doc__),
                "input_schema": compiled.input_schema,
                "output_schema": compiled.output_schema,
                "takes_query": spec.takes_query,
                "idempotent": spec.idempotent,
                "streaming": spec.kind.streams,
            }
        )
    return {**_attributes(cls), "capabilities": capabilities}


def _compile(cls: type[Agent], spec: HandlerSpec) -> CompiledHandler:
    try:
        return spec.compile()
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation, TypeError) as fault:
        first = str(fault).partition("\n")[0]
        raise InputInvalid(f"{cls.__name__}.{spec.method}: no schema describes one of its types ({first}).") from None


def _handlers(cls: type[Agent]) -> Iterator[HandlerSpec]:
    seen: dict[str, str] = {}
    for name, member in inspect.getmembers(cls, callable):
        mark = getattr(member, MARK, None)
        if not isinstance(mark, CapabilityMark):
            continue
        if mark.capability_id in seen:
            raise InputInvalid(
                f"{cls.__name__}: {seen[mark.capability_id]} and {name} both serve {mark.capability_id!r}."
            )
        seen[mark.capability_id] = name
        yield _handler(cls, name, member, mark)


def _handler(cls: type[Agent], name: str, method: Any, mark: CapabilityMark) -> HandlerSpec:
    where = f"{cls.__name__}.{name}"
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except NameError as fault:
        raise InputInvalid(f"{where}: a type is not defined where the agent is ({fault}).") from None
    described = _described_parameters(method.__doc__ or "")
    parameters: list[ParameterSpec] = []
    context_parameter: str | None = None
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise InputInvalid(f"{where}: parameter {parameter.name!r} has no fixed name; name each parameter.")
        annotation = hints.get(parameter.name)
        if annotation is None:
            raise InputInvalid(f"{where}: parameter {parameter.name!r} has no type; write {parameter.name}: str, say.")
        if annotation is Context:
            context_parameter = parameter.name
            continue
        if parameter.name in described and not _has_description(annotation):
            annotation = Annotated[annotation, Field(description=described[parameter.name])]
        parameters.append(ParameterSpec(parameter.name, annotation, _default(parameter)))
    if "return" not in hints:
        raise InputInvalid(f"{where}: the result has no type; write -> dict[str, str], say.")
    if mark.takes_query and mark.takes_query not in {p.name for p in parameters}:
        raise InputInvalid(f"{where}: takes_query names {mark.takes_query!r}, which is no parameter.")
    kind = _kind(method)
    return HandlerSpec(
        capability_id=mark.capability_id,
        method=name,
        kind=kind,
        parameters=tuple(parameters),
        returns=_item_type(where, hints["return"]) if kind.streams else hints["return"],
        context_parameter=context_parameter,
        takes_query=mark.takes_query,
        idempotent=mark.idempotent,
    )


def _kind(method: Any) -> HandlerKind:
    if inspect.isasyncgenfunction(method):
        return HandlerKind.ASYNC_STREAM
    if inspect.isgeneratorfunction(method):
        return HandlerKind.SYNC_STREAM
    return HandlerKind.ASYNC if inspect.iscoroutinefunction(method) else HandlerKind.SYNC


def _item_type(where: str, annotation: Any) -> Any:
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) not in _STREAMS or not arguments:
        raise InputInvalid(f"{where}: it yields, so its result is AsyncIterator[item type] or Iterator[item type].")
    return arguments[0]


def _default(parameter: inspect.Parameter) -> Any:
    return ... if parameter.default is parameter.empty else parameter.default


def _has_description(annotation: Any) -> bool:
    return any(getattr(extra, "description", None) for extra in getattr(annotation, "__metadata__", ()))


def _paragraph(doc: str | None) -> str:
    return " ".join(inspect.cleandoc(doc or "").partition("\n\n")[0].split())


def _described_parameters(doc: str) -> dict[str, str]:
    """Read the ``Args:`` section of a Google style docstring."""
    section = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)+)", inspect.cleandoc(doc), re.MULTILINE)
    if not section:
        return {}
    items = re.findall(r"^ {4}(\w+)(?: \([^)]*\))?: (.*(?:\n {5,}.*)*)", section[1], re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in items}
