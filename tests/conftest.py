"""What every tier shares: a clean environment, hypothesis without a clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["tests.support.no_network"]

settings.register_profile("shared-cores", deadline=None, print_blob=True)
settings.load_profile("shared-cores")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the machine reaches a test, and no test writes into the user's state folder."""
    for name in list(os.environ):
        if name.startswith("AGENTACTORS_") and name != "AGENTACTORS_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
