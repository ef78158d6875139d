"""`initialized`: the client can receive requests now, such as that for its settings."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.INITIALIZED


def handle(server: ShellLanguageServer, params: types.InitializedParams) -> None:
    """Show problems of the start, and request the settings."""
    server.initialized()
