"""Choose a store by the URL of its database."""

from __future__ import annotations

from typing import Final

from agentactors.config import Settings
from agentactors.store.base import JournalStore, RegistryStore
from agentactors.store.memory import MemoryJournalStore, MemoryRegistryStore
from agentactors.store.sql import SqlJournalStore, SqlRegistryStore

MEMORY_URL: Final = "memory:"
"""Keeps everything in the process: nothing survives it."""


def open_registry_store(url: str) -> RegistryStore:
    """Return the registry's store at ``url``, not yet opened.

    Args:
        url: :data:`MEMORY_URL`, or a database as :func:`.engine.open_engine` takes it.
    """
    return MemoryRegistryStore() if url == MEMORY_URL else SqlRegistryStore(url)


def open_journal_store(url: str, settings: Settings) -> JournalStore:
    """Return the journal's store at ``url``, not yet opened.

    Args:
        url: :data:`MEMORY_URL`, or a database as :func:`.engine.open_engine` takes it.
        settings: The bounds of chain memory.
    """
    return MemoryJournalStore(settings) if url == MEMORY_URL else SqlJournalStore(url, settings)
