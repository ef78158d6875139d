"""`zsh_neverhang_status`: circuits of commands that timed out too often."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import Said, ToolCall
from zsh_ls.model.results import CircuitList

from .circuits import lines

NAME = "zsh_neverhang_status"
TITLE = "Blocked commands"
DESCRIPTION = (
    "Commands that timed out three times within an hour and are refused for a while, one by one."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = CircuitList


@attrs.frozen
class Arguments:
    """Nothing."""


async def answer(call: ToolCall, arguments: Arguments) -> Said:
    """List them."""
    circuits = await call.sidecar.circuit()
    return Said(lines(circuits), circuits)
