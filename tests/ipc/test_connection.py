"""Messages over a real socket: answers find their questions, and nobody waits for who does not read."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from zsh_ls.ipc.connection import SLOW_BYTES, Connection, ConnectionLost
from zsh_ls.ipc.framing import LARGEST_FRAME_BYTES
from zsh_ls.model.errors import InvalidRequest, RequestRejected

Raw = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def end_of(sock: socket.socket) -> Raw:
    return await asyncio.open_unix_connection(sock=sock)


@asynccontextmanager
async def pair() -> AsyncIterator[tuple[Connection, Connection]]:
    """A server's end, which answers, and a client's."""
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    server, client = (
        Connection(*await end_of(ours), paces=True),
        Connection(*await end_of(theirs)),
    )
    server.handle = answer
    serving = [asyncio.ensure_future(end.serve()) for end in (server, client)]
    yield server, client
    server.close()
    client.close()
    await asyncio.gather(*serving)


@asynccontextmanager
async def raw() -> AsyncIterator[tuple[Connection, Raw, asyncio.Future[None]]]:
    """A server's end, and a socket that can send anything."""
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    server = Connection(*await end_of(ours), paces=True)
    server.handle = answer
    serving = asyncio.ensure_future(server.serve())
    reader, writer = await end_of(theirs)
    yield server, (reader, writer), serving
    server.close()
    writer.close()
    await serving


cancelled: list[str] = []


async def answer(method: str, params: Mapping[str, Any]) -> Any:
    match method:
        case "echo":
            return params
        case "bad":
            raise InvalidRequest("x: expected y")
        case "refuse":
            raise RequestRejected("not now")
        case "crash":
            raise KeyError("/secret/path")
        case "big":
            return "x" * params["size"]
        case _:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(method)
                raise


async def test_answers_find_their_questions_in_whatever_order_they_come() -> None:
    async with pair() as (_, client):
        never = asyncio.ensure_future(client.request("never", {}))
        many = [client.request("echo", {"n": n, "text": "é\ud800\n"}) for n in range(100)]
        assert [found["n"] for found in await asyncio.gather(*many)] == list(range(100))
        never.cancel()


async def test_faults_are_raised_as_they_were_and_a_crash_names_no_secret() -> None:
    async with pair() as (_, client):
        with pytest.raises(InvalidRequest, match=r"^x: expected y$"):
            await client.request("bad", {})
        with pytest.raises(RequestRejected, match=r"^not now$"):
            await client.request("refuse", {})
        with pytest.raises(RequestRejected, match=r"^Internal error in crash: KeyError"):
            await client.request("crash", {})


async def test_cancelling_a_request_cancels_it_at_the_other_end() -> None:
    cancelled.clear()
    async with pair() as (_, client):
        never = asyncio.ensure_future(client.request("never", {}))
        await client.request("echo", {})
        never.cancel()
        await client.request("echo", {})
        assert cancelled == ["never"]


async def test_when_one_end_goes_the_other_is_told_of_each_request() -> None:
    async with pair() as (server, client):
        closed: list[bool] = []
        client.on_closed = lambda: closed.append(True)
        waiting = [asyncio.ensure_future(client.request("never", {})) for _ in range(5)]
        await client.request("echo", {})
        server.close()
        for lost in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(lost, ConnectionLost)
        assert (client.is_lost, closed) == (True, [True])
        with pytest.raises(ConnectionLost):
            await client.request("echo", {})


async def test_an_end_that_does_not_read_makes_nobody_wait_and_gets_everything_later() -> None:
    async with raw() as (server, (reader, writer), _):
        drained = asyncio.Event()
        server.on_drained = drained.set
        told = 0
        while not server.is_slow:
            server.notify("news", {"text": "x" * 10_000})
            told += 1
        assert told > SLOW_BYTES // 10_000
        for _ in range(told):
            (length,) = struct.unpack("!I", await reader.readexactly(4))
            assert json.loads(await reader.readexactly(length))["method"] == "news"
        await drained.wait()
        assert not server.is_slow
        writer.write(framed({"id": 1, "method": "echo", "params": {}}))
        assert await reader.readexactly(4)


async def test_one_that_asks_and_never_reads_is_not_read_from() -> None:
    async with raw() as (server, (_, writer), _):
        asked = 0
        while asked < 3 or not server.is_slow:
            writer.write(framed({"id": asked, "method": "big", "params": {"size": SLOW_BYTES}}))
            asked += 1
            for _ in range(10):
                await asyncio.sleep(0)
        for number in range(1000, 1100):
            writer.write(framed({"id": number, "method": "big", "params": {"size": SLOW_BYTES}}))
        for _ in range(1000):
            await asyncio.sleep(0)
        assert server._writer.transport.get_write_buffer_size() < (asked + 3) * SLOW_BYTES


@pytest.mark.parametrize(
    "bytes_sent",
    [
        struct.pack("!I", LARGEST_FRAME_BYTES + 1),
        struct.pack("!I", 3) + b"{]}",
        struct.pack("!I", 2) + b"[]",
        struct.pack("!I", 2) + b"{}",
        struct.pack("!I", 4) + b"\xff\xfe{}",
        struct.pack("!I", 60_000) + b"[" * 60_000,
        b"GET / HTTP/1.1\r\n\r\n",
    ],
    ids=["too long", "no JSON", "a list", "nothing", "no UTF-8", "too deep", "HTTP"],
)
async def test_what_is_malformed_ends_its_connection_alone(bytes_sent: bytes) -> None:
    async with pair() as (_, client), raw() as (broken, (reader, writer), serving):
        writer.write(bytes_sent)
        async with asyncio.timeout(30):
            assert await reader.read() == b""
            await serving
        assert broken.is_lost
        assert await client.request("echo", {"still": "here"}) == {"still": "here"}


def framed(message: object) -> bytes:
    content = json.dumps(message).encode()
    return struct.pack("!I", len(content)) + content
