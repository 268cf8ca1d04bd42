"""Write the pages of this folder that are made from the code: ``python docs/generate.py``.

A test compares them with what this makes, so they cannot drift. ``errors.md`` comes from the error table,
``fields.md`` from the message types and models, ``settings.md`` from the settings model.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from agentactors.config import ENV_PREFIX, Settings
from agentactors.error_table import ERROR_TABLE
from agentactors.errors import ERROR_BY_CODE
from agentactors.protocol.bodies import RULES, message_schema
from agentactors.protocol.declaration import CapabilityDeclaration, Declaration, Visibility
from agentactors.protocol.envelope import Body, Envelope, ErrorBody
from agentactors.protocol.task import Result, Task

FOLDER: Final = Path(__file__).resolve().parent
HEAD: Final = "<!-- Made by docs/generate.py from the code: change the code, then run `make docs`. -->\n"

# Who writes a field and who acts on it. A field that is missing here fails the generator. Where the code itself
# carries no sentence on a field, the third entry is one.
ROLES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "Envelope": {
        "message_id": ("sender", "receiver: executes an id once"),
        "task_id": ("who starts the chain", "everybody: logs, chain memory, results"),
        "sender": ("sender", "receiver, logs", "Who sent it: an agent's replica, or a driver."),
        "receiver": ("sender, after resolution", "receiver", "The agent that it is for."),
        "message_type": ("sender", "receiver: decides what the body has to hold", "What the message is for."),
        "timestamp": ("sender", "logs", "When it was made; seconds since the epoch."),
        "protocol_version": ("sender", "receiver: refuses another major version", "Version of this protocol."),
        "session_id": ("who starts the chain", "teams, logs"),
        "trace_id": ("who starts the chain", "logs"),
        "correlation_id": ("who answers", "who asked"),
        "deadline": ("who starts the chain", "sender and receiver: both stop at it"),
        "tenant": ("the driver's system object", "router and receiver: visibility"),
        "role": ("the driver's system object", "router and receiver: visibility"),
        "context_refer": ("caller", "receiver: loads those conclusions"),
        "has_memory": ("sender and who answers", "receiver: whether to ask the journal"),
        "key": ("sender: the caller's choice", "host: finds or makes the agent of that key"),
        "hops": ("sender: one more than its own", "sender: refuses beyond `max_hops`"),
        "body": ("sender", "receiver", "What the message says; see Body."),
    },
    "Body": {
        "action": ("who asks", "receiver: chooses the handler"),
        "query": ("caller", "handler: `ctx.query`"),
        "parameters": ("caller", "handler, after validation", "Values for the action, by name."),
        "status": ("who answers", "who asked", "How the work stands or ended."),
        "result": ("handler", "caller, after validation", "What the handler returned."),
        "error": ("who answers", "who asked", "What went wrong; see ErrorBody."),
    },
    "ErrorBody": {
        "code": ("who answers", "caller's program", "The code; see the error table."),
        "message": ("who answers", "caller", "One sentence: what is wrong, where, and what to do."),
        "advice": ("who answers", "caller", "What to do next."),
        "details": ("who answers", "caller's program", "Plain values that belong to the error."),
    },
}
MODELS: Final[Sequence[tuple[type[BaseModel], str, str]]] = (
    (
        Task,
        "A request in its caller's words: what `submit_task` takes.",
        "Made by the caller; read by reach and handler.",
    ),
    (Declaration, "What a replica registers.", "Made from the agent class, or by hand; read by registry and router."),
    (
        CapabilityDeclaration,
        "One entry of `capabilities`.",
        "Made from a `@capability` method; read by router and host.",
    ),
    (Visibility, "Who may see and who may call an agent.", "Made by the owner; read by router and host."),
)
FURTHER_EXAMPLES: Final = {
    "query": "帮我写一首关于秋天的诗",
    "context_refer": "req-6",
    "has_memory": True,
    "key": "user-42",
    "hops": 1,
}
"""Of fields that none of those messages has."""
STRUCT_EXAMPLES: Final = FOLDER.parent / "tests" / "unit" / "protocol" / "golden" / "1.0"


def errors_page() -> str:
    """Return ``errors.md``."""
    rows = (
        (
            f"`{row.code}`",
            f"`{ERROR_BY_CODE[row.code].__name__}`",
            row.trigger,
            row.retryable.value,
            "yes" if row.text_fallback else "no",
            str(row.http_status),
            row.advice,
        )
        for row in ERROR_TABLE
    )
    return "\n".join(
        (
            HEAD,
            "# Errors",
            "",
            "Every error is a subclass of `AgentActorsError` with `code`, `message`, `advice` and `details`. Import the",
            "classes from `agentactors.errors`.",
            "",
            "*Retry*: `yes`, the same call may be made again; `no`, it would fail again; `unknown`, the outcome is not",
            "known, so repeat only what is idempotent. An error whose `details` hold `started: false` may always be",
            "repeated: the work never began. *Text fallback*: whether a team may send the business text again as plain",
            "text (recorded, never silent).",
            "",
            *table(("Code", "Class", "Raised when", "Retry", "Text fallback", "HTTP", "What to do"), rows),
            "",
        )
    )


def settings_page() -> str:
    """Return ``settings.md``."""
    rows = (
        (f"`{name}`", type_name(field), default_of(name, field), bounds(field), field.description or "")
        for name, field in Settings.model_fields.items()
    )
    return "\n".join(
        (
            HEAD,
            "# Settings",
            "",
            "A value comes from the call's arguments, else from the environment, else from a TOML file, else from its",
            f"default. The variable of a setting is its name in capitals after `{ENV_PREFIX}`: `AGENTACTORS_LOG_LEVEL=INFO`.",
            "The file is `agentactors.toml` in the working folder, or what `AGENTACTORS_CONFIG` names. An unknown key is",
            "an error. `agentactors config show` prints every value and where it comes from.",
            "",
            *table(("Setting", "Type", "Default", "Bounds", "Meaning"), rows),
            "",
        )
    )


def fields_page() -> str:
    """Return ``fields.md``."""
    parts = [
        HEAD,
        "# Fields",
        "",
        "Every field of every message and model: type, whether it is required, an example, what it means, who makes it",
        "and who reads it. Times are seconds since the epoch, UTC. Messages are JSON in logs and msgpack between actors.",
        "",
    ]
    for struct in (Envelope, Body, ErrorBody):
        parts += [*struct_section(struct), ""]
    parts += [*message_section(), ""]
    for model, what, who in MODELS:
        parts += [*model_section(model, what, who), ""]
    parts += [*result_section(), ""]
    return "\n".join(parts)


def struct_section(struct: type[msgspec.Struct]) -> Iterator[str]:
    """Yield the section of one message type."""
    docs, examples, roles = attribute_docs(struct), golden_examples(struct), ROLES[struct.__name__]
    rows = []
    for field in msgspec.structs.fields(struct):
        makes, reads, *said = roles[field.name]
        meaning = docs.get(field.name) or said[0]
        rows.append(
            (
                f"`{field.name}`",
                annotation_name(field.type),
                "yes" if field.required else "no",
                code(examples.get(field.name)),
                meaning,
                makes,
                reads,
            )
        )
    yield f"## {struct.__name__}"
    yield ""
    yield first_paragraph(struct)
    yield ""
    yield from table(("Field", "Type", "Required", "Example", "Meaning", "Made by", "Read by"), rows)


def message_section() -> Iterator[str]:
    """Yield what each message type needs, from the protocol's own table."""
    yield "## Message types"
    yield ""
    yield "What a message of each type has to say. A message that does not is refused before any agent sees it."
    yield ""
    rows = (
        (
            f"`{kind.value}`",
            str(message_schema(kind)["description"]),
            ", ".join(f"`{name}`" for name in rule.needs) or "-",
            ", ".join(f"`{name}`" for name in rule.parameters) or "-",
            ", ".join(f"`{name}`" for name in sorted(rule.statuses)) or "-",
            "yes" if rule.correlated else "no",
        )
        for kind, rule in RULES.items()
    )
    yield from table(("Type", "Meaning", "Body needs", "Parameters need", "Status", "correlation_id"), rows)


def model_section(model: type[BaseModel], what: str, who: str) -> Iterator[str]:
    """Yield the section of one model."""
    yield f"## {model.__name__}"
    yield ""
    yield f"{what} {who}"
    yield ""
    rows = (
        (
            f"`{name}`",
            type_name(field),
            "yes" if field.is_required() else "no",
            default_of(name, field) if not field.is_required() else "-",
            field.description or "",
        )
        for name, field in model.model_fields.items()
    )
    yield from table(("Field", "Type", "Required", "Default", "Meaning"), rows)


def result_section() -> Iterator[str]:
    """Yield the section of the result."""
    docs = attribute_docs(Result)
    docs.setdefault("status", "`success`, `failed` or `queued`.")
    yield "## Result"
    yield ""
    yield "What came of a task. Made by reach; read by the caller. Fields that are not set are left out of JSON."
    yield ""
    rows = (
        (
            f"`{field.name}`",
            annotation_name(field.type),
            "yes" if field.required else "no",
            docs[field.name],
        )
        for field in msgspec.structs.fields(Result)
    )
    yield from table(("Field", "Type", "Always there", "Meaning"), rows)


def table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def attribute_docs(cls: type[Any]) -> dict[str, str]:
    """Return the sentences under a class's attributes."""
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, doc in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(doc, ast.Expr)
            and isinstance(doc.value, ast.Constant)
        ):
            found[field.target.id] = markdown(" ".join(str(doc.value.value).split()))
    return found


def golden_examples(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """Return one value of each field, from the messages that every later version has to understand."""
    found: dict[str, Any] = dict(FURTHER_EXAMPLES) if struct is not ErrorBody else {}
    for path in sorted(STRUCT_EXAMPLES.glob("*.json")):
        message = json.loads(path.read_text(encoding="utf-8"))
        part = {"Envelope": message, "Body": message.get("body"), "ErrorBody": message.get("body", {}).get("error")}
        for name, value in (part[struct.__name__] or {}).items():
            if value is not None:
                found.setdefault(name, value)
    if struct is Envelope:
        found.pop("body", None)
    if struct is Body:
        found.pop("error", None)
    return found


def code(value: Any) -> str:
    """Return an example as it stands in JSON."""
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def type_name(field: FieldInfo) -> str:
    """Return a model field's type as people write it."""
    return annotation_name(field.annotation)


def annotation_name(annotation: Any) -> str:
    """Return a type as people write it."""
    if isinstance(annotation, str):
        return annotation
    text = (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    )
    for noise in (
        "typing.",
        "pathlib.",
        "agentactors.protocol.roles.",
        "agentactors.protocol.declaration.",
        "agentactors.protocol.envelope.",
    ):
        text = text.replace(noise, "")
    return text


def default_of(name: str, field: FieldInfo) -> str:
    """Return a field's default, in words where it depends on the machine."""
    if name == "state_dir":
        return "`$XDG_STATE_HOME/agentactors`, else `~/.local/state/agentactors`"
    default = field.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return "-"
    if isinstance(default, BaseModel):
        return "the owner's tenant"
    if default is None:
        return "null"
    return f"`{json.dumps(default, ensure_ascii=False)}`"


def bounds(field: FieldInfo) -> str:
    """Return what a setting may be."""
    signs = {"gt": "> {}", "ge": ">= {}", "lt": "< {}", "le": "<= {}"}
    said = [
        text.format(f"{limit:,}")
        for one in field.metadata
        for name, text in signs.items()
        if (limit := getattr(one, name, None)) is not None
    ]
    patterns = [one.pattern for one in field.metadata if getattr(one, "pattern", None)]
    return ", ".join([*said, *(", ".join(pattern.strip("^$()").split("|")) for pattern in patterns)]) or "-"


def first_paragraph(cls: type[Any]) -> str:
    """Return the first paragraph of a docstring as Markdown."""
    return markdown(" ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split()))


def markdown(text: str) -> str:
    """Return a docstring's text without its reStructuredText marks."""
    for role in (":meth:", ":class:", ":mod:", ":data:"):
        text = text.replace(role, "")
    return text.replace("``", "`").replace("`.", "`")


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "errors.md": errors_page,
    "fields.md": fields_page,
    "settings.md": settings_page,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
