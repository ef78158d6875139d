"""An MCP server in a home of its own, and two clients: the SDK's, and one that sends raw lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "zsh_ls", "mcp"]


def environment(home: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **home, "PYTHONPATH": str(ROOT)}


@asynccontextmanager
async def session(
    home: Mapping[str, str], folder: Path, *arguments: str
) -> AsyncIterator[ClientSession]:
    """A client of the SDK, initialized."""
    started = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *arguments], env=environment(home), cwd=str(folder)
    )
    async with (
        stdio_client(started) as (reading, writing),
        ClientSession(reading, writing) as found,
    ):
        await found.initialize()
        yield found


async def text_of(found: ClientSession, tool: str, **arguments: object) -> str:
    """The text of a tool's answer; fails if the answer is an error."""
    answer = await found.call_tool(tool, arguments)
    text: str = answer.content[0].text  # type: ignore[union-attr]
    assert not answer.is_error, text
    return text


class ByHand:
    """A client that sends any line and reads lines of JSON."""

    def __init__(self, home: Mapping[str, str], folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(home),
            cwd=folder,
            text=True,
        )

    def send(self, message: object) -> None:
        assert self.process.stdin is not None
        text = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def answer_to(self, number: int) -> dict[str, Any]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message
        raise AssertionError("the server has closed without an answer")

    def ask(self, number: int, method: str, params: object = None) -> dict[str, Any]:
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        return self.answer_to(number)

    def call(self, number: int, tool: str, **arguments: object) -> dict[str, Any]:
        result: dict[str, Any] = self.ask(
            number, "tools/call", {"name": tool, "arguments": arguments}
        )["result"]
        return result


@contextmanager
def by_hand(home: Mapping[str, str], folder: Path, *arguments: str) -> Iterator[ByHand]:
    found = ByHand(home, folder, *arguments)
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "0"},
    }
    assert "result" in found.ask(0, "initialize", hello)
    found.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()
