"""The agent host: the one Ray actor class that runs agents.

Theory of operation. Ray gives each concurrency group of an async actor its own thread and event loop.
Handlers, admission and the memory of message ids live on the default loop. The ``control`` group registers the
replica, sends its heartbeats and answers ``ready``, ``describe``, ``cancel`` and ``stop``; it touches the default
loop only through ``call_soon_threadsafe``, so it answers while a handler blocks that loop, and its heartbeats
tell how far the default loop is behind. Ray's own limit of concurrent calls lies far above the host's: at
Ray's limit a call would queue in silence.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import os
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

import ray
from ray.exceptions import RayActorError

from agentactors.actors.blueprint import Blueprint
from agentactors.actors.enrolment import Enrolment
from agentactors.errors import AgentActorsError, AgentUnavailable, StaleIncarnation
from agentactors.logs import configure_logs, get_logger
from agentactors.protocol import wire
from agentactors.protocol.ids import new_id
from agentactors.protocol.stream import encode_frame, split_window
from agentactors.registry.row import Registration
from agentactors.runtime.channel_server import ChannelServer, socket_folder

if TYPE_CHECKING:
    from agentactors.actors.dispatch import Dispatch

_LOG = get_logger(__name__)

CONTROL_CALLS: Final = 64
RAY_CONCURRENCY: Final = 10_000
_PROBE_S: Final = 0.5
_ENROL_PAUSE_S: Final = 0.05


class AgentHost:
    """Runs one replica of one agent."""

    def __init__(self, blueprint: Blueprint) -> None:
        configure_logs(blueprint.settings.log_level)
        self._blueprint = blueprint
        self._loop = asyncio.get_running_loop()
        self._probe_sent = self._probe_seen = time.monotonic()
        self._started: Future[None] = Future()
        self._dispatch: Dispatch | None = None
        self._node_id: str = ray.get_runtime_context().get_node_id()
        self._channel: ChannelServer | None = None
        self._enrolment = Enrolment(
            blueprint, instance_id=new_id("life"), node_id=self._node_id, load=self._load, saw=self._saw
        )
        self._start_task = self._loop.create_task(self._start())
        # Nobody outside calls this again after a restart, so the replica enrols itself.
        self._enrolling = self._loop.create_task(self._enrol())

    async def _start(self) -> None:
        """Build the agent; a fault is kept for whoever waits in ``ready``."""
        # Imported by the actor alone: whoever only starts it does without what runs inside.
        from agentactors.actors.agents import Agents, not_started  # noqa: PLC0415
        from agentactors.actors.dispatch import Dispatch  # noqa: PLC0415

        blueprint = self._blueprint
        try:
            agents = Agents(blueprint)
            if not blueprint.packed:
                await agents.make("")
            self._dispatch = Dispatch(blueprint, agents, loop=self._loop, node_id=self._node_id)
            self._enrolment.channel = await self._listen(self._dispatch)
        except Exception as fault:  # noqa: BLE001 - the boundary to the user's code
            self._started.set_exception(not_started(blueprint, fault))
        else:
            # What start-up has made stays: left to the collector, each full collection would walk all of it.
            gc.freeze()
            self._started.set_result(None)

    async def _listen(self, dispatch: Dispatch) -> str:
        """Listen for direct channels; where that fails, Ray calls serve."""
        blueprint = self._blueprint
        if not blueprint.settings.channel:
            return ""
        server = self._channel = ChannelServer(
            dispatch,
            secret=blueprint.secret,
            endpoint=blueprint.endpoint,
            incarnation=lambda: self._enrolment.incarnation,
            inline_limit_bytes=blueprint.settings.inline_limit_bytes,
        )
        try:
            address = await server.listen(socket_folder(blueprint.secret))
            if blueprint.spans_nodes:
                host = ray.util.get_node_ip_address()
                address += f" {host}:{await server.listen_tcp(host)}"
        except OSError as fault:
            _LOG.warning("no_channel", agent_id=blueprint.agent_id, reason=str(fault))
            return ""
        return address

    async def _enrol(self) -> None:
        """Call :meth:`enrol` on the control loop: by a call to oneself, since that loop cannot be had otherwise.

        While Ray has this actor as restarting, calls to it fail at once, its own among them.
        """
        myself = ray.get_runtime_context().current_actor
        while True:
            try:
                await myself.enrol.remote()
            except RayActorError as fault:
                _LOG.info("enrolment_waits", agent_id=self._blueprint.agent_id, reason=type(fault).__name__)
                await asyncio.sleep(_ENROL_PAUSE_S)
            else:
                return

    # The default group: one loop with the handlers.

    async def deliver(self, data: bytes, *attachments: Any) -> bytes | tuple[bytes, Any]:
        """Work on one message; return its answer, with what is too large for an envelope beside it if there is any."""
        answer, carried = await self._ready_dispatch().deliver(wire.decode(data), False, attachments)
        return answer if carried is None else (answer, carried)

    @ray.method(num_returns=2)
    async def deliver_ref(self, data: bytes, *attachments: Any) -> tuple[bytes, Any]:
        """The same for a caller that wants a reference: the whole result is a return value of its own."""
        return await self._ready_dispatch().deliver(wire.decode(data), True, attachments)

    async def accept(self, data: bytes, keep: bool, *attachments: Any) -> bytes:
        """Take one message, answer at once, and work on it afterwards; ``keep``: record its result."""
        return wire.encode(await self._ready_dispatch().accept(wire.decode(data), keep, attachments))

    async def stream(self, data: bytes, *attachments: Any) -> AsyncIterator[bytes | tuple[bytes, tuple[Any, ...]]]:
        """Work on one message and yield frames: items and progress, at most a window of them unread, then the end."""
        window, data = split_window(data)
        frames = self._ready_dispatch().frames(wire.decode(data), window, attachments)
        try:
            async for frame in frames:
                data = encode_frame(frame)
                yield (data, frame.attachments) if frame.attachments else data
        finally:
            await frames.aclose()

    # The control group: a loop of its own, never held up by a handler.

    @ray.method(concurrency_group="control")
    async def enrol(self) -> None:
        """Register and send heartbeats for as long as the replica lives; an old copy ends itself."""
        try:
            await asyncio.wrap_future(self._started)
            await self._enrolment.run()
        except StaleIncarnation as fault:
            _LOG.error("superseded", agent_id=self._blueprint.agent_id, reason=str(fault))
            ray.actor.exit_actor()
        except AgentActorsError as fault:
            _LOG.error("not_registered", agent_id=self._blueprint.agent_id, reason=str(fault))

    @ray.method(concurrency_group="control")
    async def ready(self) -> Registration:
        """Wait until the agent has started and is registered; raises what went wrong on the way."""
        await asyncio.shield(asyncio.wrap_future(self._started))
        return await self._enrolment.registered()

    @ray.method(concurrency_group="control")
    async def describe(self) -> dict[str, Any]:
        """Say who this is, how it is and what it does: for ``agents`` and ``doctor``."""
        in_flight, lag_s = self._load()
        statistics = self._dispatch.statistics() if self._dispatch else {}
        return {
            "agent_id": self._blueprint.agent_id,
            "replica_id": self._blueprint.replica_id,
            "incarnation": self._enrolment.incarnation,
            "pid": os.getpid(),
            "in_flight": in_flight,
            "lag_s": round(lag_s, 3),
            **statistics,
        }

    @ray.method(concurrency_group="control")
    async def collect(self, key: str) -> tuple[Any, ...]:
        """Hand over what was too large for a channel; its caller owns it from now on."""
        dispatch = self._ready_dispatch()

        async def take() -> tuple[Any, ...]:
            return dispatch.collect(key)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(take(), self._loop))

    @ray.method(concurrency_group="control")
    async def grant(self, message_id: str, count: int) -> None:
        """Let the stream that answers a message be ``count`` frames further ahead."""
        if self._dispatch is not None:
            self._loop.call_soon_threadsafe(self._dispatch.grant, message_id, count)

    @ray.method(concurrency_group="control")
    async def cancel(self, message_id: str) -> None:
        """Cancel what runs for a message, if it still does."""
        if self._dispatch is not None:
            self._loop.call_soon_threadsafe(self._dispatch.cancel, message_id)

    @ray.method(concurrency_group="control")
    async def withdraw(self) -> None:
        """Stay registered no longer: whoever calls this deregisters the replica next, and then ends it."""
        await self._enrolment.withdraw()

    @ray.method(concurrency_group="control")
    async def stop(self, timeout_s: float) -> None:
        """Let the agent give back what it holds, within ``timeout_s`` seconds."""
        if self._dispatch is None:
            return
        if self._channel is not None:
            self._loop.call_soon_threadsafe(self._channel.close)
        ending = asyncio.run_coroutine_threadsafe(self._dispatch.close(), self._loop)
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.wrap_future(ending)
        except TimeoutError:
            _LOG.warning("on_stop_too_slow", agent_id=self._blueprint.agent_id, timeout_s=timeout_s)

    def _ready_dispatch(self) -> Dispatch:
        if self._dispatch is None:
            raise AgentUnavailable(
                f"Agent {self._blueprint.agent_id} has not started.", {"cause": "starting", "started": False}
            )
        return self._dispatch

    def _saw(self, epoch: int) -> None:
        """What was registered before this replica can be asked by it; called on the control loop."""
        if self._dispatch is not None:
            self._dispatch.saw(epoch)

    def _load(self) -> tuple[int, float]:
        """Return (running calls, seconds by which the default loop is late); called on the control loop."""
        now = time.monotonic()
        lag_s = max(0.0, now - self._probe_sent) if self._probe_seen < self._probe_sent else 0.0
        if self._probe_seen >= self._probe_sent and now - self._probe_sent > _PROBE_S:
            self._probe_sent = now
            self._loop.call_soon_threadsafe(self._note_probe)
        return (self._dispatch.running if self._dispatch else 0), lag_s

    def _note_probe(self) -> None:
        self._probe_seen = time.monotonic()


@functools.cache
def host_class() -> Any:
    """Return the host as a Ray actor class; one, so that Ray exports it once."""
    actor_class: Any = ray.remote  # its stubs do not know concurrency_groups
    return actor_class(concurrency_groups={"control": CONTROL_CALLS})(AgentHost)
