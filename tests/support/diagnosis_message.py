"""The shape of one message of the diagnosis tests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One excerpt of a log, and which diagnoses are right."""

    log: str
    stage: str
    """Stage, or empty when the excerpt leaves it open."""
    categories: tuple[str, ...]
    culprits: tuple[str, ...]
    """One of these is part of the culprit."""


def message(log: str, stage: str, categories: str, culprits: str) -> Message:
    """Make one message; what is right instead is parted by ``|``."""
    return Message(log, stage, tuple(categories.split("|")), tuple(culprits.split("|")))
