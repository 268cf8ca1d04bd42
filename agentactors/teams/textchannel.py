"""The text channel: natural language between agents, passed on as it is.

It is the baseline that every other way of talking is measured against, so it must not help: no parsing, no
validation of what is said, no compression, no de-duplication.
"""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Final, NamedTuple

from agentactors.errors import InvalidMessage
from agentactors.llm.tokens import estimate_tokens

_FENCE: Final = re.compile(r"\A```[\w-]*\s*(.*?)\s*```\Z", re.DOTALL)


class TextMessage(NamedTuple):
    """One message that went through a channel."""

    sender: str
    receiver: str
    content: str
    characters: int
    message_tokens: int
    """By the estimator, in every mode."""


class TextStatistics(NamedTuple):
    """What went through a channel since it was made."""

    messages: int
    characters: int
    message_tokens: int


class TextChannel:
    """Passes plain text from one agent to another.

    Guarantees: the receiver gets the very string that was sent; every send counts as one message.

    Args:
        keep_messages: How many of the last messages :attr:`messages` holds.
    """

    def __init__(self, *, keep_messages: int = 10_000) -> None:
        self._messages: deque[TextMessage] = deque(maxlen=keep_messages)
        self._statistics = TextStatistics(0, 0, 0)

    def send(self, sender: str, receiver: str, content: str) -> str:
        """Pass ``content`` on and return it, unchanged.

        Raises:
            InvalidMessage: ``sender``, ``receiver`` or ``content`` is no string.
        """
        for name, value in (("sender", sender), ("receiver", receiver), ("content", content)):
            if not isinstance(value, str):
                raise InvalidMessage(
                    f"{name} of a text message is a {type(value).__name__}; only plain text goes through here.",
                    {"path": f"$.{name}"},
                )
        message = TextMessage(sender, receiver, content, len(content), estimate_tokens(content))
        self._messages.append(message)
        total = self._statistics
        self._statistics = TextStatistics(
            total.messages + 1,
            total.characters + message.characters,
            total.message_tokens + message.message_tokens,
        )
        return content

    @property
    def messages(self) -> tuple[TextMessage, ...]:
        """The last messages, oldest first."""
        return tuple(self._messages)

    def statistics(self) -> TextStatistics:
        """Return the counts of all messages, those that are no longer kept included."""
        return self._statistics


def refuse_json(content: str) -> str:
    """Return ``content`` if it is plain text: the check of a sender, which the channel does not make.

    Raises:
        InvalidMessage: It is a JSON object or array, bare or in a code fence.
    """
    text = content.strip()
    if fenced := _FENCE.match(text):
        text = fenced[1]
    if text.startswith(("{", "[")) and _is_json(text):
        raise InvalidMessage(
            "The text is JSON: say it in words, the text channel carries natural language only.", {"path": "$.content"}
        )
    return content


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True  # nothing that a person writes is nested so deeply
    return True
