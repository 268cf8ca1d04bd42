"""The direct channel between two actors of one node, against a bare Unix socket and a raw Ray call in the same run.

The bare socket is two plain processes with a loop each that exchange the same message, length-prefixed msgpack,
with nothing around it: no deadline, no validation, no message ids, no admission.
"""

from __future__ import annotations

import asyncio
import struct
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import ray
import uvloop

from agentactors import Agent, AgentSystem, Context, capability
from benchmarks.ask import MESSAGE, Caller, Echo, RawCaller, RawEcho
from benchmarks.measure import Figure, closed_loop, compare, p50_us

_HEADER = struct.Struct("<IQ")


class Message(msgspec.Struct):
    """The message of :mod:`benchmarks.ask`, typed."""

    sender: str
    kind: str
    ts: float
    text: str


_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


class Bare(asyncio.Protocol):
    """Either end of a bare socket."""

    def __init__(self, *, server: bool) -> None:
        self._server = server
        self._held = b""
        self._out: list[bytes] = []
        self._number = 0
        self.waiting: dict[int, asyncio.Future[Message]] = {}

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        data = self._held + data
        position = 0
        while len(data) - position >= _HEADER.size:
            length, number = _HEADER.unpack_from(data, position)
            end = position + _HEADER.size + length
            if end > len(data):
                break
            message: Message = _DECODER.decode(data[position + _HEADER.size : end])
            position = end
            if self._server:
                self.send(number, message)
            else:
                self.waiting.pop(number).set_result(message)
        self._held = data[position:]

    def send(self, number: int, message: Message) -> None:
        body = _ENCODER.encode(message)
        if not self._out:
            self._loop.call_soon(self._write)
        self._out.append(_HEADER.pack(len(body), number) + body)

    async def ask(self, message: Message) -> Message:
        self._number += 1
        future: asyncio.Future[Message] = self._loop.create_future()
        self.waiting[self._number] = future
        self.send(self._number, message)
        return await future

    def _write(self) -> None:
        out, self._out = self._out, []
        self._transport.write(b"".join(out))


async def _serve(path: str) -> None:
    server = await asyncio.get_running_loop().create_unix_server(lambda: Bare(server=True), path)
    async with asyncio.timeout(600):
        await server.serve_forever()


async def _bare_client(path: str) -> None:
    """Measure for whoever writes "concurrency seconds" lines to standard input."""
    _, protocol = await asyncio.get_running_loop().create_unix_connection(lambda: Bare(server=False), path)
    message = Message(**MESSAGE)  # type: ignore[arg-type]
    for line in sys.stdin:
        concurrency, seconds = line.split()
        taken = await closed_loop(lambda: protocol.ask(message), concurrency=int(concurrency), seconds=float(seconds))
        print(msgspec.json.encode(taken).decode(), flush=True)


class Streamer(Agent):
    """Streams."""

    @capability("bench.many")
    async def many(self, count: int) -> AsyncIterator[int]:
        """Yield numbers."""
        for number in range(count):
            yield number


class Reader(Agent):
    """Reads streams."""

    @capability("bench.read")
    async def read(self, ctx: Context, count: int) -> float:
        """Return items per second."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        async with ctx.stream("bench.many", {"count": count}) as stream:
            async for _ in stream:
                pass
        return count / (loop.time() - begun)


class RawStreamer:
    """The same in raw Ray."""

    async def many(self, count: int) -> AsyncIterator[int]:
        for number in range(count):
            yield number


async def measure(*, brief: bool) -> list[Figure]:
    """Measure in interleaved rounds: bare socket, raw Ray, ours…"""
    repeats, seconds, items = (2, 0.5, 2_000) if brief else (7, 1.5, 40_000)
    folder = tempfile.mkdtemp(prefix="aa-bench-")
    socket_path = Path(folder) / "bare.sock"
    path = str(socket_path)
    command = [sys.executable, "-m", "benchmarks.channel"]
    server = await asyncio.create_subprocess_exec(*command, "serve", path)
    while not await asyncio.to_thread(socket_path.exists):  # noqa: ASYNC110 - a process of its own starts
        await asyncio.sleep(0.05)
    pipe = asyncio.subprocess.PIPE
    client = await asyncio.create_subprocess_exec(*command, "ask", path, stdin=pipe, stdout=pipe, limit=1 << 28)

    async def bare(concurrency: int) -> list[float]:
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(f"{concurrency} {seconds}\n".encode())
        taken: list[float] = msgspec.json.decode(await client.stdout.readline())
        return taken

    try:
        async with AgentSystem.start(num_cpus=4) as system:
            await asyncio.gather(*(system.spawn(one) for one in (Echo, Caller, Streamer, Reader)))
            target: Any = ray.remote(RawEcho).options(num_cpus=0, max_concurrency=1000).remote()
            raw: Any = ray.remote(RawCaller).options(num_cpus=0, max_concurrency=1000).remote(target)
            raw_streamer: Any = ray.remote(RawStreamer).options(num_cpus=0, max_concurrency=1000).remote()

            async def ours(concurrency: int) -> list[float]:
                asked = {"concurrency": concurrency, "seconds": seconds}
                taken: list[float] = (await system.ask("bench.ask", asked)).data
                return taken

            async def raw_items(count: int) -> float:
                loop = asyncio.get_running_loop()
                begun = loop.time()
                async for ref in raw_streamer.many.options(num_returns="streaming").remote(count):
                    await ref
                return count / (loop.time() - begun)

            await ours(16), await raw.run.remote(16, seconds), await bare(16), await raw_items(50)
            rows: dict[str, list[tuple[float, float]]] = {
                "p50": [],
                "per_s": [],
                "bare": [],
                "items": [],
            }
            for _ in range(repeats):
                floor, own = p50_us(await bare(1)), p50_us(await ours(1))
                rows["p50"].append((own, floor))
                many = len(await ours(256)) / seconds
                rows["per_s"].append((many, len(await raw.run.remote(256, seconds)) / seconds))
                rows["bare"].append((many, len(await bare(256)) / seconds))
                own = (await system.ask("bench.read", {"count": items}, timeout_s=120)).data
                rows["items"].append((own, await raw_items(items // 20)))
    finally:
        for process in (client, server):
            process.kill()
            await process.wait()
    columns = {name: tuple(zip(*values, strict=True)) for name, values in rows.items()}
    socket, call = "bare Unix socket", "raw Ray async actor call"
    return [
        compare("channel.ask_p50", *columns["p50"], unit="us", peer_name=socket, at_most=1.5),
        compare("channel.per_s_256", *columns["per_s"], unit="1/s", peer_name=call, at_least=20.0),
        compare("channel.per_s_256_socket", *columns["bare"], unit="1/s", peer_name=socket),
        compare(
            "channel.stream_items_per_s",
            *columns["items"],
            unit="1/s",
            peer_name="raw Ray streaming generator",
            floor=70_000,
        ),
    ]


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[2]) if sys.argv[1] == "serve" else _bare_client(sys.argv[2]))
