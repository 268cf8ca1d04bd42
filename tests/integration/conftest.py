"""Real Ray, one for the session; a system of its own namespace for each module that shares one."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import ray

from agentactors import AgentSystem
from tests.support.systems import running


@pytest.fixture(scope="session", autouse=True)
def cluster() -> Iterator[str]:
    """Start Ray and give its address. The folder is short: Unix sockets lie in it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    folder = tempfile.mkdtemp(prefix="aa-", dir="/tmp")
    ray.init(
        address="local",
        num_cpus=4,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        object_store_memory=512 * 1024 * 1024,
        _temp_dir=folder,
    )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module", params=["channel", "ray"])
async def system(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> AsyncIterator[AgentSystem]:
    """Give the system that a module's tests share: once on direct channels, once on Ray calls alone."""
    async with running(tmp_path_factory.mktemp("shared"), channel=request.param == "channel") as started:
        yield started


@pytest.fixture
async def fresh_system(tmp_path: Path) -> AsyncIterator[AgentSystem]:
    """Give a system for one test."""
    async with running(tmp_path / "fresh") as started:
        yield started
