"""Structured logs: stable event keys, the request_id of the chain on every line."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any, Final

import structlog

_CALL: Final[ContextVar[tuple[str, str] | None]] = ContextVar("agentactors_call", default=None)


def bind_call(request_id: str, agent_id: str) -> None:
    """Put a chain and an agent on every line that this task logs; one variable, since this is on the hot path."""
    _CALL.set((request_id, agent_id))


def _add_call(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    call = _CALL.get()
    if call is not None:
        event.setdefault("request_id", call[0])
        event.setdefault("agent_id", call[1])
    return event


def configure_logs(level: str) -> None:
    """Log lines of ``level`` and above as JSON on standard error.

    What is bound (by :func:`bind_call`, or to structlog's context) is on every line that is written within it, also by
    the user's code when it logs through structlog.
    """
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
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
