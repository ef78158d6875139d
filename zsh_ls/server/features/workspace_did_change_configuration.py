"""`workspace/didChangeConfiguration`: settings have changed; they are requested, or taken from the params."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.client import SECTION, dig
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


def handle(server: ShellLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Request or apply the new settings."""
    pushed = dig(params.settings, SECTION)
    if server.client.gives_configuration:
        server.settings_requests.renew()
    elif pushed is not None:
        server.settings_came(pushed)
