"""The MCP server between a client and a sidecar."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any, cast

import anyio
from mcp.server.stdio import stdio_server

from zsh_ls.sidecar import SidecarOptions
from zsh_ls.sidecar.config import Settings, workspace_of
from zsh_ls.sidecar.remote.failover import open_failover_client
from zsh_ls.system.exiting import leave_with

from .incoming import messages
from .opening import Opening
from .server import Agents


def serve(settings: Settings, *, colour: bool, shell: str | None, opening: Opening) -> int:
    """Serve one client until it ends; gives the exit status. `opening` is what has been said so far."""
    folder = Path.cwd()
    options = SidecarOptions(
        session=f"mcp-{os.getpid()}",
        workspace=workspace_of(folder),
        colour=colour,
        settings=settings,
    )
    asyncio.run(_serve(options, folder, shell, opening))
    return 0


async def _serve(
    options: SidecarOptions, folder: Path, shell: str | None, opening: Opening
) -> None:
    leave_with(sys.stdin.fileno())
    async with open_failover_client(options, folder) as sidecar:

        async def end() -> None:
            """Exit at once: a regular exit would wait for the thread that reads standard input."""
            await sidecar.close()
            os._exit(128 + signal.SIGTERM)

        ending: list[asyncio.Task[None]] = []
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, lambda: ending.append(asyncio.ensure_future(end()))
        )
        server = Agents(sidecar, shell).server()
        written = _Answers(opening, _kept_apart())
        stdin = messages(aiter(anyio.wrap_file(opening.reader())), written.write_whole)
        async with stdio_server(cast("Any", stdin), cast("Any", written)) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


def _kept_apart() -> io.TextIOWrapper:
    """Standard output for the protocol alone: whatever else is written to it goes to standard error."""
    wire = os.dup(1)
    os.dup2(2, 1)
    return io.TextIOWrapper(os.fdopen(wire, "wb", closefd=False), encoding="utf-8")


class _Answers:
    """Where messages to the client are written; what it has been told already is left out."""

    def __init__(self, opening: Opening, wire: io.TextIOWrapper) -> None:
        self._opening = opening
        self._wire = anyio.wrap_file(wire)
        self._one_at_a_time = anyio.Lock()

    async def write(self, line: str) -> None:
        """Write a line of the SDK's, which flushes it."""
        if not self._opening.is_answered(line):
            async with self._one_at_a_time:
                await self._wire.write(line)

    async def write_whole(self, line: str) -> None:
        """Write a line that is none of the SDK's."""
        async with self._one_at_a_time:
            await self._wire.write(line)
            await self._wire.flush()

    async def flush(self) -> None:
        await self._wire.flush()
