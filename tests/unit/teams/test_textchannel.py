"""The text channel changes nothing and counts everything."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentactors.errors import InvalidMessage
from agentactors.llm.tokens import estimate_tokens
from agentactors.teams.textchannel import TextChannel, TextMessage, refuse_json


@pytest.mark.spec("COLLAB-06", "COLLAB-12")
@given(content=st.text())
def test_content_passes_unchanged(content: str) -> None:
    channel = TextChannel()

    assert channel.send("a", "b", content) == content
    assert channel.statistics() == (1, len(content), estimate_tokens(content))


@pytest.mark.spec("COLLAB-12")
@pytest.mark.parametrize("content", ['{"a": 1}', "", "  spaces  ", "\x00", "e\u0301 is not \u00e9"])
def test_the_channel_itself_neither_parses_nor_tidies(content: str) -> None:
    assert TextChannel().send("a", "b", content) is content


@pytest.mark.spec("COLLAB-12")
def test_a_repeated_message_counts_again() -> None:
    channel = TextChannel()
    for _ in range(3):
        channel.send("a", "b", "构建 failed")

    assert channel.statistics() == (3, 27, 12)
    assert channel.messages == (TextMessage("a", "b", "构建 failed", 9, 4),) * 3


def test_old_messages_go_and_their_counts_stay() -> None:
    channel = TextChannel(keep_messages=2)
    for number in range(5):
        channel.send("a", "b", str(number))

    assert [message.content for message in channel.messages] == ["3", "4"]
    assert channel.statistics().messages == 5


@pytest.mark.spec("COLLAB-12")
@pytest.mark.parametrize("content", [None, 5, b"text", {"a": 1}, ["text"]])
def test_only_strings_pass(content: str) -> None:
    channel = TextChannel()

    with pytest.raises(InvalidMessage) as caught:
        channel.send("a", "b", content)
    assert caught.value.details["path"] == "$.content"
    assert channel.statistics().messages == 0


JSON = st.dictionaries(st.text(), st.integers() | st.text()) | st.lists(st.floats() | st.none())


@pytest.mark.spec("COLLAB-06", "COLLAB-12")
@given(
    value=JSON,
    indent=st.none() | st.just(2),
    frame=st.sampled_from(["{}", " \n{}\n", "```json\n{}\n```", "```\n{}```"]),
)
def test_json_is_refused_by_its_sender(value: object, indent: int | None, frame: str) -> None:
    with pytest.raises(InvalidMessage):
        refuse_json(frame.replace("{}", json.dumps(value, indent=indent)))


@pytest.mark.spec("COLLAB-12")
@pytest.mark.parametrize(
    "content",
    [
        "Plain words.",
        "{x} and [y]",
        "[1] says so.",
        "42",
        '"quoted"',
        "",
        "```c\nint main() {}\n```",
        'Set {"a": 1}.',
        "null",
    ],
)
def test_plain_text_is_returned(content: str) -> None:
    assert refuse_json(content) is content


def test_json_too_deep_to_read_is_json() -> None:
    with pytest.raises(InvalidMessage):
        refuse_json("[" * 100_000)
