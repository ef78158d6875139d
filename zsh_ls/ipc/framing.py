"""Messages as bytes: a length of four bytes, then one JSON object. What breaks that ends its connection."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

# The longest text of an answer is 4 MiB; escaped as JSON it can be six times as long.
LARGEST_FRAME_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct("!I")

Message = dict[str, Any]


class Malformed(ValueError):
    """What came is no message of ours."""


def framed(message: Message) -> bytes:
    """`message` on its way out; lone surrogates travel as escapes."""
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(content)) + content


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """The next message, None at the end; raises Malformed."""
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
