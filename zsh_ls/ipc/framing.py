"""Framing of messages: a length of four bytes, then a JSON object; anything else closes the connection."""

from __future__ import annotations

import json
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]

# The longest text of a result is 4 MiB; escaped as JSON it can be six times as long.
LARGEST_FRAME_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct("!I")
HEADER_BYTES = _LENGTH.size


class Malformed(ValueError):
    """The received bytes are not a valid message."""


def framed(message: Message) -> bytes:
    """`message` as bytes; lone surrogates are escaped."""
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(content)) + content


def length_of(header: bytes) -> int:
    """The number of bytes that follow a header of HEADER_BYTES. Raises Malformed."""
    (length,) = _LENGTH.unpack(header)
    if length > LARGEST_FRAME_BYTES:
        raise Malformed(f"a message of {length} bytes; at most {LARGEST_FRAME_BYTES} are taken")
    return int(length)


def parsed(content: bytes) -> Message:
    """The message that a frame holds. Raises Malformed."""
    try:
        message = json.loads(content)
    except (ValueError, RecursionError) as wrong:
        raise Malformed(f"no JSON: {wrong}") from None
    if type(message) is not dict:
        raise Malformed("no JSON object")
    return message
