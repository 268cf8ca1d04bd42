"""The registry actor: the one writer of who is there. A shell around :class:`RegistryTable` and its store."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

import msgspec

from agentactors.config import Settings
from agentactors.errors import AgentActorsError, StaleIncarnation
from agentactors.feed.follower import FeedCodec
from agentactors.feed.log import Position
from agentactors.logs import configure_logs, get_logger
from agentactors.protocol.declare import parse_declaration
from agentactors.registry.row import HeartbeatAnswer, Registration, ReplicaRow
from agentactors.registry.table import RegistryTable
from agentactors.registry.wire import Beat, FeedAnswer, Registering

_LOG = get_logger(__name__)
_GATHER_S: Final = 0.02
"""Changes are gathered this long before followers are woken."""


class RegistryActor:
    """Registers, counts heartbeats, tells followers.

    A change is stored before it is acknowledged. Killed, it comes back with what was stored and a new writer
    incarnation; a copy that the cluster still keeps alive elsewhere is refused by the store and ends itself.

    Args:
        settings: Intervals and time-outs.
        url: Of its database.
    """

    def __init__(self, settings: Settings, url: str) -> None:
        configure_logs(settings.log_level)
        self._settings = settings
        # Imported by the actor alone: whoever only starts it does without a database library.
        from agentactors.store.open import open_registry_store  # noqa: PLC0415

        self._store = open_registry_store(url)
        self._codec: FeedCodec[ReplicaRow] = FeedCodec(ReplicaRow)
        self._changed = asyncio.Event()
        self._writing = asyncio.Lock()
        loop = asyncio.get_running_loop()
        self._opened = loop.create_task(self._open())
        self._sweeping = loop.create_task(self._sweep())

    async def ping(self) -> int:
        """Return the writer incarnation, once the table is loaded."""
        return (await self._table()).position.incarnation

    async def epoch(self) -> int:
        """Return the number of the last change: a router that has it knows everybody who is registered now."""
        return (await self._table()).position.epoch

    async def register(self, data: bytes) -> bytes:
        """Register one replica; see :meth:`RegistryTable.register`."""
        table = await self._table()
        request = msgspec.msgpack.decode(data, type=Registering)
        answer: Registration = table.register(
            parse_declaration(request.declaration),
            owner=request.owner,
            replica_id=request.replica_id,
            instance_id=request.instance_id,
            endpoint=request.endpoint,
            node_id=request.node_id,
            channel=request.channel,
            packed=request.packed,
            known_incarnation=request.known_incarnation,
            now=time.time(),
        )
        await self._write()
        return msgspec.msgpack.encode(answer)

    async def heartbeat(self, data: bytes) -> bytes:
        """Count one heartbeat; see :meth:`RegistryTable.heartbeat`."""
        table = await self._table()
        beat = msgspec.msgpack.decode(data, type=Beat)
        answer: HeartbeatAnswer = table.heartbeat(
            beat.agent_id,
            beat.replica_id,
            incarnation=beat.incarnation,
            load=beat.in_flight,
            in_flight=beat.in_flight,
            lag_s=beat.lag_s,
            now=time.time(),
        )
        await self._write()
        return msgspec.msgpack.encode(answer)

    async def mark_down(self, agent_id: str, replica_id: str | None, cause: str) -> int:
        """Take an agent, or one replica, out of routing until its next heartbeat."""
        changed = (await self._table()).mark_down(agent_id, replica_id, cause=cause, now=time.time())
        await self._write()
        return changed

    async def deregister(self, agent_id: str, replica_id: str | None, owner: str) -> tuple[int, int]:
        """Remove an agent, or one replica; return how many rows went, and the epoch."""
        table = await self._table()
        gone = table.deregister(agent_id, replica_id, owner=owner)
        await self._write()
        return gone, table.position.epoch

    async def update_capability(
        self, agent_id: str, capabilities: list[Any], owner: str
    ) -> tuple[tuple[str, ...], int]:
        """Replace an agent's capabilities; return warnings and the epoch."""
        table = await self._table()
        warnings = table.update_capability(agent_id, capabilities, owner=owner, now=time.time())
        await self._write()
        return warnings, table.position.epoch

    async def rows(self) -> bytes:
        """Return every row as it is now."""
        table = await self._table()
        table.sweep(time.time())
        await self._write()
        return msgspec.msgpack.encode(table.rows())

    async def changes(self, incarnation: int, epoch: int, pulses_since: float, wait_s: float) -> bytes:
        """Return what a follower at that position is missing; wait up to ``wait_s`` for something to happen.

        Heartbeats since ``pulses_since`` come along, since they make no epoch.
        """
        table = await self._table()
        position = Position(incarnation, epoch)
        if table.position == position:
            try:
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
                    await asyncio.sleep(_GATHER_S)
            except TimeoutError:
                pass  # nothing happened: the follower still wants the heartbeats
        update = table.since(position) or table.snapshot()
        answer = FeedAnswer(self._codec.encode(update), table.pulses(pulses_since), time.time())
        return msgspec.msgpack.encode(answer)

    async def _open(self) -> RegistryTable:
        state = await self._store.open()
        return RegistryTable(
            settings=self._settings,
            incarnation=state.incarnation,
            epoch=state.epoch,
            rows=state.rows,
            counters=state.counters,
            recovered_at=time.time(),
        )

    async def _table(self) -> RegistryTable:
        return await asyncio.shield(self._opened)

    async def _write(self) -> None:
        """Store what changed, then let followers see it; callers that wait together share one commit."""
        table = await self._table()
        async with self._writing:
            rows, dropped, epoch = table.take_dirty()
            if not rows and not dropped:
                return
            try:
                await self._store.save(rows, dropped, epoch, incarnation=table.position.incarnation)
            except StaleIncarnation:
                raise
            except BaseException:
                table.put_back(rows, dropped)
                raise
        self._changed.set()
        self._changed.clear()

    async def _sweep(self) -> None:
        """Look for the silent, for as long as the actor lives."""
        while True:
            await asyncio.sleep(self._settings.idle_sweep_s)
            try:
                (await self._table()).sweep(time.time())
                await self._write()
            except AgentActorsError as fault:
                _LOG.error("sweep_failed", code=fault.code, reason=fault.message)
