"""Settings: one frozen model, and the only module that reads the environment.

A value comes from the call's arguments, else from ``AGENTACTORS_*``, else from a TOML file, else from its
default. Unknown keys are errors. ``agentactors config show`` prints every value with its source.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentactors.errors import ConfigInvalid

ENV_PREFIX: Final = "AGENTACTORS_"
CONFIG_FILE_VARIABLE: Final = "AGENTACTORS_CONFIG"
_NOT_SETTINGS: Final = frozenset({"AGENTACTORS_CONFIG", "AGENTACTORS_DATA"})
"""Read elsewhere: the file itself, and the labelled data of tests and benchmarks."""


def _default_state_dir() -> Path:
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "agentactors"


class Settings(BaseModel):
    """Every number and place that a user may set; names carry their units.

    Made directly it knows only its arguments and defaults; :func:`load_settings` looks at environment and file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    state_dir: Path = Field(default_factory=_default_state_dir, description="Where systems and their databases live.")
    default_timeout_s: float = Field(default=60.0, gt=0, description="Deadline of a call that names none.")
    start_timeout_s: float = Field(default=60.0, gt=0, description="How long an actor may take to start.")
    shutdown_timeout_s: float = Field(default=10.0, gt=0, description="How long shutdown waits for actors to end.")
    inline_limit_bytes: int = Field(
        default=1024 * 1024, ge=1024, le=3 * 1024 * 1024, description="Larger values become state refs."
    )
    max_in_flight: int = Field(
        default=256, ge=1, description="Calls one replica works on at once; more are OVERLOADED."
    )
    sync_threads: int = Field(default=8, ge=1, le=256, description="Threads for the sync handlers of one replica.")
    stream_buffer_items: int = Field(
        default=16, ge=1, description="Unread items of one stream; the producer waits beyond."
    )
    channel: bool = Field(
        default=True, description="Whether small messages go through direct sockets; if not, all are Ray calls."
    )
    outbox_bytes: int = Field(
        default=256 * 1024 * 1024, ge=1, description="Large results of one replica that wait for their callers."
    )
    outbox_s: float = Field(default=60.0, gt=0, description="How long they wait.")
    packed_agents: int = Field(
        default=20_000, ge=1, description="Agents that share one host; a message for one more is OVERLOADED."
    )
    max_restarts: int = Field(default=3, ge=-1, description="Restarts of a dead replica; -1: no limit.")
    heartbeat_interval_s: float = Field(default=5.0, gt=0, description="Heartbeat of agents inside Ray.")
    offline_after_s: float = Field(
        default=12.0, gt=0, description="Without heartbeat this long, an agent inside Ray is offline."
    )
    external_heartbeat_interval_s: float = Field(default=30.0, gt=0, description="Heartbeat of external agents.")
    external_offline_after_s: float = Field(default=60.0, gt=0, description="The same for external agents.")
    resolution_lease_s: float = Field(default=3.0, gt=0, description="How long a caller keeps the router's answer.")
    feed_history: int = Field(default=10_000, ge=1, description="Changes the registry keeps for followers that lag.")
    message_memory: int = Field(
        default=20_000, ge=1, description="Message ids a replica remembers, to execute each once."
    )
    message_memory_s: float = Field(default=600.0, gt=0, description="How long it remembers them.")
    context_value_bytes: int = Field(default=16 * 1024, ge=1, description="Largest value in chain memory.")
    context_chain_bytes: int = Field(default=256 * 1024, ge=1, description="Largest chain memory of one request.")
    context_ttl_s: float = Field(
        default=3600.0, gt=0, description="Chain memory expires this long after its last write."
    )
    result_ttl_s: float = Field(default=3600.0, gt=0, description="Uncollected results expire after this.")
    journal_max_rows: int = Field(default=100_000, ge=1, description="Rows the journal keeps of each kind.")
    max_hops: int = Field(default=32, ge=1, description="Nested calls in one chain; more is a loop.")
    idle_sweep_s: float = Field(default=1.0, gt=0, description="How often the registry looks for agents gone silent.")
    worker_logs: bool = Field(
        default=True, description="Show the log lines of agents on this process's standard error."
    )
    log_level: str = Field(
        default="WARNING", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="Lowest level logged."
    )


def load_settings(**arguments: Any) -> Settings:
    """Return the settings in force.

    Args:
        **arguments: Values that win over environment and file.

    Raises:
        ConfigInvalid: A key is unknown or a value is wrong; the message names it and its source.
    """
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith(ENV_PREFIX)
        and name not in _NOT_SETTINGS
        and name.removeprefix(ENV_PREFIX).lower() not in Settings.model_fields
    )
    if unknown:
        raise ConfigInvalid(f"The environment variable {unknown[0]} names no setting.", {"key": unknown[0]})
    try:
        return _gathered(arguments)
    except ValidationError as fault:
        first = fault.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        source = source_of(key, arguments)
        raise ConfigInvalid(
            f"Setting {key!r} (from {source}): {first['msg'].lower()}.", {"key": key, "source": source}
        ) from None


def _gathered(arguments: dict[str, Any]) -> Settings:
    if not _read_file() and not any(name.startswith(ENV_PREFIX) and name not in _NOT_SETTINGS for name in os.environ):
        return Settings(**arguments)
    # Loaded here alone: actors are given their settings, and start a twentieth of a second sooner without it.
    from pydantic_settings import (  # noqa: PLC0415
        BaseSettings,
        InitSettingsSource,
        PydanticBaseSettingsSource,
        SettingsConfigDict,
    )

    class Gathered(BaseSettings, Settings):
        model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=ENV_PREFIX, validate_default=True)

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic-settings passes it by name
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the same
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            """Arguments, then environment, then the TOML file."""
            return init_settings, env_settings, InitSettingsSource(settings_cls, _read_file())

    return Settings(**Gathered(**arguments).model_dump())


def source_of(key: str, arguments: dict[str, Any] | None = None) -> str:
    """Say where the value of setting ``key`` comes from: argument, a variable, the file or the default."""
    if arguments and key in arguments:
        return "argument"
    if (variable := ENV_PREFIX + key.upper()) in os.environ:
        return variable
    if key in _read_file():
        return os.environ.get(CONFIG_FILE_VARIABLE, "agentactors.toml")
    return "default"


def _read_file() -> dict[str, Any]:
    named = os.environ.get(CONFIG_FILE_VARIABLE)
    path = Path(named or "agentactors.toml")
    if not path.is_file():
        if named:
            raise ConfigInvalid(f"{CONFIG_FILE_VARIABLE} names {named!r}, which is no file.", {"path": named})
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as fault:
        raise ConfigInvalid(f"{path} cannot be read: {fault}.", {"path": str(path)}) from None


__all__ = ["ENV_PREFIX", "Settings", "load_settings", "source_of"]
