"""Opening the sidecar of a server, and sharing it with other processes of the user."""

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
    """The settings from environment variables, and what is wrong with them."""
    return from_environment(os.environ)


async def open_sidecar(client: Client, settings: Settings) -> SidecarInterface:
    """A new sidecar for this client; its session lasts as long as the server."""
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
    """Let other processes in the client's folders join `sidecar`; None if that is not possible."""
    if not client.folders:
        return None
    sharing = await asyncio.to_thread(_sharing)
    try:
        return await sharing.open(sidecar, client.folders, Places.of_this_user().runtime)
    except OSError as refused:
        log.warning("nobody can join this server: %s", refused)
        return None


def _sharing() -> type[Sharing]:
    """The class `Sharing`, imported here so that the import can run in a thread."""
    from zsh_ls.sidecar.remote.server import Sharing  # noqa: PLC0415

    return Sharing
