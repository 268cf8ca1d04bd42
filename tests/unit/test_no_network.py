"""The suite's guard against outbound connections refuses them, and lets the machine talk to itself."""

from __future__ import annotations

import asyncio
import socket
import urllib.error
import urllib.request

import pytest

from tests.support import no_network
from tests.support.no_network import OutboundRefused

ELSEWHERE = ("192.0.2.77", "198.51.100.1", "203.0.113.9")
"""Addresses set aside for documents: nobody has them, unless this machine does."""


@pytest.fixture
def elsewhere() -> str:
    return next(address for address in ELSEWHERE if not no_network.is_local(address))


@pytest.mark.spec("OPS-04")
def test_a_connection_that_leaves_the_machine_is_refused(elsewhere: str) -> None:
    with socket.socket() as one, pytest.raises(OutboundRefused, match="stay on this machine"):
        one.connect((elsewhere, 443))
    with socket.socket(socket.AF_INET6) as one, pytest.raises(OutboundRefused):
        one.connect(("2001:db8::1", 443))
    with socket.socket(type=socket.SOCK_DGRAM) as one, pytest.raises(OutboundRefused):
        one.sendto(b"x", (elsewhere, 53))
    assert len(no_network.take_refused()) == 3


@pytest.mark.spec("OPS-04")
def test_looking_up_a_foreign_name_is_refused() -> None:
    with pytest.raises(OutboundRefused):
        socket.getaddrinfo("example.com", 443)
    with pytest.raises(urllib.error.URLError, match="stay on this machine"):
        urllib.request.urlopen("http://example.com/", timeout=1)
    assert no_network.take_refused()


@pytest.mark.spec("OPS-04")
async def test_a_coroutine_cannot_leave_either(elsewhere: str) -> None:
    with pytest.raises(OutboundRefused):
        await asyncio.open_connection(elsewhere, 443)
    assert no_network.take_refused()


@pytest.mark.spec("OPS-04")
def test_the_guard_is_on_for_the_whole_suite(request: pytest.FixtureRequest) -> None:
    assert request.config.pluginmanager.has_plugin("tests.support.no_network")


def test_the_machine_may_talk_to_itself() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
    assert no_network.take_refused() == []


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("localhost", True),
        ("LOCALHOST", True),
        (socket.gethostname(), True),
        ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("example.com", False),
        ("localhost.example.com", False),
    ],
)
def test_what_counts_as_this_machine(host: str, local: bool) -> None:
    assert no_network.is_local(host) is local


def test_the_interfaces_of_the_machine_are_local() -> None:
    assert all(no_network.is_local(address) for address in no_network.local_addresses())
