"""What a client asks first, answered without the SDK: `initialize`, and which tools there are.

Clients wait for both answers, which are known beforehand, before they begin. The SDK is given the
`initialize`, too, and what it answers is left out; a test holds its answers to be the same as these.
"""

from __future__ import annotations

import io
import json
import os
import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError)
# The result of `tools/list`, as `python -m tools.docs docs` writes it.
LISTED_TOOLS = Path(__file__).with_name("listed_tools.json")


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
            self._write(answer)
            self.answered = answer["id"]

    @contextmanager
    def listing(self) -> Iterator[None]:
        """Within the context a `tools/list` is answered as it comes; all else waits for the SDK."""
        if self.answered is None:
            yield
            return
        is_over, over = os.pipe()
        reader = threading.Thread(target=self._read_on, args=(is_over,), daemon=True)
        reader.start()
        try:
            yield
        finally:
            os.close(over)
            reader.join()
            os.close(is_over)

    def _read_on(self, is_over: int) -> None:
        looked_at = self._read.index(b"\n") + 1
        waits = select.poll()
        waits.register(self._incoming, select.POLLIN)
        waits.register(is_over, select.POLLIN)
        while len(self._read) < LONGEST_BYTES:
            while (end := self._read.find(b"\n", looked_at) + 1) > 0:
                listed = listed_tools(self._read[looked_at:end])
                if listed is None:
                    looked_at = end
                else:
                    self._read = self._read[:looked_at] + self._read[end:]
                    self._write(listed)
            if is_over in dict(waits.poll()):
                return
            piece = os.read(self._incoming, PIECE_BYTES)
            if not piece:
                return
            self._read += piece

    def _write(self, answer: dict[str, Any]) -> None:
        left = memoryview(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        while left:
            left = left[os.write(self._outgoing, left) :]

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
    except UNREADABLE:
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


def listed_tools(line: bytes) -> dict[str, Any] | None:
    """The answer to a `tools/list` from its beginning; None for whatever is for the SDK to answer."""
    try:
        message = json.loads(line)
        is_known = message["method"] == "tools/list" and message["jsonrpc"] == "2.0"
        asked, params = message["id"], message.get("params", {})
        is_from_the_first = params.keys() <= {"_meta"} and isinstance(params.get("_meta", {}), dict)
        if not (is_known and is_from_the_first and type(asked) in (int, str)):
            return None
        result = json.loads(LISTED_TOOLS.read_text(encoding="utf-8"))
    except UNREADABLE:
        return None
    return {"jsonrpc": "2.0", "id": asked, "result": result}


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
