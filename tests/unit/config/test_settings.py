"""Settings: where values come from, and what a wrong one says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from agentactors.config import ENV_PREFIX, Settings, load_settings, source_of
from agentactors.errors import ConfigInvalid


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Take every variable of ours away, and go where no settings file lies."""
    for name in [name for name in os.environ if name.startswith(ENV_PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.spec("OPS-03")
def test_defaults_hold_when_nobody_says_anything() -> None:
    settings = load_settings()

    assert settings.max_in_flight == 256
    assert settings.state_dir.name == "agentactors"
    assert source_of("max_in_flight") == "default"


@pytest.mark.spec("OPS-03")
def test_argument_wins_over_environment_over_file_over_default(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def value() -> tuple[int, str]:
        return load_settings().max_in_flight, source_of("max_in_flight")

    assert value() == (256, "default")
    write(bare / "agentactors.toml", "max_in_flight = 1")
    assert value() == (1, "agentactors.toml")
    monkeypatch.setenv("AGENTACTORS_MAX_IN_FLIGHT", "2")
    assert value() == (2, "AGENTACTORS_MAX_IN_FLIGHT")
    assert load_settings(max_in_flight=3).max_in_flight == 3
    assert source_of("max_in_flight", {"max_in_flight": 3}) == "argument"


@pytest.mark.spec("OPS-03")
def test_a_named_file_is_read(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(bare / "other.toml", "default_timeout_s = 5.5")
    monkeypatch.setenv("AGENTACTORS_CONFIG", str(path))

    assert load_settings().default_timeout_s == 5.5
    assert source_of("default_timeout_s") == str(path)


@pytest.mark.spec("OPS-03")
def test_an_unknown_variable_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTACTORS_MAX_INFLIGHT", "2")

    with pytest.raises(ConfigInvalid, match="AGENTACTORS_MAX_INFLIGHT names no setting") as caught:
        load_settings()
    assert caught.value.details["key"] == "AGENTACTORS_MAX_INFLIGHT"


@pytest.mark.spec("OPS-03")
def test_an_unknown_argument_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigInvalid, match=r"'max_inflight' \(from argument\)"):
        load_settings(max_inflight=2)


@pytest.mark.spec("OPS-03")
def test_an_unknown_key_of_the_file_is_an_error_that_names_it(bare: Path) -> None:
    write(bare / "agentactors.toml", "max_inflight = 2")

    with pytest.raises(ConfigInvalid, match=r"'max_inflight' \(from agentactors\.toml\)"):
        load_settings()


@pytest.mark.spec("OPS-03")
@pytest.mark.parametrize("value", ["0", "-1", "many", ""])
def test_a_wrong_value_is_one_sentence_with_key_and_source(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTACTORS_MAX_IN_FLIGHT", value)

    with pytest.raises(ConfigInvalid) as caught:
        load_settings()
    sentence = caught.value.message
    assert sentence.startswith("Setting 'max_in_flight' (from AGENTACTORS_MAX_IN_FLIGHT): ")
    assert sentence.count("\n") == 0
    assert sentence.endswith(".")
    assert caught.value.details == {"key": "max_in_flight", "source": "AGENTACTORS_MAX_IN_FLIGHT"}
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("text", ["= 1", "a = [", "\udcff"])
def test_a_file_that_is_no_toml_is_one_sentence(bare: Path, text: str) -> None:
    (bare / "agentactors.toml").write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(ConfigInvalid, match=r"agentactors\.toml cannot be read"):
        load_settings()


def test_a_named_file_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    monkeypatch.setenv("AGENTACTORS_CONFIG", str(bare / "none.toml"))

    with pytest.raises(ConfigInvalid, match="is no file"):
        load_settings()


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        load_settings().max_in_flight = 5  # type: ignore[misc]


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())
