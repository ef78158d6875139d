"""Connecting to the servers of this user."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path

from .address import is_of_this_user
from .connection import Connection

log = logging.getLogger(__name__)


async def dial(path: Path) -> Connection | None:
    """A connection to the socket at `path`; None if nobody listens, or another user does."""
    connected = _connected(path)
    if connected is None:
        return None
    reader, writer = await asyncio.open_unix_connection(sock=connected)
    return Connection(reader, writer)


def _connected(path: Path) -> socket.socket | None:
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connected.setblocking(False)
    try:
        connected.connect(str(path))
    except OSError as refused:
        log.info("%s: %s", path, refused)
        connected.close()
        return None
    if not is_of_this_user(connected):
        log.warning("%s belongs to another user", path)
        connected.close()
        return None
    return connected
