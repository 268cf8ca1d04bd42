"""Running one handler: coroutine, thread, or generator of either kind, under a deadline and with a slot."""

from __future__ import annotations

import asyncio
import contextvars
import time
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from agentactors.actors.admission import Admission
from agentactors.actors.context import HostContext
from agentactors.agents.agent import Agent
from agentactors.agents.spec import HandlerKind, HandlerSpec
from agentactors.errors import AgentActorsError, AgentFailed, Cancelled, DeadlineExceeded
from agentactors.runtime.deadlines import TaskDeadlines

_END: Final = object()


@dataclass(slots=True)
class Work:
    """One call of a handler."""

    agent: Agent
    spec: HandlerSpec
    arguments: dict[str, Any]
    deadline: float
    context: HostContext | None
    """None for a handler that takes none: most small handlers do without, and it costs."""


class Execution:
    """Runs the handlers of one replica.

    Whatever a handler raises leaves here as one of our errors. A slot taken by admission is given back when
    the work has really ended: for a sync handler that was cancelled, when its thread returns.
    """

    def __init__(self, agent_id: str, *, admission: Admission, pool: ThreadPoolExecutor) -> None:
        self._agent_id = agent_id
        self._admission = admission
        self._pool = pool
        self._deadlines = TaskDeadlines()

    def close(self) -> None:
        """Watch no deadlines any more."""
        self._deadlines.close()

    async def run(self, work: Work) -> Any:
        """Run to the end and return what the handler returned.

        Raises:
            Overloaded: Every slot is taken; the handler has not started.
            DeadlineExceeded: The deadline passed; a coroutine was cancelled, a thread's result is dropped.
            AgentFailed: The handler raised something that is not ours.
            AgentActorsError: The handler raised one of ours.
        """
        thread: Future[Any] | None = None
        self._admission.enter(self._agent_id)
        try:
            if work.spec.kind is HandlerKind.ASYNC:
                return await self._deadlines.within(self._called(work), work.deadline)
            thread = self._submit(lambda: self._called(work))
            return await self._deadlines.within(asyncio.wrap_future(thread), work.deadline)
        except asyncio.CancelledError:
            _cancel(work)
            raise
        except Exception as fault:
            raise self._translate(fault, work) from fault
        finally:
            if thread is None:
                self._admission.leave()
            else:
                thread.add_done_callback(lambda _: self._admission.leave())

    async def items(self, work: Work) -> AsyncGenerator[Any, None]:
        """Run a generator and yield its items; closing this closes the generator. Raises like :meth:`run`."""
        self._admission.enter(self._agent_id)
        generator = self._called(work)
        try:
            while True:
                item = await self._deadlines.within(self._next(work.spec, generator), work.deadline)
                if item is _END:
                    return
                yield item
        except (asyncio.CancelledError, GeneratorExit):
            _cancel(work)
            raise
        except Exception as fault:
            raise self._translate(fault, work) from fault
        finally:
            await self._close(work.spec, generator)

    def _next(self, spec: HandlerSpec, generator: Any) -> Awaitable[Any]:
        if spec.kind is HandlerKind.ASYNC_STREAM:
            item: Awaitable[Any] = anext(generator, _END)
            return item
        return asyncio.wrap_future(self._submit(lambda: next(generator, _END)))

    async def _close(self, spec: HandlerSpec, generator: Any) -> None:
        if spec.kind is HandlerKind.ASYNC_STREAM:
            try:
                await generator.aclose()
            finally:
                self._admission.leave()
            return
        closing = self._pool.submit(_close_when_idle, generator)
        closing.add_done_callback(lambda _: self._admission.leave())

    def _called(self, work: Work) -> Any:
        """Call the handler's method: makes the coroutine or generator, or does a sync handler's work."""
        arguments = work.arguments
        if work.spec.context_parameter:
            arguments = {**arguments, work.spec.context_parameter: work.context}
        return getattr(work.agent, work.spec.method)(**arguments)

    def _submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Start ``call`` in a thread, with this task's log context."""
        return self._pool.submit(contextvars.copy_context().run, call)

    def _translate(self, fault: Exception, work: Work) -> AgentActorsError:
        name = f"{work.spec.capability_id} of {self._agent_id}"
        if isinstance(fault, TimeoutError) and work.deadline <= time.time():
            _cancel(work)
            return DeadlineExceeded(f"{name} passed the deadline and was stopped.")
        if isinstance(fault, AgentActorsError):
            # A call that this handler made may never have started; this one has, and must not be repeated for that.
            return fault.with_details(started=True) if fault.details.get("started") is False else fault
        text = "".join(traceback.format_exception(fault))[-4000:]
        return AgentFailed(
            f"{name} failed: {type(fault).__name__}: {str(fault)[:500]}",
            {"type": type(fault).__name__, "traceback": text},
        )


def _cancel(work: Work) -> None:
    if work.context is not None:
        work.context.cancel()


def _close_when_idle(generator: Any) -> None:
    """Close a sync generator; while another thread still runs it, that thread's next yield ends it."""
    try:
        generator.close()
    except ValueError as fault:  # already executing
        raise Cancelled("The generator still runs and is dropped at its next item.") from fault
