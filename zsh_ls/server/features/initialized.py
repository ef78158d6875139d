"""`initialized`: the client listens now, so it can be asked for its settings."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.INITIALIZED


def handle(server: ShellLanguageServer, params: types.InitializedParams) -> None:
    """Tell it what it should know, and ask for its settings."""
    server.initialized()
