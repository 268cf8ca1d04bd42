"""Agents for tests: well-behaved ones that say what they saw, and ones that misbehave on purpose."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pyarrow as pa
from pydantic import Field

from agentactors import Agent, Context, Role, Visibility, capability, errors


class Echo(Agent):
    """Gives back what it gets."""

    tags = ("test",)

    @capability("echo.say", takes_query="text")
    async def say(self, ctx: Context, text: str, times: int = 1) -> dict[str, Any]:
        """Repeat a text.

        Args:
            text: What to say.
            times: How often.
        """
        return {"text": text * times, "query": ctx.query, "tenant": ctx.tenant, "request_id": ctx.request_id}

    @capability("echo.blocking")
    def blocking(self, ctx: Context, text: str) -> str:
        """Ask the other capability from a thread."""
        return str(ctx.ask_blocking("echo.say", {"text": text}).data["text"])

    @capability("echo.progress")
    async def progress(self, ctx: Context, steps: int) -> int:
        """Tell how far it is."""
        for step in range(steps):
            ctx.progress(f"step {step}", step=step, steps=steps)
        return steps


class Misbehaving(Agent):
    """Fails in the way that its caller asks for."""

    @capability("fail.ours")
    async def ours(self, code: str, details: dict[str, Any]) -> None:
        """Raise one of our errors."""
        raise errors.ERROR_BY_CODE[code]("as asked", details)

    @capability("fail.theirs")
    async def theirs(self, text: str) -> None:
        """Raise an error that Ray itself cannot carry: it has keyword-only arguments."""
        raise OutOfPaper(text=text)

    @capability("fail.in_thread")
    def in_thread(self, text: str) -> None:
        """Raise in a thread."""
        raise KeyError(text)

    @capability("fail.wrong_result")
    async def wrong_result(self) -> int:
        """Return something else than declared."""
        result: Any = "not a number"
        return result  # type: ignore[no-any-return]

    @capability("fail.stream")
    async def stream(self, good: int) -> AsyncIterator[int]:
        """Yield some items, then fail."""
        for number in range(good):
            yield number
        raise ValueError("the paper is out")

    @capability("fail.wrong_item")
    async def wrong_item(self) -> AsyncIterator[int]:
        """Yield a good item, then a bad one."""
        yield 1
        bad: Any = "two"
        yield bad

    @capability("fail.block_loop")
    async def block_loop(self, seconds: float) -> float:
        """Block the loop, as no coroutine should."""
        begun = time.monotonic()
        time.sleep(seconds)  # noqa: ASYNC251 - the misbehaviour itself
        return time.monotonic() - begun


class OutOfPaper(Exception):
    """An error with a keyword-only argument."""

    def __init__(self, *, text: str) -> None:
        super().__init__(text)


class Sleeper(Agent):
    """Works long, and notes how each piece of work ended."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @capability("sleep.notes")
    async def read(self) -> list[str]:
        """Say what has happened."""
        return self.notes

    @capability("sleep.wait")
    async def wait(self, name: str, seconds: float) -> str:
        """Wait without blocking."""
        self.notes.append(f"{name} began")
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self.notes.append(f"{name} stopped")
            raise
        self.notes.append(f"{name} ended")
        return name

    @capability("sleep.nested")
    async def nested(self, ctx: Context, name: str, seconds: float) -> str:
        """Let another agent wait."""
        self.notes.append(f"{name} asked {ctx.remaining_s:.0f}")
        return str((await ctx.ask("nap.wait", {"name": name, "seconds": seconds})).data)

    @capability("sleep.in_thread")
    def in_thread(self, ctx: Context, name: str, seconds: float) -> str:
        """Wait in a thread and look whether anybody still wants the result."""
        self.notes.append(f"{name} began")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if ctx.cancelled:
                self.notes.append(f"{name} saw cancelled")
                return name
            time.sleep(0.02)
        self.notes.append(f"{name} ended")
        return name

    @capability("sleep.count")
    async def count(self, name: str, items: int, pause_s: float = 0.0) -> AsyncIterator[int]:
        """Count, and note how far it came and how it ended."""
        produced = 0
        try:
            for number in range(items):
                produced = number + 1
                self.notes.append(f"{name} {number}")
                yield number
                await asyncio.sleep(pause_s)
        finally:
            self.notes.append(f"{name} closed at {produced}")

    @capability("sleep.count_in_thread")
    def count_in_thread(self, name: str, items: int) -> Iterator[int]:
        """The same as a sync generator."""
        try:
            for number in range(items):
                self.notes.append(f"{name} {number}")
                yield number
        finally:
            self.notes.append(f"{name} closed")


class Napper(Agent):
    """The same, for nested calls."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @capability("nap.notes")
    async def read(self) -> list[str]:
        """Say what has happened."""
        return self.notes

    @capability("nap.wait")
    async def wait(self, ctx: Context, name: str, seconds: float) -> str:
        """Wait without blocking."""
        self.notes.append(f"{name} began with {ctx.remaining_s:.1f}")
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self.notes.append(f"{name} stopped")
            raise
        return name


class Remembering(Agent):
    """Writes and reads chain memory."""

    @capability("memory.write")
    async def write(self, ctx: Context, key: str, value: Any) -> str:
        """Conclude something."""
        ctx.memory[key] = value
        return ctx.request_id

    @capability("memory.read")
    async def read(self, ctx: Context, key: str) -> Any:
        """Return a conclusion."""
        return ctx.memory.get(key)

    @capability("memory.keys")
    async def keys(self, ctx: Context) -> list[str]:
        """Return the names of all conclusions."""
        return sorted(ctx.memory)

    @capability("memory.chain")
    async def chain(self, ctx: Context, name: str) -> dict[str, Any]:
        """Write here, read and write in a nested call, read that here."""
        ctx.memory["outer"] = name
        seen = (await ctx.ask("memory.nested", {"name": name})).data
        after = (await ctx.ask("memory.keys")).data
        return {"nested saw": seen, "after": after, "request_id": ctx.request_id}

    @capability("memory.nested")
    async def nested(self, ctx: Context, name: str) -> dict[str, Any]:
        """Read what the caller wrote, and write."""
        seen = dict(ctx.memory)
        ctx.memory["inner"] = f"{name} too"
        await asyncio.sleep(0)
        return seen

    @capability("memory.write_object")
    async def write_object(self, ctx: Context, key: str) -> None:
        """Conclude what nobody else could read."""
        ctx.memory[key] = object()

    @capability("memory.fill")
    async def fill(self, ctx: Context, values: int, size: int) -> int:
        """Write until a bound says no."""
        for number in range(values):
            ctx.memory[f"value-{number}"] = "x" * size
        return values


class Carrier(Agent):
    """Takes and gives large values."""

    @capability("carry.look")
    async def look(self, array: np.ndarray[Any, Any], table: pa.Table, data: memoryview) -> dict[str, Any]:
        """Say what arrived, and whether it could be written to."""
        return {
            "sum": float(array.sum()),
            "rows": table.num_rows,
            "bytes": len(data),
            "first": data[0],
            "array_writeable": bool(array.flags.writeable),
            "data_readonly": data.readonly,
            "array_owns": bool(array.flags.owndata),
        }

    @capability("carry.array")
    async def array(self, size: int) -> np.ndarray[Any, Any]:
        """Make an array."""
        return np.arange(size, dtype=np.float64)

    @capability("carry.parts")
    async def parts(self, sizes: list[int]) -> AsyncIterator[np.ndarray[Any, Any]]:
        """Stream arrays."""
        for size in sizes:
            yield np.full(size, float(size))

    @capability("carry.table")
    async def table(self, rows: int) -> pa.Table:
        """Make a table."""
        return pa.table({"number": list(range(rows))})

    @capability("carry.buffer")
    async def buffer(self, size: int) -> memoryview:
        """Make bytes."""
        return memoryview(b"\x07" * size)

    @capability("carry.mixed")
    async def mixed(self, size: int) -> dict[str, Any]:
        """Make plain data with an array in it."""
        return {"name": "mixed", "array": np.ones(size, dtype=np.uint8)}

    @capability("carry.text")
    async def text(self, size: int) -> str:
        """Make a long text: plain data over the inline limit."""
        return "x" * size

    @capability("carry.growth")
    async def growth(self, array: np.ndarray[Any, Any]) -> dict[str, float]:
        """Read a whole array and say how much private memory that took."""
        before = _private_bytes()
        total = float(array.sum())
        return {"sum": total, "grown": float(_private_bytes() - before)}

    @capability("carry.relay")
    async def relay(self, ctx: Context, size: int) -> float:
        """Keep another call's result as a state ref and hand that on."""
        ref = await ctx.ask_ref("carry.array", {"size": size})
        return float((await ctx.ask("carry.sum", {"array": ref})).data)

    @capability("carry.sum")
    async def sum(self, array: np.ndarray[Any, Any]) -> float:
        """Add up."""
        return float(array.sum())


def _private_bytes() -> int:
    """Return this process's memory without what it shares, such as plasma."""
    sizes = dict(
        line.split(":", 1) for line in Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    )
    return sum(int(sizes[name].split()[0]) for name in ("Private_Clean", "Private_Dirty")) * 1024


class Fragile(Agent):
    """Kills its own process when told so; counts what it was asked to do in a file that survives it."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    @capability("fragile.work", idempotent=True)
    async def work(self, name: str) -> int:
        """Work that may be done twice: die when it is the first to be asked."""
        if self._count(name) == 1:
            os._exit(1)
        return os.getpid()

    @capability("fragile.pay")
    async def pay(self, name: str) -> int:
        """Work that may not be done twice: die, always."""
        self._count(name)
        os._exit(1)

    @capability("fragile.pid")
    async def pid(self) -> int:
        """Say which process this is."""
        return os.getpid()

    def _count(self, name: str) -> int:
        with (self.folder / name).open("a", encoding="ascii") as file:
            file.write("x")
        return (self.folder / name).stat().st_size


class Private(Agent):
    """Serves its own tenant only."""

    @capability("private.secret")
    async def secret(self) -> str:
        """Tell the secret."""
        return "secret"


class Displayed(Agent):
    """Everybody may see it, its own tenant may call it, and so may the auditors of another one."""

    visibility = Visibility(see=("*",), call=("default", "other:auditor"))

    @capability("display.price")
    async def price(self, ctx: Context) -> str:
        """Name the price."""
        return f"{ctx.tenant}:{ctx.role}"


class Planner(Agent):
    """Claims what belongs to another role."""

    role = Role.PLANNER

    @capability("tool.os_info")
    async def execute(self, step: str) -> str:
        """Do what planners do not do."""
        return step


class BadInterval(Agent):
    """Declares a heartbeat that is too rare."""

    declaration: ClassVar[dict[str, Any]] = {
        "agent_id": "bad-interval",
        "capabilities": ["slow.beat"],
        "heartbeat_interval_s": 3.9,
    }

    @capability("slow.beat")
    async def beat(self) -> str:
        """Beat."""
        return ""


class FailsToBuild(Agent):
    """Its constructor raises."""

    def __init__(self) -> None:
        raise RuntimeError("no ink")

    @capability("never.built")
    async def work(self) -> str:
        """Never run."""
        return ""


class FailsToStart(Agent):
    """Its start raises, in its second replica only."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    async def on_start(self) -> None:
        """Raise when another one was here first."""
        try:
            (self.folder / "first").touch(exist_ok=False)
        except FileExistsError:
            raise RuntimeError("no paper") from None

    @capability("never.started")
    async def work(self) -> str:
        """Never run."""
        return ""


class Stopping(Agent):
    """Notes its orderly end in a file."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    async def on_stop(self) -> None:
        """Say goodbye."""
        self.path.write_text("stopped", encoding="ascii")

    @capability("stopping.work")
    async def work(self) -> str:
        """Work."""
        return "works"


class Refusing(Agent):
    """Takes a number within bounds."""

    @capability("bounded.take")
    async def take(self, number: Annotated[int, Field(ge=1, le=5, description="One to five.")], name: str) -> int:
        """Take a number."""
        return number


class Greedy(Agent):
    """Raises one of our errors in its constructor."""

    def __init__(self) -> None:
        raise errors.ConfigInvalid("This agent needs a key.", {"key": "ink"})

    @capability("greedy.work")
    async def work(self) -> str:
        """Never run."""
        return ""


def all_codes() -> list[str]:
    """Return the code of every error that crosses a boundary."""
    return sorted(errors.ERROR_BY_CODE)
