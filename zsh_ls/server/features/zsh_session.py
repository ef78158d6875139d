"""`zsh/session`: the named sessions, what one holds, and how to begin anew."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import SessionList
from zsh_ls.model.requests import SessionAction
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/session"
RESULT = SessionList


@attrs.frozen
class Params(RequestTokens):
    """What to do.

    action: `list` lists the sessions, `show` tells what one holds, `reset` forgets one, or all.
    session: its name, a document's is its URI; `show` needs it.
    """

    action: SessionAction = "list"
    session: str | None = None


async def handle(server: ShellLanguageServer, params: Params) -> SessionList:
    """List them, show one or reset them."""
    sidecar = await server.sidecar()
    return await sidecar.sessions(params.action, params.session)
