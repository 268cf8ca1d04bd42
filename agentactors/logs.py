"""Structured logs: stable event keys, the request_id of the chain on every line.

structlog brings rich, which together are a twentieth of a second of an actor's start: they are loaded by the
first line that is written, or used at once where the user's code has them already.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any, Final

_CALL: Final[ContextVar[tuple[str, str] | None]] = ContextVar("agentactors_call", default=None)
_LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class Logger:
    """Writes lines of one module; a line below the level costs a comparison.

    Args:
        name: The module's.
    """

    level = logging.WARNING
    """Of every logger; set by :func:`configure_logs`."""
    configured = False

    def __init__(self, name: str) -> None:
        self._name = name

    def debug(self, event: str, **fields: Any) -> None:
        """Write a line for whoever looks for a fault."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: Any) -> None:
        """Write a line about what is as it should be."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: Any) -> None:
        """Write a line about what may need attention."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: Any) -> None:
        """Write a line about what has failed."""
        self._write("error", event, fields)

    def _write(self, method: str, event: str, fields: dict[str, Any]) -> None:
        if _LEVELS[method] < Logger.level:
            return
        import structlog  # noqa: PLC0415 - see the module

        if not Logger.configured:
            _configure_structlog()
        getattr(structlog.get_logger(self._name), method)(event, **fields)


def get_logger(name: str) -> Logger:
    """Return the logger of a module."""
    return Logger(name)


def configure_logs(level: str) -> None:
    """Log lines of ``level`` and above as JSON on standard error.

    What is bound (by :func:`bind_call`, or to structlog's context) is on every line that is written within it,
    also by the user's code when it logs through structlog and has imported it before.
    """
    Logger.level = getattr(logging, level)
    Logger.configured = False
    if "structlog" in sys.modules:
        _configure_structlog()


def bind_call(request_id: str, agent_id: str) -> None:
    """Put a chain and an agent on every line that this task logs; one variable, since this is on the hot path."""
    _CALL.set((request_id, agent_id))


def _add_call(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    call = _CALL.get()
    if call is not None:
        event.setdefault("request_id", call[0])
        event.setdefault("agent_id", call[1])
    return event


def _configure_structlog() -> None:
    import structlog  # noqa: PLC0415 - see the module

    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            _add_call,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(Logger.level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    Logger.configured = True
