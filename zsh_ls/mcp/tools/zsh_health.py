"""`zsh_health`: whether everything works."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import with_short_names
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import Health

NAME = "zsh_health"
TITLE = "Health"
DESCRIPTION = (
    "Version, shells, the memory's state, running tasks, and whether an editor shares them."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = Health
# `zsh_tasks` and `zsh_neverhang_status` have them all.
SHOWN = 30
MOST_SHOWN = 500


@attrs.frozen
class Arguments:
    """Nothing."""


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Look at everything."""
    health = await call.sidecar.health()
    more = len(health.detached) - SHOWN
    circuits = with_short_names(health.circuit.open[:SHOWN], most=MOST_SHOWN)
    health = attrs.evolve(
        health,
        circuit=attrs.evolve(health.circuit, open=circuits),
        detached=with_short_names(health.detached[:SHOWN], most=MOST_SHOWN),
    )
    shells = ", ".join(f"{kind} {version}" for kind, version in health.shells.items())
    lines = [
        f"zsh-ls {health.version} is {health.status}; shells: {shells or 'none'}",
        f"memory: {health.database.status}, {health.database.observations} executions",
        health.database.problem,
        f"{health.active_tasks} running tasks, "
        + ("shared with the editor" if call.sidecar.is_joined else "no editor's server runs here"),
        *(f"detached: {it.task_id} {it.command}" for it in health.detached),
        f"… and {more} more detached; zsh_tasks has them" if more > 0 else None,
    ]
    return ToolAnswer("\n".join(filter(None, lines)), health)
