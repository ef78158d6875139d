"""How a server gets its sidecar, and offers it to the other processes of its user."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from typing import TYPE_CHECKING

from zsh_ls.sidecar.config import Places, Settings, SidecarOptions, from_environment
from zsh_ls.sidecar.interface import SidecarInterface

from .client import Client

if TYPE_CHECKING:
    from zsh_ls.sidecar.remote.server import Sharing

log = logging.getLogger(__name__)


def settings_of_this_process() -> tuple[Settings, list[str]]:
    """The settings that environment variables give, and what is wrong with any."""
    return from_environment(os.environ)


async def open_sidecar(client: Client, settings: Settings) -> SidecarInterface:
    """A sidecar of its own for this client; a session is the life of one server."""
    from zsh_ls.sidecar.service import Sidecar  # noqa: PLC0415  while the client is answered

    options = SidecarOptions(
        session=f"lsp-{secrets.token_hex(8)}",
        workspace=client.workspace,
        folders=client.folders,
        colour=client.wants_colour,
        settings=settings,
    )
    return await Sidecar.open(options)


async def share(sidecar: SidecarInterface, client: Client) -> Sharing | None:
    """Let who works in the client's folders join `sidecar`; None where that cannot be had."""
    if not client.folders:
        return None
    sharing = await asyncio.to_thread(_sharing)
    try:
        return await sharing.open(sidecar, client.folders, Places.of_this_user().runtime)
    except OSError as refused:
        log.warning("nobody can join this server: %s", refused)
        return None


def _sharing() -> type[Sharing]:
    """Imported in a thread, when the client has been answered: nobody waits for it."""
    from zsh_ls.sidecar.remote.server import Sharing  # noqa: PLC0415

    return Sharing
