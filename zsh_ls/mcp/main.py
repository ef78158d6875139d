"""Starting the MCP server: `zsh-ls mcp`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from zsh_ls.sidecar import SidecarOptions
from zsh_ls.sidecar.config import changed, workspace_of
from zsh_ls.sidecar.config_file import personal_settings
from zsh_ls.sidecar.remote.failover import open_failover_client
from zsh_ls.system.exiting import leave_with
from zsh_ls.system.installation import adding
from zsh_ls.tasks.supervision.supervisor import supervise

MISSING = "zsh-ls mcp: the MCP SDK is not installed; this installs it: {command}"


def main(*, colour: bool, shell: str | None = None) -> int:
    """Speak MCP on standard input and output until it ends; gives the exit status.

    The server runs in a child process; the process that was started stays as its supervisor.
    """
    supervise()
    try:
        from .server import Agents  # noqa: PLC0415  the SDK is an extra
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        print(MISSING.format(command=adding("mcp")), file=sys.stderr)  # noqa: T201
        return 1
    personal = personal_settings(os.environ)
    for problem in personal.problems:
        print(f"zsh-ls mcp: {problem}", file=sys.stderr)  # noqa: T201
    settings = personal.settings
    if shell is not None:
        settings, wrong = changed(settings, {"shell": shell})
        if wrong:
            problem = wrong[0].removeprefix("shell: ").partition(";")[0]
            print(f"zsh-ls mcp: --shell: {problem}", file=sys.stderr)  # noqa: T201
            return 2
    folder = Path.cwd()
    options = SidecarOptions(
        session=f"mcp-{os.getpid()}",
        workspace=workspace_of(folder),
        colour=colour,
        settings=settings,
    )
    asyncio.run(_serve(Agents, options, folder, shell))
    return 0


async def _serve(agents: type, options: SidecarOptions, folder: Path, shell: str | None) -> None:
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

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
        server = agents(sidecar, shell).server()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
