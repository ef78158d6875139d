"""`zsh_neverhang_status`: circuits of commands that timed out too often."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import with_short_names
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import CircuitList

NAME = "zsh_neverhang_status"
TITLE = "Blocked commands"
DESCRIPTION = (
    "Commands that timed out three times within an hour and are refused for a while, one by one."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = CircuitList
SHOWN = 20


@attrs.frozen
class Arguments:
    """Nothing."""


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """List them."""
    return told(await call.sidecar.circuit())


def told(circuits: CircuitList) -> ToolAnswer:
    """One line for each circuit that is not closed, as many as there is room for."""
    shown = attrs.evolve(circuits, open=with_short_names(circuits.open[:SHOWN]))
    lines = [
        f"{it.state} after {it.timeouts} timeouts, next try in {it.retry_in_s:.0f}s: {it.command}"
        for it in shown.open
    ]
    if more := len(circuits.open) - len(shown.open):
        lines.append(f"… and {more} more")
    return ToolAnswer("\n".join(lines) or "No command is blocked.", shown)
