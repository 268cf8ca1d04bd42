"""How the two ends of a channel prove to each other that they belong to one system.

Theory of operation. Both know the system's secret and neither sends it: each answers the other's nonce with an
HMAC-SHA256 over both nonces, its side's name and the endpoint, so that no answer can be replayed, reflected or
used for another endpoint. Bytes after the greeting are not encrypted and not signed: the network is trusted
not to alter a connection.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

import msgspec

VERSION: Final = 1
NONCE_BYTES: Final = 16
MAX_FRAME_BYTES: Final = 1024
"""A stranger has no right to more, on either side."""
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are no greeting."""


class Challenge(msgspec.Struct, frozen=True, array_like=True):
    """The server's first word."""

    version: int
    nonce: bytes


class Proof(msgspec.Struct, frozen=True, array_like=True):
    """The client's answer."""

    endpoint: str
    """Whom it wants to reach."""
    incarnation: int
    """The process that it has to be: 0, any."""
    nonce: bytes
    mac: bytes


class Welcome(msgspec.Struct, frozen=True, array_like=True):
    """The server's answer to the proof."""

    incarnation: int
    mac: bytes


def nonce() -> bytes:
    """Return fresh random bytes."""
    return secrets.token_bytes(NONCE_BYTES)


def client_mac(secret: bytes, challenge: Challenge, own_nonce: bytes, endpoint: str) -> bytes:
    """Return what proves that a client knows the secret."""
    return _mac(secret, b"client", challenge.nonce, own_nonce, endpoint.encode())


def server_mac(secret: bytes, challenge: Challenge, client_nonce: bytes, endpoint: str) -> bytes:
    """Return what proves that a server does."""
    return _mac(secret, b"server", challenge.nonce, client_nonce, endpoint.encode())


def same(one: bytes, other: bytes) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(one, other)


def _mac(secret: bytes, *parts: bytes) -> bytes:
    digest = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()
