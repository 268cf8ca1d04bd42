"""A cluster of two nodes on this machine. One process has one Ray, so this folder is a pytest session of its own."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from agentactors import AgentSystem
from tests.support.systems import quick

_FAST_DEATH = {"health_check_period_ms": 300, "health_check_timeout_ms": 300, "health_check_failure_threshold": 2}
_STORE_BYTES = 128 * 1024 * 1024


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[Any]:
    """Start a head and a second node, and connect to them."""
    if ray.is_initialized():
        pytest.skip("this process has a Ray already: run tests/cluster in a session of its own")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    head = {
        "num_cpus": 2,
        "include_dashboard": False,
        "object_store_memory": _STORE_BYTES,
        "_system_config": _FAST_DEATH,
    }
    cluster = Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(num_cpus=2, resources={"second": 2}, object_store_memory=_STORE_BYTES)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="session")
async def system(two_nodes: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem]:
    """Give one system on it."""
    settings = quick(tmp_path_factory.mktemp("cluster"), offline_after_s=3.0, max_restarts=-1)
    async with AgentSystem.start(address=two_nodes.address, settings=settings) as started:
        yield started
