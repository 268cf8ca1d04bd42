"""Whether the parameters of a request fit a candidate, before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agentactors.errors import InvalidParameters
from agentactors.protocol.schema import missing_required, with_defaults
from agentactors.protocol.state import is_marker
from agentactors.routing.directory import Entry
from agentactors.routing.request import RouteRequest


def misfit(entry: Entry, capability: str, request: RouteRequest) -> InvalidParameters | None:
    """Return why the parameters of a request do not fit, or None when they do or are not known.

    Defaults count as given, and so does the parameter that takes the sentence when there is one. A parameter
    that travels beside the envelope is known by name only.
    """
    if request.parameters is None and request.parameter_names is None:
        return None
    schema = entry.input_schema(capability)
    given: dict[str, Any] = dict(request.parameters or {})
    names = {*given, *(request.parameter_names or ())}
    takes_query = entry.capabilities[capability].get("takes_query")
    if takes_query and request.query and takes_query not in names:
        given[takes_query] = request.query
    missing = missing_required(schema, {**dict.fromkeys(names), **given})
    if missing:
        return _fault(entry, f"it needs {', '.join(missing)}", {"missing": missing, "path": missing[0]})
    if request.parameters is None:
        return _unknown_name(entry, schema, names)
    return _wrong_value(entry, capability, with_defaults(schema, {**dict.fromkeys(names), **given}), given)


def _unknown_name(entry: Entry, schema: Mapping[str, Any], names: Iterable[str]) -> InvalidParameters | None:
    if schema.get("additionalProperties", True) is not False:
        return None
    unknown = sorted(set(names) - set(schema.get("properties", {})))
    return _fault(entry, f"it takes no {unknown[0]!r}", {"missing": [], "path": unknown[0]}) if unknown else None


def _wrong_value(
    entry: Entry, capability: str, filled: dict[str, Any], given: Mapping[str, Any]
) -> InvalidParameters | None:
    validator = entry.validator(capability)
    if validator.is_valid(filled):
        return None
    by_name_only = {name for name, value in filled.items() if is_marker(value) or (value is None and name not in given)}
    for fault in validator.faults(filled):
        if re.split(r"[.\[]", fault.path, maxsplit=1)[0] not in by_name_only:
            where = f"{fault.path}: " if fault.path else ""
            return _fault(entry, f"{where}{fault.message}", {"missing": [], "path": fault.path})
    return None


def _fault(entry: Entry, what: str, details: dict[str, Any]) -> InvalidParameters:
    return InvalidParameters(
        f"The parameters do not fit {entry.row.agent_id!r}: {what}.", {"agent_id": entry.row.agent_id, **details}
    )
