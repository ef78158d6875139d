"""What a client asks first, answered without the SDK: `initialize` or `server/discover`, and the tools.

Clients wait for these answers, which are known beforehand, before they begin; of those that discover (the
protocol of 2026-07-28) some wait so shortly that they fall back to the older handshake. The SDK is given the
first message, too, by which it knows the protocol, and what it answers is left out; a test holds its answers
to be the same as these.
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
# Those that begin with `initialize` and that this SDK speaks, and the one whose requests carry their version
# themselves; every other opening is left to it.
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
_FIELD = "io.modelcontextprotocol/"
SERVER = {"name": "zsh-ls", "title": "zsh-ls", "version": __version__}
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
        self._is_modern = False

    def answer(self) -> None:
        """Wait for the first message, and answer it where it is an opening that is known."""
        while b"\n" not in self._read and len(self._read) < LONGEST_BYTES:
            piece = os.read(self._incoming, PIECE_BYTES)
            if not piece:
                return
            self._read += piece
        answer = answer_to(self._read.partition(b"\n")[0])
        if answer is not None:
            self._write(answer)
            self.answered = answer["id"]
            self._is_modern = "supportedVersions" in answer["result"]

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
                listed = listed_tools(self._read[looked_at:end], modern=self._is_modern)
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
    """The answer to a known opening; None for whatever is for the SDK to answer."""
    try:
        message = json.loads(line)
        asked, params = message["id"], message["params"]
        if message["jsonrpc"] != "2.0" or type(asked) not in (int, str):
            return None
        if message["method"] == "server/discover" and is_modern(params):
            return _answer(asked, _modern({**_about(), "supportedVersions": [MODERN]}))
        client, capabilities = params["clientInfo"], params["capabilities"]
        is_whole = _is_named(client) and isinstance(capabilities, dict)
        if message["method"] != "initialize" or not is_whole:
            return None
        version = params["protocolVersion"]
        if version not in VERSIONS:
            return None
    except UNREADABLE:
        return None
    return _answer(asked, {"protocolVersion": version, "serverInfo": SERVER, **_about()})


def listed_tools(line: bytes, *, modern: bool) -> dict[str, Any] | None:
    """The answer to a `tools/list` from its beginning; None for whatever is for the SDK to answer."""
    try:
        message = json.loads(line)
        is_known = message["method"] == "tools/list" and message["jsonrpc"] == "2.0"
        asked, params = message["id"], message.get("params", {})
        is_from_the_first = params.keys() <= {"_meta"} and isinstance(params.get("_meta", {}), dict)
        is_of_its_time = is_modern(params) if modern else not _names_a_version(params)
        if not (is_known and is_from_the_first and is_of_its_time and type(asked) in (int, str)):
            return None
        result = json.loads(LISTED_TOOLS.read_text(encoding="utf-8"))
    except UNREADABLE:
        return None
    return _answer(asked, _modern(result) if modern else result)


def is_modern(params: Any) -> bool:
    """Whether a request carries a version that needs no handshake, as that version has it."""
    about = params.get("_meta", {})
    client = about.get(f"{_FIELD}clientInfo", SERVER)
    is_whole = isinstance(about.get(f"{_FIELD}clientCapabilities"), dict) and _is_named(client)
    return is_whole and about.get(f"{_FIELD}protocolVersion") == MODERN


def _names_a_version(params: Any) -> bool:
    return any(name.startswith(_FIELD) for name in params.get("_meta", {}))


def _is_named(client: Any) -> bool:
    return all(isinstance(client[it], str) for it in ("name", "version"))


def _about() -> dict[str, Any]:
    return {"capabilities": {"tools": {"listChanged": False}}, "instructions": INSTRUCTIONS}


def _modern(result: dict[str, Any]) -> dict[str, Any]:
    cached = {"cacheScope": "private", "resultType": "complete", "ttlMs": 0}
    return {**result, **cached, "_meta": {f"{_FIELD}serverInfo": SERVER}}


def _answer(asked: int | str, result: dict[str, Any]) -> dict[str, Any]:
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
