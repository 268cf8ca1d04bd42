"""Identifiers: how they look, how they are made."""

from __future__ import annotations

import itertools
import os
import re
import secrets
from typing import Final

CAPABILITY_ID: Final = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
"""The recommended form of a capability id: ``domain.action`` in lower case (another form is only linted)."""

AGENT_ID: Final = re.compile(r"[^\s/@#]{1,128}")
"""An agent id: free text without white space, ``/``, ``@`` and ``#`` (those separate replica and incarnation)."""


def new_id(kind: str) -> str:
    """Return a fresh id such as ``req-9f3c…``: 96 random bits behind a word that says what it names.

    Nobody can guess it. For ids that need not be secret and are made for every message, see
    :func:`new_message_id`.

    Args:
        kind: A short lower-case word: ``req``, ``state``…

    Cost:
        One system call.
    """
    return f"{kind}-{secrets.token_hex(12)}"


_counter = itertools.count(1)
_life = secrets.token_hex(8)


def new_message_id() -> str:
    """Return a fresh message id: this process's 64 random bits and a number. Cost: no system call."""
    return f"msg-{_life}-{next(_counter):x}"


def _begin_life() -> None:
    global _life  # noqa: PLW0603 - a forked child must not go on with its parent's ids
    _life = secrets.token_hex(8)


os.register_at_fork(after_in_child=_begin_life)
