"""Read an agent's declaration in any of its three forms, and say what could be better about it.

::

    registry row    {agent_id, capabilities: ["poetry.create"], description, input_schema, output_schema, ...}
    single          {agent_id, capability_declaration: {capability_id, description, input_schema, ...}}
    per capability  {agent_id, capabilities: [{capability_id, description, input_schema, ...}, ...]}

All three become the same :class:`Declaration`. Forms may be mixed: an id string among the capabilities takes
the agent's own description and schemas.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from agentactors.errors import RegistrationRefused
from agentactors.nearest import nearest
from agentactors.protocol.declaration import CapabilityDeclaration, Declaration
from agentactors.protocol.ids import CAPABILITY_ID
from agentactors.protocol.roles import check_role
from agentactors.protocol.schema import join, normalise_schema

MAX_DECLARATION_BYTES: Final = 1024 * 1024
MAX_CAPABILITIES: Final = 1000

_SINGLE: Final = "capability_declaration"
_SHARED: Final = ("description", "input_schema", "output_schema")
"""What an agent may say once for the capabilities that it names by id only."""
_OPEN: Final[Mapping[str, Any]] = {"input_schema": {"type": "object"}, "output_schema": {}}
"""The schemas of a capability that says nothing of them: any object in, any value out."""
_AGENT_KEYS: Final = frozenset(Declaration.model_fields) | {_SINGLE, "input_schema", "output_schema"}
_CAPABILITY_KEYS: Final = frozenset(CapabilityDeclaration.model_fields)


def parse_declaration(raw: Mapping[str, Any]) -> Declaration:
    """Return the declaration that ``raw`` makes, in its one registered form.

    Schemas are normalised (:func:`.schema.normalise_schema`). An agent with one capability and no description
    of its own takes that of the capability. Reading a dumped :class:`Declaration` gives it back.

    Args:
        raw: Plain data in one of the three forms.

    Raises:
        RegistrationRefused: Something is unknown, missing, of the wrong type or said twice; ``details.path``
            names it as it stands in ``raw``.
        RoleCapabilityMismatch: A capability belongs to another role.

    Cost:
        A few milliseconds per capability (meta-schema checks).
    """
    if not isinstance(raw, Mapping):
        raise RegistrationRefused("A declaration is an object.", {"path": ""})
    _check_keys(raw, _AGENT_KEYS, "")
    entries = list(_entries(raw))
    capabilities = [_capability(entry, raw, path) for path, entry in entries]
    plain = {key: value for key, value in raw.items() if key in Declaration.model_fields}
    plain["capabilities"] = capabilities
    if len(capabilities) == 1 and not raw.get("description"):
        plain["description"] = capabilities[0].get("description", "")
    declaration = _validate(plain, [path for path, _ in entries])
    _check_content(declaration, [path for path, _ in entries])
    check_role(declaration.agent_id, declaration.role, declaration.capability_ids)
    return declaration


def lint(declaration: Declaration) -> tuple[str, ...]:
    """Return what the owner of a declaration should mend; nothing of it stops the registration."""
    return tuple(warning for capability in declaration.capabilities for warning in _lint(capability))


def _lint(capability: CapabilityDeclaration) -> Iterator[str]:
    where = capability.capability_id
    if not CAPABILITY_ID.fullmatch(where):
        yield f"{where}: the capability id is not of the form domain.action (lower case, such as poetry.create)"
    if not capability.description.strip():
        yield f"{where}: the description is empty"
    for name, schema in (("input_schema", capability.input_schema), ("output_schema", capability.output_schema)):
        for field, declared in schema.get("properties", {}).items():
            if not (isinstance(declared, Mapping) and str(declared.get("description", "")).strip()):
                yield f"{where}: {name}.properties.{field} has no description"
    if capability.input_schema.get("properties") and not capability.input_schema.get("required"):
        yield f"{where}: input_schema requires nothing"


def _entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, str | Mapping[str, Any]]]:
    """Yield each declared capability with the path where it stands."""
    if _SINGLE in raw:
        if "capabilities" in raw:
            raise _refused(f"{_SINGLE} and capabilities exclude each other", _SINGLE)
        if not isinstance(raw[_SINGLE], Mapping):
            raise _refused("it is an object with capability_id", _SINGLE)
        yield _SINGLE, raw[_SINGLE]
        return
    listed = raw.get("capabilities")
    if not isinstance(listed, list | tuple) or not listed:
        raise _refused("it lists at least one capability, by id or as an object with capability_id", "capabilities")
    if len(listed) > MAX_CAPABILITIES:
        raise _refused(f"{len(listed)} capabilities are more than {MAX_CAPABILITIES}", "capabilities")
    for index, entry in enumerate(listed):
        path = join("capabilities", index)
        if not isinstance(entry, str | Mapping):
            raise _refused("a capability is its id, or an object with capability_id", path)
        yield path, entry


def _capability(entry: str | Mapping[str, Any], agent: Mapping[str, Any], path: str) -> dict[str, Any]:
    if isinstance(entry, str):
        shared = {key: agent[key] for key in _SHARED if key in agent}
        return {**_OPEN, **_with_schemas({"capability_id": entry, **shared}, "")}
    _check_keys(entry, _CAPABILITY_KEYS, path)
    if "capability_id" not in entry:
        raise _refused("it is missing", join(path, "capability_id"))
    inherited = {key: agent[key] for key in _SHARED[1:] if key in agent and key not in entry}
    return {**_OPEN, **_with_schemas(dict(entry), path), **_with_schemas(inherited, "")}


def _with_schemas(capability: dict[str, Any], path: str) -> dict[str, Any]:
    for key in _SHARED[1:]:
        if key in capability:
            capability[key] = normalise_schema(capability[key], path=join(path, key), of_object=key == "input_schema")
    return capability


def _validate(plain: dict[str, Any], paths: list[str]) -> Declaration:
    try:
        # By way of JSON: pydantic is strict about types there (no "10" for 10), and takes lists for tuples.
        text = json.dumps(plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as fault:
        raise _refused(f"it holds a value that is no plain data ({fault})", _not_plain(plain)) from None
    if len(text) > MAX_DECLARATION_BYTES:
        raise _refused(f"{len(text):,} bytes are more than {MAX_DECLARATION_BYTES:,}", "")
    try:
        return Declaration.model_validate_json(text, strict=True)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise _refused(first["msg"][:1].lower() + first["msg"][1:], _path(first["loc"], paths)) from None


def _path(location: tuple[int | str, ...], paths: list[str]) -> str:
    match location:
        case ("capabilities", int(index), *rest):
            return join(paths[index], *rest)
        case _:
            return join("", *location)


def _not_plain(plain: dict[str, Any]) -> str:
    for key, value in plain.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            return key
    return ""


def _check_content(declaration: Declaration, paths: list[str]) -> None:
    """Check what types cannot say."""
    seen: set[str] = set()
    for path, capability in zip(paths, declaration.capabilities, strict=True):
        if capability.capability_id in seen:
            raise _refused(f"{capability.capability_id!r} is declared twice", path)
        seen.add(capability.capability_id)
        named = capability.takes_query
        properties = capability.input_schema.get("properties", {})
        if named is not None and named not in properties:
            raise _refused(f"{named!r} is no parameter of {capability.capability_id}", join(path, "takes_query"))
    for capability_id in declaration.substitutes.keys() - seen:
        raise _refused(f"{capability_id!r} is no capability of this agent", join("substitutes", capability_id))
    for name in ("see", "call"):
        for index, entry in enumerate(getattr(declaration.visibility, name) or ()):
            if not entry.strip() or entry.count(":") > 1 or entry.startswith(":") or entry.endswith(":"):
                raise _refused("an entry is '*', 'tenant' or 'tenant:role'", join("visibility", name, index))
    if declaration.base_url is not None and not declaration.base_url.startswith(("http://", "https://")):
        raise _refused("it starts with http:// or https://", "base_url")


def _check_keys(raw: Mapping[str, Any], known: frozenset[str], path: str) -> None:
    for key in raw:
        if key not in known:
            near = nearest(str(key), known, limit=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise _refused(f"no field has that name{hint}", join(path, str(key)))


def _refused(what: str, path: str) -> RegistrationRefused:
    where = f"Declaration, {path}" if path else "The declaration"
    return RegistrationRefused(f"{where}: {what}.".replace("?.", "?"), {"path": path})
