"""Every Python example in README and docs runs as it stands and prints what the page says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.pages import Example, examples, pages

EXAMPLES = [example for page in pages() for example in examples(page)]
MARK = "@@ "
# One Ray for all of them: a system on a running Ray starts in a second instead of eight.
RUNNER = f"""
import logging, os, runpy, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import ray
ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
for path in sys.argv[1:]:
    print("{MARK}" + path, flush=True)
    runpy.run_path(path, run_name="__main__")
ray.shutdown()
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give what each example printed, by its place."""
    folder = tmp_path_factory.mktemp("examples")
    places: dict[str, str] = {}
    for number, example in enumerate(EXAMPLES):
        path = folder / f"example_{number}.py"
        path.write_text(example.code, encoding="utf-8")
        places[str(path)] = str(example)
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *places], capture_output=True, text=True, timeout=240, check=False, cwd=folder
    )
    printed = dict(part.split("\n", 1) for part in f"\n{done.stdout}".split(f"\n{MARK}")[1:])
    assert done.returncode == 0, f"{places[list(printed)[-1]]}: {done.stderr[-3000:]}"
    return {places[path]: output for path, output in printed.items()}


@pytest.mark.spec("OPS-05")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_prints_what_its_page_says(example: Example, outputs: dict[str, str]) -> None:
    assert example.prints, "an example without its output teaches half"
    assert outputs[str(example)].strip() == example.prints.strip()


def test_pages_have_examples() -> None:
    assert {example.page for example in EXAMPLES} >= {"README.md", "README.zh-CN.md", "docs/agents.md"}
