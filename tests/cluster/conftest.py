"""A cluster of two nodes on this machine.

One process has one Ray, and the integration tests have theirs. So the first of these tests runs the whole folder
in a pytest session of its own, and each test reports what came of it there.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import ray
from ray.cluster_utils import Cluster

from agentactors import AgentSystem
from tests.support.systems import quick

_FAST_DEATH = {"health_check_period_ms": 300, "health_check_timeout_ms": 300, "health_check_failure_threshold": 2}
_STORE_BYTES = 128 * 1024 * 1024


_INSIDE = "CLUSTER_TESTS_OWN_SESSION" in os.environ
_OUTCOMES = pytest.StashKey[dict[str, str]]()
_WITHIN_S = 115


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Report what came of the test in the session of its own."""
    if _INSIDE:
        return None
    stash = pyfuncitem.session.stash
    if _OUTCOMES not in stash:
        stash[_OUTCOMES] = _run_folder(pyfuncitem.config.rootpath)
    fault = stash[_OUTCOMES].get(pyfuncitem.name, "it did not run")
    if fault:
        pytest.fail(fault, pytrace=False)
    return True


def _run_folder(root: Path) -> dict[str, str]:
    """Run this folder's tests; return by name what went wrong, nothing where all is well."""
    report = root / f".cluster-{os.getpid()}.xml"
    command = [sys.executable, "-m", "pytest", "-q", str(Path(__file__).parent), f"--junitxml={report}"]
    try:
        run = subprocess.run(
            command,
            cwd=root,
            env={**os.environ, "CLUSTER_TESTS_OWN_SESSION": "1"},
            capture_output=True,
            text=True,
            timeout=_WITHIN_S,
            check=False,
        )
        if not report.exists():
            pytest.fail(run.stdout[-4000:] + run.stderr[-4000:], pytrace=False)
        cases = ET.parse(report).getroot().iter("testcase")
        return {case.attrib["name"]: _fault(case) for case in cases}
    finally:
        report.unlink(missing_ok=True)


def _fault(case: ET.Element) -> str:
    return "\n".join(
        f"{child.attrib.get('message', '')}\n{child.text or ''}"
        for child in case
        if child.tag in ("failure", "error", "skipped")
    )


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[Any]:
    """Start a head and a second node, and connect to them."""
    if not _INSIDE:
        yield None
        return
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
async def system(two_nodes: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AgentSystem | None]:
    """Give one system on it."""
    if not _INSIDE:
        yield None
        return
    settings = quick(tmp_path_factory.mktemp("cluster"), offline_after_s=3.0, max_restarts=-1)
    async with AgentSystem.start(address=two_nodes.address, settings=settings) as started:
        yield started
