"""The greeting of the direct channel: what proves something, and only once."""

from __future__ import annotations

from agentactors.protocol import greeting
from agentactors.protocol.greeting import Challenge, client_mac, same, server_mac

SECRET = b"s" * 32


def challenge() -> Challenge:
    return Challenge(greeting.VERSION, greeting.nonce())


def test_each_side_proves_the_secret() -> None:
    asked, own = challenge(), greeting.nonce()
    proof = client_mac(SECRET, asked, own, "agent/echo/0")
    assert same(proof, client_mac(SECRET, asked, own, "agent/echo/0"))
    assert not same(proof, client_mac(b"x" * 32, asked, own, "agent/echo/0"))


def test_a_proof_cannot_be_replayed() -> None:
    own = greeting.nonce()
    first, second = challenge(), challenge()
    assert first.nonce != second.nonce
    assert not same(client_mac(SECRET, first, own, "a"), client_mac(SECRET, second, own, "a"))
    assert not same(server_mac(SECRET, first, own, "a"), server_mac(SECRET, first, greeting.nonce(), "a"))


def test_a_proof_cannot_be_reflected() -> None:
    asked = challenge()
    assert not same(client_mac(SECRET, asked, asked.nonce, "a"), server_mac(SECRET, asked, asked.nonce, "a"))


def test_a_proof_holds_for_one_endpoint() -> None:
    asked, own = challenge(), greeting.nonce()
    assert not same(client_mac(SECRET, asked, own, "a"), client_mac(SECRET, asked, own, "b"))


def test_parts_do_not_run_into_each_other() -> None:
    one = client_mac(SECRET, Challenge(1, b"ab"), b"c", "d")
    assert not same(one, client_mac(SECRET, Challenge(1, b"a"), b"bc", "d"))
    assert not same(one, client_mac(SECRET, Challenge(1, b"ab"), b"cd", ""))
