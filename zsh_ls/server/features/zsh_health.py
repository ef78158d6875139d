"""`zsh/health`: whether everything works, and what does not."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import Health
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/health"
RESULT = Health


@attrs.frozen
class Params(RequestTokens):
    """Nothing."""


async def handle(server: ShellLanguageServer, params: Params) -> Health:
    """Look at everything."""
    return await (await server.tasks()).health()
