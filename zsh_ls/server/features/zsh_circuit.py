"""`zsh/circuit`: the commands NEVERHANG holds back, and how to let them through again."""

from __future__ import annotations

from typing import Literal

import attrs

from zsh_ls.model.reports import CircuitList
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.config import THIS_PROJECT

METHOD = "zsh/circuit"
RESULT = CircuitList


@attrs.frozen
class Params(RequestTokens):
    """What to do.

    action: `status` lists the circuits, `reset` closes them first.
    command: the one whose circuit to reset; without it, all.
    project: a folder, or null for everywhere; without it, the workspace's project.
    """

    action: Literal["status", "reset"] = "status"
    command: str | None = None
    project: str | None = THIS_PROJECT


async def handle(server: ShellLanguageServer, params: Params) -> CircuitList:
    """List or reset them."""
    sidecar = await server.sidecar()
    return await sidecar.circuit(params.action, params.command, params.project)
