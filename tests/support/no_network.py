"""The suite stays on this machine: what Python's sockets send anywhere else is refused, and fails the test.

An audit hook sees every ``connect`` and ``sendto`` of this process, and every look-up of a name, before it
happens. Allowed are Unix sockets, loopback, and the addresses of this machine's own interfaces, which Ray uses
between its processes. A hook cannot be taken away again, so it is installed once and for good.

It does not see what is opened below Python, by Ray's own C++ parts or by uvloop: the connections of all
processes of a system are looked at in ``tests/acceptance/test_offline.py``.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Iterator
from typing import Any, Final

import psutil
import pytest

_LOCAL_NAMES: Final = frozenset(
    {"", "localhost", "localhost.localdomain", "ip6-localhost", socket.gethostname().lower()}
)
_refused: list[str] = []
_installed: list[bool] = []


class OutboundRefused(OSError):
    """Raised where a connection would have left the machine."""


def local_addresses() -> frozenset[str]:
    """Return the addresses of this machine's interfaces."""
    return frozenset(
        one.address.partition("%")[0]
        for addresses in psutil.net_if_addrs().values()
        for one in addresses
        if one.family in (socket.AF_INET, socket.AF_INET6)
    )


_INTERFACES: Final = local_addresses()


def is_local(host: str) -> bool:
    """Say whether a host name or address is this machine."""
    host = host.partition("%")[0].lower()
    if host in _LOCAL_NAMES or host in _INTERFACES:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return address.is_loopback or address.is_unspecified or str(address) in _INTERFACES


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        used, target = arguments[0], arguments[1]
        if used.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(target, tuple):
            return
        if event == "socket.connect" and used.type == socket.SOCK_DGRAM:
            return  # names a peer and sends nothing: how Ray learns this machine's own address
        host = str(target[0])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0].decode() if isinstance(arguments[0], bytes) else str(arguments[0] or "")
        if event == "socket.getaddrinfo" and _is_address(host):
            return  # nothing is looked up
    else:
        return
    if not is_local(host):
        _refused.append(f"{event} {host}")
        raise OutboundRefused(errno.ENETUNREACH, f"Tests stay on this machine: {event} to {host!r} is refused")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def install() -> None:
    """Refuse from now on; a second call does nothing."""
    if not _installed:
        _installed.append(True)
        sys.addaudithook(_watch)


def take_refused() -> list[str]:
    """Return what was refused since the last call."""
    taken = list(_refused)
    _refused.clear()
    return taken


@pytest.fixture(autouse=True)
def _nothing_leaves_this_machine() -> Iterator[None]:
    """Fail a test in which something tried to, also when its error was swallowed."""
    take_refused()
    yield
    assert take_refused() == []


install()
