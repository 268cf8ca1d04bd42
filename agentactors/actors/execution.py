"""Running one handler: coroutine, thread, or generator of either kind, under a deadline and with a slot."""

from __future__ import annotations

import asyncio
import contextvars
import time
import traceback
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from agentactors.actors.admission import Admission
from agentactors.actors.context import HostContext
from agentactors.agents.spec import HandlerKind, HandlerSpec
from agentactors.errors import AgentActorsError, AgentFailed, Cancelled, DeadlineExceeded

_END: Final = object()


class Execution:
    """Runs the handlers of one replica.

    Whatever a handler raises leaves here as one of our errors. A slot taken by admission is given back when
    the work has really ended: for a sync handler that was cancelled, when its thread returns.
    """

    def __init__(self, agent: Any, *, admission: Admission, pool: ThreadPoolExecutor) -> None:
        self._agent = agent
        self._admission = admission
        self._pool = pool

    async def run(self, spec: HandlerSpec, arguments: dict[str, Any], context: HostContext) -> Any:
        """Run to the end and return what the handler returned.

        Raises:
            Overloaded: Every slot is taken; the handler has not started.
            DeadlineExceeded: The deadline passed; a coroutine was cancelled, a thread's result is dropped.
            AgentFailed: The handler raised something that is not ours.
            AgentActorsError: The handler raised one of ours.
        """
        call = self._call(spec, arguments, context)
        work: Future[Any] | None = None
        self._admission.enter(context.agent_id)
        try:
            if spec.kind is HandlerKind.ASYNC:
                async with _until(context):
                    return await call()
            work = self._submit(call)
            async with _until(context):
                return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            context.cancel()
            raise
        except Exception as fault:
            raise self._translate(fault, spec, context) from fault
        finally:
            if work is None:
                self._admission.leave()
            else:
                work.add_done_callback(lambda _: self._admission.leave())

    async def items(
        self, spec: HandlerSpec, arguments: dict[str, Any], context: HostContext
    ) -> AsyncGenerator[Any, None]:
        """Run a generator and yield its items; closing this closes the generator. Raises like :meth:`run`."""
        self._admission.enter(context.agent_id)
        generator = self._call(spec, arguments, context)()
        try:
            while True:
                async with _until(context):
                    item = await self._next(spec, generator)
                if item is _END:
                    return
                yield item
        except (asyncio.CancelledError, GeneratorExit):
            context.cancel()
            raise
        except Exception as fault:
            raise self._translate(fault, spec, context) from fault
        finally:
            await self._close(spec, generator)

    async def _next(self, spec: HandlerSpec, generator: Any) -> Any:
        if spec.kind is HandlerKind.ASYNC_STREAM:
            return await anext(generator, _END)
        return await asyncio.wrap_future(self._submit(lambda: next(generator, _END)))

    async def _close(self, spec: HandlerSpec, generator: Any) -> None:
        if spec.kind is HandlerKind.ASYNC_STREAM:
            try:
                await generator.aclose()
            finally:
                self._admission.leave()
            return
        closing = self._pool.submit(_close_when_idle, generator)
        closing.add_done_callback(lambda _: self._admission.leave())

    def _call(self, spec: HandlerSpec, arguments: dict[str, Any], context: HostContext) -> Callable[[], Any]:
        method = getattr(self._agent, spec.method)
        if spec.context_parameter:
            arguments = {**arguments, spec.context_parameter: context}
        return lambda: method(**arguments)

    def _submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Start ``call`` in a thread, with this task's log context."""
        return self._pool.submit(contextvars.copy_context().run, call)

    @staticmethod
    def _translate(fault: Exception, spec: HandlerSpec, context: HostContext) -> AgentActorsError:
        if isinstance(fault, TimeoutError) and context.remaining_s <= 0:
            context.cancel()
            return DeadlineExceeded(f"{spec.capability_id} of {context.agent_id} passed the deadline and was stopped.")
        if isinstance(fault, AgentActorsError):
            # A call that this handler made may never have started; this one has, and must not be repeated for that.
            return fault.with_details(started=True) if fault.details.get("started") is False else fault
        text = "".join(traceback.format_exception(fault))[-4000:]
        return AgentFailed(
            f"{spec.capability_id} of {context.agent_id} failed: {type(fault).__name__}: {str(fault)[:500]}",
            {"type": type(fault).__name__, "traceback": text},
        )


def _until(context: HostContext) -> asyncio.Timeout:
    """Return a time-out at the call's deadline, which is absolute and in wall-clock time."""
    return asyncio.timeout_at(asyncio.get_running_loop().time() + context.deadline - time.time())


def _close_when_idle(generator: Any) -> None:
    """Close a sync generator; while another thread still runs it, that thread's next yield ends it."""
    try:
        generator.close()
    except ValueError as fault:  # already executing
        raise Cancelled("The generator still runs and is dropped at its next item.") from fault
