"""LSP framing without I/O: bytes in, message contents out, with recovery after invalid input.

A peer may write header names in any case, end lines with LF alone, or send
garbage. Nothing here raises or blocks, or keeps more than `LARGEST_MESSAGE_BYTES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024
LONGEST_HEADER_BYTES = 4096

_ORDINARY = re.compile(rb"Content-Length: (\d{1,7})\r\n\r\n")
_NAME = b"content-length"
_START = re.compile(rb"content-length[ \t]*:", re.IGNORECASE)
_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?(?:\n|$)", re.IGNORECASE)


@attrs.frozen
class Content:
    """The content of one message."""

    content: bytes


@attrs.frozen
class Damage:
    """Bytes that are not a message, and why."""

    reason: str


Frame = Content | Damage


def framed(content: bytes) -> bytes:
    """`content` after its LSP header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(content), content)


def framed_pieces(pieces: Sequence[bytes]) -> bytes:
    """The joined `pieces` after their LSP header; they are copied only once."""
    header = b"Content-Length: %d\r\n\r\n" % sum(map(len, pieces))
    return b"".join((header, *pieces))


class FrameReader:
    """Splits a stream into messages.

    After a header without a valid length, or content that the receiver rejects, it
    continues at the next bytes that look like a header.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._wanted: int | None = None
        self._lost = False

    def feed(self, received: bytes) -> Iterator[Frame]:
        """The messages that `received` completes."""
        self._buffer += received
        while (frame := self._next()) is not None:
            yield frame

    def reject(self, content: bytes) -> None:
        """Take back content that is not JSON: due to a wrong length it may contain the next header."""
        start = _START.search(content)
        at = start.start() if start else len(content) - _prefix_at_end(content)
        self._buffer[:0] = content[at:]
        self._lost = True

    def _next(self) -> Frame | None:
        if self._wanted is None:
            damage = self._header()
            if damage is not None or self._wanted is None:
                return damage
        if len(self._buffer) < self._wanted:
            return None
        content = bytes(self._buffer[: self._wanted])
        del self._buffer[: self._wanted]
        self._wanted = None
        return Content(content)

    def _header(self) -> Damage | None:
        """Remove the next header, or bytes that cannot be one, from the buffer."""
        if ordinary := _ORDINARY.match(self._buffer):
            self._wanted, self._lost = int(ordinary[1]), False
            del self._buffer[: ordinary.end()]
            return None
        if garbage := self._skip_garbage():
            return garbage
        end = _END.search(self._buffer)
        if end is None:
            if len(self._buffer) <= LONGEST_HEADER_BYTES:
                return None
            return self._give_up(len(_NAME), "expected an empty line after the header")
        header = bytes(self._buffer[: end.end()])
        length = _LENGTH.search(header)
        if length is None:
            return self._give_up(len(_NAME), "expected a number of bytes as Content-Length")
        if int(length[1]) > LARGEST_MESSAGE_BYTES:
            return self._give_up(
                end.end(),
                f"a message of {int(length[1])} bytes is over the limit of {LARGEST_MESSAGE_BYTES}",
            )
        del self._buffer[: end.end()]
        self._wanted, self._lost = int(length[1]), False
        return None

    def _skip_garbage(self) -> Damage | None:
        """Drop what precedes the next Content-Length, which may be another header."""
        start = _START.search(self._buffer)
        if start is None:
            return self._without_start()
        before = bytes(self._buffer[: start.start()])
        del self._buffer[: start.start()]
        if self._lost or _is_header_lines(before):
            return None
        return Damage("expected a Content-Length header")

    def _without_start(self) -> Damage | None:
        complete = _END.search(self._buffer)
        if complete is None and len(self._buffer) <= LONGEST_HEADER_BYTES and not self._lost:
            return None
        kept = _prefix_at_end(self._buffer)
        silent = self._lost or len(self._buffer) == kept
        del self._buffer[: len(self._buffer) - kept]
        self._lost = True
        return None if silent else Damage("expected a Content-Length header")

    def _give_up(self, size: int, reason: str) -> Damage:
        del self._buffer[:size]
        self._lost = True
        return Damage(reason)


def _is_header_lines(before: bytes) -> bool:
    """Whether `before` consists of complete header lines, such as Content-Type, and empty lines."""
    if not before.strip():
        return True
    lines = before.splitlines()
    return before.endswith(b"\n") and all(
        re.fullmatch(rb"[A-Za-z-]+[ \t]*:.*", line) for line in lines if line
    )


def _prefix_at_end(content: bytes | bytearray) -> int:
    """The number of bytes at the end that may begin the name of the header."""
    tail = bytes(content[-len(_NAME) :]).lower()
    return next((n for n in range(len(tail), 0, -1) if _NAME.startswith(tail[-n:])), 0)
