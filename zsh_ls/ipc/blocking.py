"""A connection for a process that asks one thing after another: the standard library, and no event loop.

What speaks to a server for a moment (`zsh-ls tasks`, a hook of an agent) would take ten times as long to
load an event loop as to ask.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

from .address import connected
from .errors import ConnectionLost, error_of
from .framing import HEADER_BYTES, Malformed, framed, length_of, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .framing import Message

CHUNK_BYTES = 1024 * 1024


class BlockingConnection:
    """A connected socket; what is asked waits for its answer.

    While it waits, `on_notification` gets the notifications of the other end, and for each of the
    descriptors that are `watched` its function is called when that can be read.
    """

    def __init__(self, connected: socket.socket) -> None:
        self.on_notification: Callable[[str, Mapping[str, Any]], None] = lambda _, __: None
        self.watched: dict[int, Callable[[], None]] = {}
        self._socket = connected
        self._count = 0
        self._ignored: set[int] = set()
        self._answers: dict[int, Message] = {}

    def request(
        self, method: str, params: Mapping[str, Any], patience_s: float | None = None
    ) -> Any:
        """The result; raises the error of the other end, ConnectionLost, or TimeoutError."""
        self._socket.settimeout(patience_s)  # also for an end that stops within its answer
        number = self._send_request(method, params)
        while number not in self._answers:
            descriptors = [self._socket.fileno(), *self.watched]
            ready, _, _ = select.select(descriptors, [], [], patience_s)
            if not ready:
                raise TimeoutError
            for descriptor in ready:
                if descriptor in self.watched:
                    self.watched[descriptor]()
                else:
                    self._take(self._received())
        answer = self._answers.pop(number)
        if "error" in answer:
            raise error_of(str(answer["error"]["code"]), str(answer["error"]["message"]))
        return answer["result"]

    def post(self, method: str, params: Mapping[str, Any]) -> None:
        """Ask for something whose answer nobody waits for."""
        self._ignored.add(self._send_request(method, params))

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _send_request(self, method: str, params: Mapping[str, Any]) -> int:
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        return self._count

    def _send(self, message: Message) -> None:
        try:
            self._socket.sendall(framed(message))
        except ConnectionError:
            raise ConnectionLost from None

    def _take(self, message: Message) -> None:
        match message:
            case {"id": int(number)} if number in self._ignored:
                self._ignored.remove(number)
            case {"id": int(number), **answer} if "result" in answer or "error" in answer:
                self._answers[number] = answer
            case {"method": str(method), "params": dict(params)}:
                self.on_notification(method, params)

    def _received(self) -> Message:
        try:
            return parsed(self._read(length_of(self._read(HEADER_BYTES))))
        except (ConnectionError, Malformed):
            raise ConnectionLost from None

    def _read(self, size_bytes: int) -> bytes:
        pieces = bytearray()
        while len(pieces) < size_bytes:
            piece = self._socket.recv(min(size_bytes - len(pieces), CHUNK_BYTES))
            if not piece:
                raise ConnectionLost
            pieces += piece
        return bytes(pieces)


def dial_blocking(path: Path) -> BlockingConnection | None:
    """A connection to the socket at `path`; None if nobody listens, or another user does."""
    found = connected(path)
    return None if found is None else BlockingConnection(found)
