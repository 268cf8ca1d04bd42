"""Reading an agent class: what is derived, and the one sentence for each mistake."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from pydantic import BaseModel, Field

from agentactors import Agent, Context, Role, Visibility, capability
from agentactors.agents.spec import HandlerKind, derive_spec
from agentactors.errors import InputInvalid, InvalidParameters, RegistrationRefused, ResultInvalid


class Opaque:
    """A type that no schema describes."""


class Line(BaseModel):
    text: str
    number: int = 1


@dataclass
class Page:
    lines: list[str]


class WellMade(Agent):
    """Writes pages.

    Nobody reads this paragraph.
    """

    version = "2.1"
    tags = ("paper", "ink")
    priority = 20
    not_capable = ("drawing",)
    visibility = Visibility(see=("*",))
    substitutes: ClassVar[dict[str, tuple[str, ...]]] = {"page.write": ("page.print",)}

    @capability("page.write", idempotent=True, takes_query="title")
    async def write(
        self,
        ctx: Context,
        title: str,
        lines: list[Line],
        margin: Annotated[int, Field(ge=0, description="Millimetres.")] = 5,
    ) -> Page:
        """Write a page.

        Args:
            title: Over the page,
                on two lines.
            lines: Its text.
            margin: Not used: the annotation has its own.
        """
        return Page([title] + [line.text * line.number for line in lines])

    @capability("page.count", description="Counts pages.")
    def count(self, pages: list[str]) -> int:
        return len(pages)

    @capability("page.turn")
    async def turn(self, array: np.ndarray[Any, Any], data: memoryview) -> AsyncIterator[Line]:
        """Turn pages."""
        yield Line(text="x")

    @capability("page.turn_back")
    def turn_back(self) -> Iterator[int]:
        """Turn pages back."""
        yield 1


@pytest.mark.spec("REACH-02")
def test_a_declaration_is_derived_from_the_class() -> None:
    spec = derive_spec(WellMade)
    declaration = spec.declaration
    assert (declaration.agent_id, declaration.agent_name) == ("well-made", "WellMade")
    assert (declaration.version, declaration.description, declaration.priority) == ("2.1", "Writes pages.", 20)
    assert (declaration.tags, declaration.not_capable) == (("paper", "ink"), ("drawing",))
    assert declaration.visibility.see == ("*",)
    assert declaration.substitutes == {"page.write": ("page.print",)}
    assert set(declaration.capability_ids) == {"page.write", "page.count", "page.turn", "page.turn_back"}
    write = declaration.capability("page.write")
    assert write is not None
    assert (write.description, write.idempotent, write.takes_query) == ("Write a page.", True, "title")
    assert write.input_schema["required"] == ["title", "lines"]
    properties = write.input_schema["properties"]
    assert properties["title"]["description"] == "Over the page, on two lines."
    assert properties["margin"] == {
        "default": 5,
        "description": "Millimetres.",
        "minimum": 0,
        "title": "Margin",
        "type": "integer",
    }
    assert "ctx" not in properties
    assert write.output_schema["properties"]["lines"]["type"] == "array"
    count = declaration.capability("page.count")
    assert count is not None
    assert count.description == "Counts pages."


@pytest.mark.spec("REACH-02", "RAY-04")
def test_kinds_streams_and_large_values_are_seen() -> None:
    spec = derive_spec(WellMade, agent_id="other")
    assert spec.declaration.agent_id == "other"
    kinds = {name: handler.kind for name, handler in spec.handlers.items()}
    assert kinds == {
        "page.write": HandlerKind.ASYNC,
        "page.count": HandlerKind.SYNC,
        "page.turn": HandlerKind.ASYNC_STREAM,
        "page.turn_back": HandlerKind.SYNC_STREAM,
    }
    assert spec.handlers["page.write"].context_parameter == "ctx"
    turn = spec.declaration.capability("page.turn")
    assert turn is not None
    assert turn.streaming
    states = {name: schema["x-state"] for name, schema in turn.input_schema["properties"].items()}
    assert states == {"array": "ndarray", "data": "bytes"}


@pytest.mark.spec("REACH-31", "REACH-26")
def test_parameters_and_results_are_validated() -> None:
    compiled = derive_spec(WellMade).handlers["page.write"].compile()
    arguments = compiled.parameters({"title": "T", "lines": [{"text": "a"}]})
    assert arguments == {"title": "T", "lines": [Line(text="a")], "margin": 5}
    assert compiled.result(Page(["a"])) == {"lines": ["a"]}
    with pytest.raises(InvalidParameters, match="title, lines") as caught:
        compiled.parameters({})
    assert caught.value.details["missing"] == ["title", "lines"]
    with pytest.raises(InvalidParameters) as caught:
        compiled.parameters({"title": "T", "lines": [{"text": 1}]})
    assert caught.value.details["path"] == "lines.0.text"
    with pytest.raises(InvalidParameters, match="extra"):
        compiled.parameters({"title": "T", "lines": [], "extra": 1})
    with pytest.raises(ResultInvalid, match="lines") as failed:
        compiled.result({"lines": "none"})
    assert failed.value.details["path"] == "lines"
    turned = derive_spec(WellMade).handlers["page.turn"].compile()
    with pytest.raises(InvalidParameters, match="numpy"):
        turned.parameters({"array": [1, 2], "data": b"x"})


class NoCapability(Agent):
    def work(self) -> None:
        """Nobody finds this."""


class Untyped(Agent):
    @capability("bad.untyped")
    async def work(self, text) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001
        return str(text)


class NoResult(Agent):
    @capability("bad.no_result")
    async def work(self, text: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
        return text


class UnknownType(Agent):
    @capability("bad.unknown_type")
    async def work(self, text: Opaque) -> str:
        return str(text)


class Misspelt(Agent):
    @capability("bad.misspelt")
    async def work(self, text: Strng) -> str:  # type: ignore[name-defined]  # noqa: F821
        return str(text)


class OpenEnded(Agent):
    @capability("bad.open_ended")
    async def work(self, **anything: str) -> str:
        return str(anything)


class Twice(Agent):
    @capability("bad.twice")
    async def first(self) -> str:
        return ""

    @capability("bad.twice")
    async def second(self) -> str:
        return ""


class NoItemType(Agent):
    @capability("bad.no_item_type")
    async def work(self) -> int:  # type: ignore[misc]
        yield 1


class NoQuery(Agent):
    @capability("bad.no_query", takes_query="sentence")
    async def work(self, text: str) -> str:
        return text


class Unserved(Agent):
    declaration: ClassVar[dict[str, Any]] = {"agent_id": "unserved", "capabilities": ["bad.unserved"]}

    @capability("bad.served")
    async def work(self) -> str:
        return ""


@pytest.mark.spec("OPS-03", "REACH-02")
@pytest.mark.parametrize(
    ("cls", "named"),
    [
        (NoCapability, "NoCapability has no capability"),
        (Untyped, r"Untyped\.work: parameter 'text' has no type"),
        (NoResult, r"NoResult\.work: the result has no type"),
        (UnknownType, r"UnknownType\.work: no schema describes"),
        (Misspelt, r"Misspelt\.work: a type is not defined.*Strng"),
        (OpenEnded, r"OpenEnded\.work: parameter 'anything' has no fixed name"),
        (Twice, r"first and second both serve 'bad\.twice'"),
        (NoItemType, r"NoItemType\.work: it yields"),
        (NoQuery, r"NoQuery\.work: takes_query names 'sentence'"),
        (Unserved, r"Unserved declares 'bad\.unserved' and has no method"),
        (Opaque, "is no agent: derive the class"),
        ("Untyped", "is no agent: derive the class"),
    ],
)
def test_each_mistake_is_one_sentence(cls: Any, named: str) -> None:
    with pytest.raises(InputInvalid, match=named) as caught:
        derive_spec(cls)
    assert "\n" not in caught.value.message
    assert caught.value.message.endswith(".")


@pytest.mark.spec("REACH-27", "REACH-03")
def test_a_declaration_by_hand_wins_and_is_checked() -> None:
    class ByHand(WellMade):
        declaration: ClassVar[dict[str, Any]] = {
            "agent_id": "by.hand",
            "capabilities": ["page.write"],
            "tags": ["hand"],
        }

    spec = derive_spec(ByHand)
    assert spec.declaration.capability_ids == ("page.write",)
    assert (spec.declaration.tags, spec.declaration.version) == (("hand",), "2.1")
    write = spec.declaration.capability("page.write")
    assert write is not None
    assert (write.idempotent, write.takes_query) == (True, "title"), "what the marks say stays true"

    class Broken(WellMade):
        declaration: ClassVar[dict[str, Any]] = {"agent_id": "a b", "capabilities": ["page.write"]}

    with pytest.raises(RegistrationRefused) as caught:
        derive_spec(Broken)
    assert caught.value.details["path"] == "agent_id"


@pytest.mark.spec("COLLAB-07")
def test_a_role_travels_with_the_declaration() -> None:
    class Retrieving(Agent):
        role = Role.RETRIEVER

        @capability("retrieve.search")
        async def search(self, query: str) -> list[str]:
            """Search."""
            return [query]

    assert derive_spec(Retrieving).declaration.role is Role.RETRIEVER
