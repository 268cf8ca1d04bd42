"""The journal actor: chain memory and results that are collected later, by request_id and with a time to live."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from agentactors.config import Settings
from agentactors.errors import AgentActorsError
from agentactors.logs import configure_logs, get_logger

_LOG = get_logger(__name__)
_SWEEP_S: Final = 30.0


class JournalActor:
    """Keeps what outlives a call; everything is stored before it is acknowledged.

    Args:
        settings: Bounds and times to live.
        url: Of its database.
    """

    def __init__(self, settings: Settings, url: str) -> None:
        configure_logs(settings.log_level)
        self._settings = settings
        # Imported by the actor alone: whoever only starts it does without a database library.
        from agentactors.store.open import open_journal_store  # noqa: PLC0415

        self._store = open_journal_store(url, settings)
        self._arrived: dict[tuple[str, str], asyncio.Event] = {}
        loop = asyncio.get_running_loop()
        self._opened = loop.create_task(self._store.open())
        self._sweeping = loop.create_task(self._sweep())

    async def ping(self) -> int:
        """Return the writer incarnation, once the store is open."""
        return await asyncio.shield(self._opened)

    async def put_context(self, request_id: str, tenant: str, items: dict[str, bytes]) -> None:
        """Store conclusions of a chain; the last write of a key counts.

        Raises:
            TooLarge: A value or the chain is over its bound; nothing was stored.
        """
        await self.ping()
        await self._store.put_contexts(request_id, tenant, items, now=time.time(), ttl_s=self._settings.context_ttl_s)

    async def get_context(self, request_id: str, tenant: str) -> dict[str, bytes] | None:
        """Return the conclusions of a chain; None when it is unknown or expired."""
        await self.ping()
        found = await self._store.get_context(request_id, tenant)
        return None if found is None or found.expired(time.time()) else found.values

    async def put_result(self, request_id: str, tenant: str, data: bytes) -> bool:
        """Store the result of a request; False when one is there already: the first counts."""
        await self.ping()
        stored = await self._store.put_result(
            request_id, tenant, data, now=time.time(), ttl_s=self._settings.result_ttl_s
        )
        waiting = self._arrived.pop((request_id, tenant), None)
        if waiting is not None:
            waiting.set()
        return stored

    async def get_result(self, request_id: str, tenant: str, wait_s: float) -> bytes | None:
        """Return the result of a request, waiting up to ``wait_s`` for it; None when it is not there."""
        await self.ping()
        key = (request_id, tenant)
        # Wait first, look second: a result that is stored in between is not missed.
        event = self._arrived.setdefault(key, asyncio.Event()) if wait_s > 0 else None
        found = await self._store.get_result(request_id, tenant)
        if found is not None or event is None:
            return found
        try:
            async with asyncio.timeout(wait_s):
                await event.wait()
        except TimeoutError:
            self._arrived.pop(key, None)
        return await self._store.get_result(request_id, tenant)

    async def _sweep(self) -> None:
        """Remove what has expired, for as long as the actor lives."""
        while True:
            await asyncio.sleep(_SWEEP_S)
            try:
                await self.ping()
                await self._store.sweep(time.time(), self._settings.journal_max_rows)
            except AgentActorsError as fault:
                _LOG.error("sweep_failed", code=fault.code, reason=fault.message)
