"""How a server gets its sidecar: opened on this machine's rooms, for the client's workspace."""

from __future__ import annotations

import os
import secrets

from zsh_ls.sidecar.interface import SidecarInterface
from zsh_ls.sidecar.options import Settings, SidecarOptions, from_environment

from .client import Client


def settings_of_this_process() -> tuple[Settings, list[str]]:
    """The settings that environment variables give, and what is wrong with any."""
    return from_environment(os.environ)


async def open_sidecar(client: Client, settings: Settings) -> SidecarInterface:
    """A sidecar of its own for this client; a session is the life of one server."""
    from zsh_ls.sidecar.sidecar import Sidecar  # noqa: PLC0415  while the client is answered

    options = SidecarOptions(
        session=f"lsp-{secrets.token_hex(8)}",
        workspace=client.workspace,
        colour=client.wants_colour,
        settings=settings,
    )
    return await Sidecar.open(options)
