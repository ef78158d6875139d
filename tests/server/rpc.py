"""A client that sends raw JSON-RPC, also what no proper client sends."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 30.0
ROOT = Path(__file__).parents[2]
SERVE = [sys.executable, "-m", "zsh_ls", "serve"]
FAKE = [sys.executable, "-m", "tests.server.fake_server"]

Message = dict[str, Any]


class Peer:
    """A server process, and the messages from it that no test has asked for yet."""

    def __init__(
        self, command: Sequence[str] = tuple(SERVE), env: dict[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=ROOT,
            env={**os.environ, **(env or {})},
        )
        self.received: list[Message] = []
        self._buffer = bytearray()
        self._wanted: int | None = None
        self._last_id = 0

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view) :]

    def send(self, message: object) -> None:
        self.send_bytes(framed(message))

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None, **more: object) -> int:
        """Send a request without waiting for the response; returns its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self.send({**message, **more})
        return self._last_id

    def answer_to(self, msg_id: object, patience_s: float = PATIENCE_S) -> Message:
        return self.until(
            lambda it: it.get("id", self) == msg_id and "method" not in it, patience_s
        )

    def call(self, method: str, params: object = None) -> Any:
        """The result of a request."""
        answer = self.answer_to(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def refusal(self, method: str, params: object = None) -> Message:
        """The error of a request."""
        error: Message = self.answer_to(self.ask(method, params))["error"]
        return error

    def news(
        self,
        method: str,
        such_that: Callable[[Any], object] = lambda _: True,
        patience_s: float = PATIENCE_S,
    ) -> Any:
        """The params of the next notification or request of `method` from the server."""
        return self.until(
            lambda it: it.get("method") == method and such_that(it["params"]), patience_s
        )["params"]

    def until(self, wanted: Callable[[Message], object], patience_s: float = PATIENCE_S) -> Message:
        """Remove and return the first message that is wanted; later calls find the others."""
        for index, message in enumerate(self.received):
            if wanted(message):
                return self.received.pop(index)
        end = time.monotonic() + patience_s
        while (message := self.read(end - time.monotonic())) is not None:
            if wanted(message):
                return message
            self.received.append(message)
        raise TimeoutError(f"not said within {patience_s}s; received {self.received[-5:]}")

    def read(self, patience_s: float) -> Message | None:
        """The next message, None where none comes in time; raises EOFError at the server's end."""
        end = time.monotonic() + patience_s
        while (message := self._cut()) is None:
            left = end - time.monotonic()
            if left <= 0 or not self._fill(left):
                return None
        return message

    def initialize(self, capabilities: object = None, **more: object) -> Any:
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {}}
        result = self.call("initialize", {**params, **more})
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1, language: str = "shellscript") -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: object) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def leave(self) -> int:
        """Send `shutdown` and `exit`; returns the exit status."""
        self.answer_to(self.ask("shutdown"))
        self.notify("exit")
        return self.process.wait(PATIENCE_S)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def _fill(self, patience_s: float) -> bool:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        if not select.select([descriptor], [], [], patience_s)[0]:
            return False
        piece = os.read(descriptor, 1 << 20)
        if not piece:
            raise EOFError("the server has closed its end")
        self._buffer += piece
        return True

    def _cut(self) -> Message | None:
        if self._wanted is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return None
            header = bytes(self._buffer[:end])
            self._wanted = int(header.partition(b"Content-Length: ")[2].splitlines()[0])
            del self._buffer[: end + 4]
        if len(self._buffer) < self._wanted:
            return None
        content = bytes(self._buffer[: self._wanted])
        del self._buffer[: self._wanted]
        self._wanted = None
        return self._message(content)

    def _message(self, content: bytes) -> Message:
        message: Message = json.loads(content)
        return message


def framed(message: object) -> bytes:
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(content) + content


@contextmanager
def peer(
    command: Sequence[str] = tuple(SERVE), env: dict[str, str] | None = None
) -> Iterator[Peer]:
    found = Peer(command, env)
    try:
        yield found
    finally:
        found.end()


def position(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def range_of(start: tuple[int, int], end: tuple[int, int]) -> Message:
    return {"start": position(*start), "end": position(*end)}
