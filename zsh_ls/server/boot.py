"""The answer to `initialize`, with the standard library only: the editor does not wait for our imports.

Only the ordinary case is handled here: a complete `initialize` request as the
first message. Anything else is passed on to the server unread.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from zsh_ls.lazy.typing import NamedTuple

from .capabilities import initialize_result
from .client import Client

LONGEST_HEADER_BYTES = 4096
PIECE_BYTES = 64 * 1024

_HEADER = re.compile(rb"\s*content-length: *(\d{1,7})\r\n\r\n", re.IGNORECASE)


class Wire(NamedTuple):
    """The descriptors of the client's pipes, moved out of reach of a stray `print` or a child process."""

    incoming: int
    outgoing: int


class InitialHandshake(NamedTuple):
    """The bytes that are left to handle, and the client if its `initialize` has been answered.

    `published` are the params of the diagnostics that have been sent already, if any.
    """

    received: bytes = b""
    client: Client | None = None
    published: dict[str, Any] | None = None


def take_wire() -> Wire:
    """Move the client's pipes away from descriptors 0 and 1; anything printed goes to stderr."""
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed as well
        os.dup2(nothing, 1)
    os.close(nothing)
    return wire


def begin(wire: Wire, shells: Callable[[Client], dict[str, str]]) -> InitialHandshake:
    """Answer an `initialize` request, if that comes first; `shells` gives the versions of shells."""
    received = b""
    while (request := _first_request(received)) is None and _may_be_initialize(received):
        piece = os.read(wire.incoming, PIECE_BYTES)
        if not piece:
            return InitialHandshake(received)
        received += piece
    if not request:
        return InitialHandshake(received)
    client = Client.of(request["params"])
    result = initialize_result(client, shells(client))
    send(wire, {"jsonrpc": "2.0", "id": request["id"], "result": result})
    return InitialHandshake(received[_end_of_first(received) :], client)


def send(wire: Wire, message: dict[str, Any]) -> None:
    """Send a message, as far as the client reads it."""
    content = json.dumps(message, separators=(",", ":")).encode()
    data = b"Content-Length: %d\r\n\r\n%b" % (len(content), content)
    while data:
        try:
            data = data[os.write(wire.outgoing, data) :]
        except BlockingIOError:
            continue
        except BrokenPipeError:
            break


def messages_in(received: bytes) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The whole messages that `received` begins with, each with its header and as an object.

    It ends before what is incomplete or no object.
    """
    while (end := _end_of_first(received)) is not None and len(received) >= end:
        whole, received = received[:end], received[end:]
        try:
            message = json.loads(whole.lstrip().partition(b"\r\n\r\n")[2])
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict):
            return
        yield whole, message


def _end_of_first(received: bytes) -> int | None:
    """Where the first message ends; None while its header is incomplete, or if it is none."""
    header = _HEADER.match(received)
    return None if header is None else header.end() + int(header[1])


def _first_request(received: bytes) -> dict[str, Any] | None:
    """The first message if it is a valid `initialize`, {} if it is not, None if it is incomplete."""
    end = _end_of_first(received)
    if end is None or len(received) < end:
        return None
    _, message = next(messages_in(received), (b"", {}))
    is_initialize = (
        message.get("jsonrpc") == "2.0"
        and message.get("method") == "initialize"
        and type(message.get("id")) in (int, str)
        and isinstance(message.get("params"), dict)
        and isinstance(message["params"].get("capabilities"), dict)
    )
    return message if is_initialize else {}


def _may_be_initialize(received: bytes) -> bool:
    """Whether `received` can be the beginning of an `initialize` request."""
    if _end_of_first(received) is not None:
        return True
    return len(received) < LONGEST_HEADER_BYTES and b"\r\n\r\n" not in received.lstrip()
