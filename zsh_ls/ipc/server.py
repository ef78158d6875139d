"""The listening sockets of a server: one per workspace, for this user only, removed at the end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from zsh_ls.system.private_folders import make_private

from .address import (
    KEEPER_SUFFIX,
    SUFFIX,
    UNBORN,
    abandoned,
    is_of_this_user,
    prefix_of,
    socket_folders,
    sockets,
)
from .connection import Connection

WAITING_CONNECTIONS = 100
Welcome = Callable[[Connection], None]

log = logging.getLogger(__name__)


class Listener:
    """Sockets that listen, from `open` to `close`."""

    def __init__(self) -> None:
        self._servers: list[asyncio.Server] = []
        self._paths: list[Path] = []
        self._connections: dict[Connection, asyncio.Task[None]] = {}

    @property
    def paths(self) -> tuple[Path, ...]:
        """The sockets it listens at."""
        return tuple(self._paths)

    async def open(
        self,
        runtime: Path,
        workspaces: Iterable[Path],
        welcome: Welcome,
        *,
        suffix: str = SUFFIX,
    ) -> None:
        """Listen for each workspace, if any; `welcome` gets each connection before anything is read from it.

        Sockets of dead servers are removed. If `runtime` is another user's, or another user could
        replace it, another folder is used. Raises OSError, and then does not listen at all.
        """
        workspaces = tuple(workspaces)
        if not workspaces:
            return
        folder = _folder(runtime)
        remove_stale(folder)
        try:
            for workspace in workspaces:
                await self._listen(folder, prefix_of(workspace), welcome, suffix)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Remove the sockets and end all connections."""
        for path in self._paths:
            path.unlink(missing_ok=True)
        for server in self._servers:
            server.close()
        serving = list(self._connections.values())
        for connection in list(self._connections):
            connection.close()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _listen(self, folder: Path, prefix: str, welcome: Welcome, suffix: str) -> None:
        unborn = folder / f"{prefix}{secrets.token_hex(6)}{UNBORN}"
        listening = _listening(unborn)
        server = await asyncio.start_unix_server(partial(self._connected, welcome), sock=listening)
        path = unborn.with_suffix(suffix)
        # Rename it only now that it listens: others remove a socket with that name that does not.
        unborn.rename(path)
        self._servers.append(server)
        self._paths.append(path)

    async def _connected(
        self, welcome: Welcome, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if not is_of_this_user(writer.get_extra_info("socket")):
            log.warning("another user was turned away")
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            return
        connection = Connection(reader, writer, paces=True)
        serving = asyncio.current_task()
        assert serving is not None
        self._connections[connection] = serving
        welcome(connection)
        try:
            await connection.serve()
        finally:
            del self._connections[connection]


def _folder(runtime: Path) -> Path:
    """The first folder for sockets that is or can be made private."""
    refused: OSError | None = None
    for folder in socket_folders(runtime):
        try:
            make_private(folder)
        except OSError as others:
            log.warning("no sockets in %s: %s", folder, others)
            refused = others
        else:
            return folder
    raise refused or FileNotFoundError(f"the path of {runtime} is too long for a socket")


def _listening(path: Path) -> socket.socket:
    """A socket that listens at `path`, for this user only."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
        os.chmod(path, 0o600)
        listening.listen(WAITING_CONNECTIONS)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def remove_stale(folder: Path) -> None:
    """Remove the sockets in `folder` on which no process listens."""
    for path in (*sockets([folder]), *sockets([folder], KEEPER_SUFFIX), *abandoned(folder)):
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
            probe.setblocking(False)
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)
            except OSError as busy:
                log.info("%s: %s", path, busy)
