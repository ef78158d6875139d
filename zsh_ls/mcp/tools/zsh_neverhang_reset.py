"""`zsh_neverhang_reset`: circuits of commands that timed out too often."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import CircuitList

from .zsh_neverhang_status import told

NAME = "zsh_neverhang_reset"
TITLE = "Unblock a command"
DESCRIPTION = "Let a command that repeated timeouts had refused run again; without command, all."
READ_ONLY, DESTRUCTIVE = False, False
RESULT = CircuitList


@attrs.frozen
class Arguments:
    """What to unblock.

    command: its text; without it, all
    """

    command: str | None = None


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Reset it, and list what stays."""
    return told(await call.sidecar.circuit("reset", arguments.command))
