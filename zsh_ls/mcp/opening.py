"""The first message of a client, answered without the SDK: what `initialize` is told is known beforehand.

The SDK is given the message, too, and what it answers is left out; a test holds both answers to be the same.
"""

from __future__ import annotations

import io
import json
import os

from zsh_ls import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INSTRUCTIONS = (
    "zsh-ls runs commands, remembers how they went and says what their exits meant. Run with zsh; "
    "what takes longer is waited for with zsh_poll until=end, not by repeated polls. Exit statuses "
    "behind pipes are in pipestatus. Test failure output is never truncated; everything that was "
    "ever printed is in zsh_output. Before a script that destroys or publishes, rehearse it with "
    "zsh_rehearse: it says line by line what would happen, in a sandbox."
)
# Those that begin with `initialize` and that this SDK speaks; every other opening is left to it.
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LONGEST_BYTES = 1 << 20
PIECE_BYTES = 1 << 16


class Opening:
    """What has been read of standard input, and whether its first message has its answer."""

    def __init__(self, incoming: int = 0, outgoing: int = 1) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._read = b""
        self.answered: object = None
        """The id of the message that has its answer; None where none has."""

    def answer(self) -> None:
        """Wait for the first message, and answer it where it is an `initialize` that is known."""
        while b"\n" not in self._read and len(self._read) < LONGEST_BYTES:
            piece = os.read(self._incoming, PIECE_BYTES)
            if not piece:
                return
            self._read += piece
        answer = answer_to(self._read.partition(b"\n")[0])
        if answer is not None:
            left = memoryview(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
            while left:
                left = left[os.write(self._outgoing, left) :]
            self.answered = answer["id"]

    def reader(self) -> io.TextIOWrapper:
        """Standard input from its beginning."""
        raw = _Ahead(self._read, self._incoming)
        return io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8", errors="replace")

    def is_answered(self, line: str) -> bool:
        """Whether a line is the answer that its client has; of each opening that is one line."""
        if self.answered is None:
            return False
        message = json.loads(line)
        if message.get("id") != self.answered or "method" in message:
            return False
        self.answered = None
        return True


def answer_to(line: bytes) -> dict[str, Any] | None:
    """The answer to an `initialize`; None for whatever is for the SDK to answer."""
    try:
        message = json.loads(line)
        asked, version = message["id"], message["params"]["protocolVersion"]
        is_known = message["method"] == "initialize" and message["jsonrpc"] == "2.0"
        client, capabilities = message["params"]["clientInfo"], message["params"]["capabilities"]
        is_whole = isinstance(capabilities, dict) and all(
            isinstance(client[it], str) for it in ("name", "version")
        )
    except (ValueError, KeyError, TypeError):
        return None
    if not (is_known and is_whole and version in VERSIONS and type(asked) in (int, str)):
        return None
    return {
        "jsonrpc": "2.0",
        "id": asked,
        "result": {
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "zsh-ls", "title": "zsh-ls", "version": __version__},
            "instructions": INSTRUCTIONS,
        },
    }


class _Ahead(io.RawIOBase):
    """A descriptor of which some has been read already."""

    def __init__(self, read: bytes, descriptor: int) -> None:
        self._read = read
        self._descriptor = descriptor

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._read[: len(buffer)] or os.read(self._descriptor, len(buffer))
        self._read = self._read[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)
