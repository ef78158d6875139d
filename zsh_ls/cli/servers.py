"""The server that runs for this folder: found out and asked without loading an event loop."""

from __future__ import annotations

from pathlib import Path

from zsh_ls.ipc import keepers, servers_around
from zsh_ls.system.private_folders import sockets_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.sidecar.remote.thin import ThinClient

FAULT = 125  # as timeout(1) and env(1): zsh-ls itself failed, not the command
NO_SERVER = (
    "zsh-ls: no server runs for this folder, so there are no tasks to share.\n"
    "An editor with zsh-ls starts one; `zsh-ls run --detach` needs none."
)
ENDED_ELSEWHERE = "What has ended: `zsh-ls tasks --all`."


def may_have_server() -> bool:
    """Whether there is a socket to try; its server may have died."""
    return bool(servers_around(Path(sockets_folder()), Path.cwd()))


def may_have_detached() -> bool:
    """Whether there is the socket of a detached run, of any folder; it may have ended."""
    return bool(keepers(Path(sockets_folder())))


def join_here(*, only_news: bool = False) -> ThinClient | None:
    """The server for this folder; None where there is none."""
    from zsh_ls.sidecar.remote.thin import join

    return join(Path(sockets_folder()), Path.cwd(), only_news=only_news)
