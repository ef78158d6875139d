"""A server in the test's own process, without pipes: messages go in and out directly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.config import Settings

from .fake_server import open_fake, shells
from .rpc import Message

PATIENCE_S = 20.0


class Inside:
    """A client like `rpc.Peer`, with coroutines."""

    def __init__(self) -> None:
        self.server = ShellLanguageServer(open_fake, Settings(), shells)
        self.server.protocol.set_writer(self)
        self.received: list[Message] = []
        self._news = asyncio.Event()
        self._last_id = 10**9

    def send(self, message: object) -> None:
        self.server.protocol.receive(json.dumps(message).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        self._last_id += 1
        self.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        return self._last_id

    def answer(self, question: Message, **outcome: object) -> None:
        """Answer a request of the server's with `result` or `error`."""
        self.send({"jsonrpc": "2.0", "id": question["id"], **outcome})

    async def answer_to(self, msg_id: int) -> Message:
        return await self.until(lambda it: it.get("id") == msg_id and "method" not in it)

    async def call(self, method: str, params: object = None) -> Any:
        answer = await self.answer_to(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    async def refusal(self, method: str, params: object = None) -> Message:
        error: Message = (await self.answer_to(self.ask(method, params)))["error"]
        return error

    async def question(self, method: str) -> Message:
        """The next request of `method` from the server."""
        return await self.until(lambda it: it.get("method") == method and "id" in it)

    async def news(self, method: str, such_that: Any = lambda _: True) -> Any:
        found = await self.until(lambda it: it.get("method") == method and such_that(it["params"]))
        return found["params"]

    async def until(self, wanted: Any) -> Message:
        """Remove and return the first message that is wanted; later calls find the others."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for index, message in enumerate(self.received):
                    if wanted(message):
                        return self.received.pop(index)
                self._news.clear()
                await self._news.wait()

    async def initialize(self, capabilities: object = None, **more: object) -> Any:
        params = {"processId": None, "capabilities": capabilities or {}, **more}
        result = await self.call("initialize", params)
        self.notify("initialized", {})
        return result

    async def told(self, method: str) -> list[Any]:
        """The params of all notifications of `method` so far."""
        await self.call("zsh/health")
        return [it["params"] for it in self.received if it.get("method") == method]

    def write(self, data: bytes) -> None:
        """Take a message from the server, as pygls writes it."""
        header, _, content = data.partition(b"\r\n\r\n")
        assert header.splitlines()[0] == b"Content-Length: %d" % len(content)
        self.received.append(json.loads(content))
        self._news.set()

    def close(self) -> None:
        """Called by pygls when the client has sent `exit`."""
