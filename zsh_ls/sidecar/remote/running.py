"""What runs here, for who has a sidecar of its own and asks the workspace's server for its tasks alone."""

from __future__ import annotations

from pathlib import Path

from zsh_ls.model.errors import SidecarError
from zsh_ls.model.reports import TaskList
from zsh_ls.sidecar.interface import SidecarInterface

from .client import join
from .neighbours import with_detached


async def running_here(own: SidecarInterface) -> TaskList:
    """The running tasks of the server for this folder, of its neighbours and of keepers, and one's own."""
    server = await join(own.options.places.runtime, Path.cwd())
    if server is not None:
        try:
            return await server.tasks()
        except SidecarError:
            pass  # it has just gone, and its tasks with it
        finally:
            await server.close()
    tasks = with_detached(own)
    try:
        return await tasks.tasks()
    finally:
        await tasks.close()
