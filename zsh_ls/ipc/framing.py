"""Framing of messages: a length of four bytes, then a JSON object; anything else closes the connection."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

# The longest text of a result is 4 MiB; escaped as JSON it can be six times as long.
LARGEST_FRAME_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct("!I")

Message = dict[str, Any]


class Malformed(ValueError):
    """The received bytes are not a valid message."""


def framed(message: Message) -> bytes:
    """`message` as bytes; lone surrogates are escaped."""
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(content)) + content


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """The next message, or None at the end. Raises Malformed."""
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        if length > LARGEST_FRAME_BYTES:
            raise Malformed(f"a message of {length} bytes; at most {LARGEST_FRAME_BYTES} are taken")
        return _parsed(await reader.readexactly(length))
    except asyncio.IncompleteReadError as cut:
        if cut.partial:
            raise Malformed("the connection ended inside a message") from None
        return None


def _parsed(content: bytes) -> Message:
    try:
        message = json.loads(content)
    except (ValueError, RecursionError) as wrong:
        raise Malformed(f"no JSON: {wrong}") from None
    if type(message) is not dict:
        raise Malformed("no JSON object")
    return message
