"""Both ends of a direct channel, for each test that asks for them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.channels import Both, listening


@pytest.fixture
async def both() -> AsyncIterator[Both]:
    with tempfile.TemporaryDirectory(prefix="aa-", dir="/tmp") as folder:  # short: a socket lies in it
        async with listening(Path(folder) / "a" / "b") as made:
            yield made
