"""The error tree: its drawing, its table, and how errors travel."""

from __future__ import annotations

import json
import pickle
import re

import pytest

from agentactors import errors
from agentactors.error_table import ERROR_TABLE, ErrorRow, Retryable
from agentactors.errors import (
    ERROR_BY_CODE,
    AgentActorsError,
    AgentFailed,
    AgentUnavailable,
    Overloaded,
    UserMistake,
)

SPEC_TABLE = """
INVALID_MESSAGE no no 400
VERSION_UNSUPPORTED no yes 400
UNKNOWN_MESSAGE_TYPE no no 400
MISSING_CORRELATION_ID no no 400
UNKNOWN_ACTION no yes 404
INVALID_PARAMETERS no yes 422
RESULT_INVALID no yes 502
UNKNOWN_CORRELATION no no 404
DUPLICATE_RESPONSE no no 409
ILLEGAL_TRANSITION no no 409
NO_REACHABLE_AGENT yes no 404
ROLE_CAPABILITY_MISMATCH no no 409
UPSTREAM_RESULT_MISSING no no 424
PERMISSION_DENIED no no 403
DEADLINE_EXCEEDED no no 504
CANCELLED no no 409
AGENT_FAILED no yes 502
AGENT_UNAVAILABLE unknown no 503
OVERLOADED yes no 429
PROVIDER_FAILED yes no 502
DEPENDENCY_NOT_READY yes no 425
STATE_LOST no no 410
CONTEXT_LOST no no 410
TOO_LARGE no no 413
REGISTRATION_REFUSED no no 422
START_TIMEOUT no no 504
STALE_INCARNATION no no 409
"""
"""The table of the specification: code, retry, text fallback, HTTP status."""

LEAVES = sorted(ERROR_BY_CODE.values(), key=lambda cls: cls.__name__)
DETAILS = {"retry_after_s": 1.5, "path": "$.body", "nearest": ["a.b", "c.d"], "inner": {"文": None}}


def row(code: str) -> ErrorRow:
    return next(row for row in ERROR_TABLE if row.code == code)


def subclasses(cls: type[AgentActorsError]) -> set[type[AgentActorsError]]:
    own = {sub for sub in cls.__subclasses__() if sub.__module__ == errors.__name__}
    return own.union(*(subclasses(sub) for sub in own))


def drawn_tree() -> dict[str, tuple[str, str]]:
    """Read the drawing: class name to the name of its parent and its code (empty for a branch)."""
    tree: dict[str, tuple[str, str]] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if not (found := re.match(r"^    ([│ ├└─]*)([A-Z]\w+) +(.*)$", line)):
            continue
        indent, name, says = found.groups()
        depth = len(indent) // 3
        path = [*path[:depth], name]
        code = says if re.fullmatch(r"[A-Z_]+", says) else ""
        tree[name] = (path[depth - 1] if depth else "", code)
    return tree


@pytest.mark.spec("COLLAB-05")
def test_the_drawing_shows_every_class_under_its_parent_with_its_code() -> None:
    actual = {cls.__name__: (cls.__bases__[0].__name__, cls.code) for cls in subclasses(AgentActorsError)}

    assert drawn_tree() == {"AgentActorsError": ("", "")} | actual


@pytest.mark.spec("COLLAB-05")
def test_the_table_has_one_row_for_every_code_and_no_other() -> None:
    codes = [row.code for row in ERROR_TABLE]

    assert len(set(codes)) == len(codes)
    assert set(codes) == {cls.code for cls in subclasses(AgentActorsError) if cls.code} == set(ERROR_BY_CODE)


@pytest.mark.spec("COLLAB-05")
@pytest.mark.parametrize("line", SPEC_TABLE.strip().splitlines(), ids=lambda line: line.split()[0])
def test_each_code_of_the_specification_has_its_values(line: str) -> None:
    code, retry, fallback, http_status = line.split()
    actual = row(code)

    assert (actual.retryable, actual.text_fallback, actual.http_status) == (
        Retryable(retry),
        fallback == "yes",
        int(http_status),
    )


@pytest.mark.spec("COLLAB-05")
@pytest.mark.parametrize("row", ERROR_TABLE, ids=lambda row: row.code)
def test_each_row_says_when_and_what_to_do(row: ErrorRow) -> None:
    assert row.trigger
    assert row.advice[0].isupper()
    assert row.advice.endswith(".")
    assert 400 <= row.http_status < 600


@pytest.mark.spec("COLLAB-05")
@pytest.mark.parametrize("cls", LEAVES)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_survives_pickle(cls: type[AgentActorsError], protocol: int) -> None:
    sent = cls("Something is wrong: 错。", DETAILS)
    got = pickle.loads(pickle.dumps(sent, protocol))

    assert type(got) is cls
    assert (got.message, got.details, str(got)) == (sent.message, DETAILS, sent.message)


@pytest.mark.spec("COLLAB-05")
@pytest.mark.parametrize("cls", LEAVES)
def test_an_error_survives_the_wire(cls: type[AgentActorsError]) -> None:
    sent = cls("Something is wrong.", DETAILS)
    got = AgentActorsError.from_wire(json.loads(json.dumps(sent.to_wire())))

    assert type(got) is cls
    assert (got.message, got.details, got.advice) == (sent.message, DETAILS, sent.row.advice)


def test_a_code_of_a_later_version_arrives_as_agent_failed() -> None:
    got = AgentActorsError.from_wire({"code": "INVENTED_LATER", "message": "Boom.", "details": None})

    assert isinstance(got, AgentFailed)
    assert (got.message, got.details) == ("Boom.", {})


def test_an_error_that_never_started_may_be_retried() -> None:
    unknown = AgentUnavailable("Connection lost.", {})

    assert unknown.retryable is Retryable.UNKNOWN
    assert unknown.with_details(started=False).retryable is Retryable.YES


def test_own_advice_wins_over_the_tables() -> None:
    assert Overloaded("Full.").advice == row("OVERLOADED").advice
    assert Overloaded("Full.", {"advice": "Add two replicas."}).advice == "Add two replicas."


def test_details_are_a_copy() -> None:
    given = {"path": "$"}
    error = AgentFailed("Boom.", given)
    given["path"] = "changed"
    error.details["path"] = "changed"

    assert error.details == {"path": "$"}


def test_further_details_leave_the_first_error_alone() -> None:
    first = AgentFailed("Boom.", {"a": 1})

    assert first.with_details(b=2).details == {"a": 1, "b": 2}
    assert first.details == {"a": 1}


def test_only_mistakes_of_the_user_are_user_mistakes() -> None:
    assert {cls.code for cls in subclasses(UserMistake)} == {"CONFIG_INVALID", "INPUT_INVALID", "SYSTEM_NOT_FOUND"}
