"""Whether a server runs for this folder: found out without loading what speaks to one."""

from __future__ import annotations

from pathlib import Path

from zsh_ls.ipc import servers_around
from zsh_ls.sidecar.config import Places

NO_SERVER = (
    "zsh-ls: no server runs for this folder, so there are no tasks to share.\n"
    "An editor with zsh-ls starts one."
)


def may_have_server() -> bool:
    """Whether there is a socket to try; its server may have died."""
    return bool(servers_around(Places.of_this_user().runtime, Path.cwd()))
