"""The mock provider: the same answer to the same prompt, and never an empty one."""

from __future__ import annotations

import pytest

from agentactors.errors import ProviderFailed
from agentactors.llm.mock import UNKNOWN_PROMPT, MockProvider
from agentactors.llm.provider import Completion, Provider


def shout(prompt: str) -> str | None:
    return prompt.upper() if prompt.startswith("shout") else None


def length(prompt: str) -> str | None:
    return str(len(prompt)) if "how long" in prompt else None


async def ask(provider: Provider, prompt: str, *, temperature: float = 0.0, timeout_s: float = 5.0) -> Completion:
    return await provider.complete(prompt, temperature=temperature, timeout_s=timeout_s)


@pytest.mark.spec("COLLAB-15")
async def test_the_same_prompt_has_the_same_answer_at_any_temperature() -> None:
    answers = {await ask(MockProvider([shout]), "shout it", temperature=heat) for heat in (0.0, 0.7, 2.0, 0.0)}

    assert answers == {Completion("SHOUT IT", 3, 3, exact=True)}


async def test_the_first_rule_that_answers_counts() -> None:
    assert (await ask(MockProvider([shout, length]), "shout how long")).text == "SHOUT HOW LONG"
    assert (await ask(MockProvider([length, shout]), "shout how long")).text == "14"


@pytest.mark.spec("COLLAB-12")
async def test_a_prompt_without_rule_gets_a_fixed_text() -> None:
    assert (await ask(MockProvider([shout]), "sing")).text == UNKNOWN_PROMPT
    assert (await ask(MockProvider(unknown="No idea."), "sing")).text == "No idea."


@pytest.mark.spec("COLLAB-15")
@pytest.mark.parametrize(
    ("provider", "timeout_s", "cause"),
    [(MockProvider([lambda _: " \n"]), 5.0, "empty"), (MockProvider(), 0.0, "timeout")],
)
async def test_what_is_no_answer_is_an_error(provider: MockProvider, timeout_s: float, cause: str) -> None:
    with pytest.raises(ProviderFailed) as caught:
        await ask(provider, "sing", timeout_s=timeout_s)
    assert caught.value.details["cause"] == cause


def test_it_has_a_name_for_reports() -> None:
    assert MockProvider().name == "mock"
