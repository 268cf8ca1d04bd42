"""Chain memory: bounds, layering, what is written through."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from agentactors import Settings
from agentactors.actors.memory import ChainMemory
from agentactors.errors import ContextLost, InvalidMessage, TooLarge


def memory(tmp_path: Path, *, lost: ContextLost | None = None, **referred: object) -> ChainMemory:
    settings = Settings(state_dir=tmp_path, context_value_bytes=64, context_chain_bytes=128)
    earlier = {key: msgspec.msgpack.encode(value) for key, value in referred.items()}
    return ChainMemory("req-1", own={}, referred=earlier, lost=lost, settings=settings)


@pytest.mark.spec("REACH-15")
def test_own_conclusions_lie_over_those_of_the_referred_chain(tmp_path: Path) -> None:
    chain = memory(tmp_path, poem="秋天", count=1)
    chain["count"] = 2
    assert dict(chain) == {"poem": "秋天", "count": 2}
    assert len(chain) == 2
    assert "nothing" not in chain
    assert {key: msgspec.msgpack.decode(value) for key, value in chain.take_dirty().items()} == {"count": 2}
    assert chain.take_dirty() == {}


@pytest.mark.spec("REACH-15")
def test_a_value_or_a_chain_over_its_bound_is_refused_by_name(tmp_path: Path) -> None:
    chain = memory(tmp_path)
    with pytest.raises(TooLarge, match="'big'"):
        chain["big"] = "x" * 100
    chain["a"] = "x" * 50
    chain["b"] = "x" * 50
    with pytest.raises(TooLarge, match="'c'"):
        chain["c"] = "x" * 50
    chain["a"] = "y" * 50
    assert set(chain.take_dirty()) == {"a", "b"}


@pytest.mark.spec("REACH-15")
def test_a_lost_chain_is_an_error_when_it_is_read_and_not_before(tmp_path: Path) -> None:
    chain = memory(tmp_path, lost=ContextLost("gone"))
    chain["own"] = 1
    assert chain["own"] == 1
    with pytest.raises(ContextLost):
        chain["poem"]
    with pytest.raises(ContextLost):
        chain.get("poem")
    with pytest.raises(ContextLost):
        list(chain)


def test_what_is_no_data_is_refused_and_nothing_is_deleted(tmp_path: Path) -> None:
    chain = memory(tmp_path, a=1)
    with pytest.raises(InvalidMessage, match="no plain data"):
        chain["x"] = object()
    with pytest.raises(TypeError, match="cannot be deleted"):
        del chain["a"]
