"""Finding the server of a folder's workspace, and connecting to it if it is this user's."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path

from .address import is_private, socket_folder, sockets_around
from .connection import Connection
from .credentials import is_of_this_user

log = logging.getLogger(__name__)


async def dial(runtime: Path, place: Path) -> Connection | None:
    """A connection to the newest server of the nearest workspace around `place`; None without one."""
    folder = socket_folder(runtime)
    if not is_private(folder):
        return None
    for path in sockets_around(folder, place):
        connected = _connected(path)
        if connected is not None:
            reader, writer = await asyncio.open_unix_connection(sock=connected)
            return Connection(reader, writer)
    return None


def _connected(path: Path) -> socket.socket | None:
    """A connection to the socket at `path`; None where nobody listens, or another user does."""
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connected.setblocking(False)
    try:
        connected.connect(str(path))
    except OSError as refused:
        log.info("link: %s: %s", path, refused)
        connected.close()
        return None
    if not is_of_this_user(connected):
        log.warning("link: %s belongs to another user", path)
        connected.close()
        return None
    return connected
