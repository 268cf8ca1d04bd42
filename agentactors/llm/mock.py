"""The mock provider: no network, no chance, the same answer to the same prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from agentactors.errors import ProviderFailed
from agentactors.llm.provider import Completion
from agentactors.llm.tokens import estimate_tokens

Rule = Callable[[str], str | None]
"""Answers the prompts that it knows and returns None for the others; must be a pure function."""

UNKNOWN_PROMPT: Final = "The mock model has no rule for this task."
"""The answer to a prompt that no rule knows. It is never right."""


class MockProvider:
    """Answers by rules.

    Guarantees: the same rules and prompt give the same completion, whatever the temperature, in any process.

    Args:
        rules: Asked in order; the first that answers counts.
        unknown: The answer when none does.
    """

    def __init__(self, rules: Sequence[Rule] = (), *, unknown: str = UNKNOWN_PROMPT) -> None:
        self._rules = tuple(rules)
        self._unknown = unknown

    @property
    def name(self) -> str:
        """What reports call it."""
        return "mock"

    async def complete(self, prompt: str, *, temperature: float, timeout_s: float) -> Completion:
        """Answer one prompt at once; see :meth:`.provider.Provider.complete`.

        The estimator is the mock's tokenizer, so its counts are exact. ``temperature`` changes nothing.

        Raises:
            ProviderFailed: A rule gave an empty answer, or ``timeout_s`` leaves no time.
        """
        del temperature
        if timeout_s <= 0:
            raise ProviderFailed("The mock model was given no time to answer.", {"cause": "timeout"})
        answers = (rule(prompt) for rule in self._rules)
        text = next((answer for answer in answers if answer is not None), self._unknown)
        if not text.strip():
            raise ProviderFailed("The mock model gave an empty answer.", {"cause": "empty"})
        return Completion(text, estimate_tokens(prompt), estimate_tokens(text), exact=True)
