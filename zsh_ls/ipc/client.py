"""Connecting to the servers of this user."""

from __future__ import annotations

import asyncio
from pathlib import Path

from .address import connected
from .connection import Connection


async def dial(path: Path) -> Connection | None:
    """A connection to the socket at `path`; None if nobody listens, or another user does."""
    found = connected(path)
    if found is None:
        return None
    reader, writer = await asyncio.open_unix_connection(sock=found)
    return Connection(reader, writer)
