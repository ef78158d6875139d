"""`zsh/uptime`: how long this server has run."""

from __future__ import annotations

import attrs

from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/uptime"


@attrs.frozen
class Uptime:
    """How long the server has run.

    Args:
        uptime_s: seconds since its sidecar was opened.
    """

    uptime_s: float


RESULT = Uptime


@attrs.frozen
class Params(RequestTokens):
    """Nothing."""


async def handle(server: ShellLanguageServer, params: Params) -> Uptime:
    """Ask the sidecar's clock."""
    return Uptime((await server.sidecar()).uptime_s())
