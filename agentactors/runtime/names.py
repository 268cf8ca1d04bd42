"""How Ray actors of a system are named, and in which namespace they live."""

from __future__ import annotations

import re
from typing import Final

from agentactors.errors import InputInvalid

REGISTRY: Final = "registry"
ROUTER: Final = "router"
JOURNAL: Final = "journal"

_SYSTEM_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


def namespace(system: str) -> str:
    """Return the Ray namespace of a system: always a named one, so that it can be found again.

    Raises:
        InputInvalid: The name has other characters than ``a-z 0-9 . _ -`` or is too long.
    """
    if not _SYSTEM_NAME.fullmatch(system):
        raise InputInvalid(f"{system!r} is no system name: use up to 63 of a-z, 0-9, '.', '_' and '-'.")
    return f"agentactors.{system}"


def host(agent_id: str, replica_id: str) -> str:
    """Return the actor name of one replica: its endpoint."""
    return f"agent/{agent_id}/{replica_id}"
