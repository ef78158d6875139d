"""`zsh_alan_stats`: the memory of executions as a whole."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import with_short_names
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import MemoryStats

NAME = "zsh_alan_stats"
TITLE = "What is remembered"
DESCRIPTION = "How many executions are remembered, how they ended, and what runs most."
READ_ONLY, DESTRUCTIVE = True, False
RESULT = MemoryStats


@attrs.frozen
class Arguments:
    """Nothing."""


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Look it up."""
    stats = await call.sidecar.memory_stats()
    patterns = with_short_names(stats.hot_patterns, "command_template")
    stats = attrs.evolve(stats, hot_patterns=patterns)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in stats.outcomes.items())
    lines = [f"{stats.observations} executions of {stats.templates} templates: {outcomes}"]
    lines += [
        f"{hot.command_template}: {hot.runs} runs, {hot.success_rate:.0%} succeeded"
        for hot in stats.hot_patterns
    ]
    return ToolAnswer("\n".join(lines), stats)
