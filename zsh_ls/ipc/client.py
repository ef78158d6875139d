"""Finding the servers of a workspace, and connecting to those of this user."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterable
from pathlib import Path

from .address import (
    is_of_this_user,
    is_private,
    prefix_of,
    socket_folders,
    sockets,
    sockets_around,
)
from .connection import Connection

log = logging.getLogger(__name__)


def servers_around(runtime: Path, place: Path) -> list[Path]:
    """The sockets of the workspaces that contain `place`, the innermost first, of each the newest first."""
    return list(sockets_around(filter(is_private, socket_folders(runtime)), place))


def servers_of(runtime: Path, workspaces: Iterable[Path]) -> list[Path]:
    """The sockets of exactly these workspaces, the newest first."""
    prefixes = tuple(map(prefix_of, workspaces))
    known = sockets(filter(is_private, socket_folders(runtime)))
    return [path for path in known if path.name.startswith(prefixes)]


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
