"""What the package asks of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer and what it cost."""

    text: str
    """Never empty: an empty answer is an error."""
    input_tokens: int
    output_tokens: int
    exact: bool
    """Whether the counts are the model's own; False when they are estimates."""


class Provider(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    async def complete(self, prompt: str, *, temperature: float, timeout_s: float) -> Completion:
        """Answer one prompt.

        Args:
            prompt: The business text and nothing else: control fields never get here.
            temperature: 0 to 2; 0 asks for the most likely answer.
            timeout_s: Seconds after which the attempt is given up.

        Raises:
            ProviderFailed: Network, time-out, HTTP error or an empty answer; never answered from elsewhere.
        """
        ...
