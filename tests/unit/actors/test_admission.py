"""Admission: a bound that refuses at once and never leaks a slot."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from agentactors.actors.admission import Admission
from agentactors.error_table import Retryable
from agentactors.errors import Overloaded


@pytest.mark.spec("RAY-10")
def test_more_than_the_limit_is_refused_with_advice() -> None:
    admission = Admission(2)
    admission.enter("a")
    admission.enter("a")
    with pytest.raises(Overloaded) as refused:
        admission.enter("a")
    assert refused.value.details["retry_after_s"] > 0
    assert refused.value.retryable is Retryable.YES
    admission.leave()
    admission.enter("a")
    assert admission.statistics() == (2, 2, 3, 1)


def test_slots_survive_many_threads() -> None:
    admission = Admission(8)

    def work(_: int) -> None:
        try:
            admission.enter("a")
        except Overloaded:
            return
        admission.leave()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(2000)))
    statistics = admission.statistics()
    assert statistics.running == 0
    assert statistics.admitted + statistics.refused == 2000


def test_what_waits_counts_too() -> None:
    admission = Admission(3)
    admission.check("a", waiting=2)
    with pytest.raises(Overloaded):
        admission.check("a", waiting=3)
