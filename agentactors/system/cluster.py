"""Connecting this process to Ray, and leaving it again."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from dataclasses import dataclass
from typing import Any, Final

import ray
from ray._private.authentication.authentication_token_setup import maybe_enable_token_auth_if_token_available
from ray._raylet import AuthenticationMode, get_authentication_mode  # type: ignore[attr-defined]  # not in its stubs
from ray.exceptions import RayError

from agentactors.errors import ConfigInvalid, SystemNotFound

LOCAL: Final = "local"
_LISTENING_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Connection:
    """This process's connection to Ray."""

    address: str
    """Of the cluster's control service: how another process finds it."""
    opened_here: bool
    """Whether this process made the connection, and so ends it."""
    token_auth: bool
    """Whether the cluster asks for Ray's token."""


def connect(
    address: str, *, num_cpus: int | None, object_store_bytes: int | None, worker_logs: bool, token_auth: bool = False
) -> Connection:
    """Connect to Ray, or use the connection that this process has already.

    Args:
        address: ``local`` starts a private cluster, ``auto`` joins the one on this machine, else ``host:port``.
        num_cpus: CPUs that a private cluster may hand out; by default those of the machine.
        object_store_bytes: Size of a private cluster's object store.
        worker_logs: Whether this process shows what the actors log.
        token_auth: Whether the cluster at ``address`` is known to ask for Ray's token.

    Raises:
        SystemNotFound: There is no cluster at that address.
        ConfigInvalid: This process is connected to another cluster.
    """
    if ray.is_initialized():
        here = ray.get_runtime_context().gcs_address
        if address not in (LOCAL, "auto", here):
            raise ConfigInvalid(f"This process is connected to Ray at {here}, not at {address}.", {"address": here})
        return Connection(here, opened_here=False, token_auth=_token_auth())
    # Nothing phones home; and token authentication stays as Ray sets it.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray").setLevel(logging.ERROR)
    if token_auth:
        # Ray brings its token by itself to ``auto`` and never to an address that it is told (Ray 2.60).
        maybe_enable_token_auth_if_token_available(warn_if_disabled=False)
    if ":" in address:
        _check_listening(address)
    try:
        if address == LOCAL:
            ray.init(
                address=LOCAL,
                num_cpus=num_cpus,
                object_store_memory=object_store_bytes,
                include_dashboard=False,
                log_to_driver=worker_logs,
                logging_level=logging.ERROR,
            )
        else:
            ray.init(address=address, log_to_driver=worker_logs, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ray.exceptions.RaySystemError) as fault:
        first = str(fault).partition("\n")[0]
        raise SystemNotFound(f"There is no Ray cluster at {address!r}: {first}", {"address": address}) from None
    return Connection(ray.get_runtime_context().gcs_address, opened_here=True, token_auth=_token_auth())


def _check_listening(address: str) -> None:
    """Ray tries for minutes to reach a cluster that is gone; a socket tells at once."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=_LISTENING_S).close()
    except (OSError, ValueError) as fault:
        raise SystemNotFound(f"Nothing listens at {address}: {fault}.", {"address": address}) from None


def _token_auth() -> bool:
    return bool(get_authentication_mode() == AuthenticationMode.TOKEN)


def disconnect(connection: Connection) -> None:
    """End a connection that :func:`connect` made; a private cluster ends with it."""
    if connection.opened_here and ray.is_initialized():
        ray.shutdown()


def kill(handle: Any) -> None:
    """End an actor for good; one that is gone already is fine."""
    with contextlib.suppress(ValueError, RayError):
        ray.kill(handle, no_restart=True)
