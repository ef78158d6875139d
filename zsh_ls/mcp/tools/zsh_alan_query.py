"""`zsh_alan_query`: what memory knows of one command."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import clipped, with_short_names
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import CommandStats

NAME = "zsh_alan_query"
TITLE = "What is known of a command"
DESCRIPTION = (
    "How often a command ran, how it went, how long it takes (median, p90), its last runs."
)
READ_ONLY, DESTRUCTIVE = True, False
SHOWN_RUNS = 10
RESULT = CommandStats


@attrs.frozen
class Arguments:
    """Which command.

    command: its text
    """

    command: str


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Look it up."""
    stats = await call.sidecar.command_stats(arguments.command)
    stats = attrs.evolve(
        stats,
        command_template=clipped(stats.command_template),
        recent=with_short_names(stats.recent[:SHOWN_RUNS]),
    )
    durations = stats.durations
    if not stats.known:
        lines = [f"{stats.command_template}: not known, never run here"]
    else:
        figures = (
            f"{stats.command_template}: {stats.runs} runs, {stats.success_rate:.0%} succeeded,"
            f" {stats.timeout_rate:.0%} timed out, {stats.kill_rate:.0%} killed;"
            f" streak {stats.streak:+d}"
        )
        lines = [figures]
        if durations.median_s is not None and durations.p90_s is not None:
            lines.append(
                f"median {durations.median_s:.1f}s, p90 {durations.p90_s:.1f}s"
                f" of {durations.samples} runs"
            )
        lines += [
            f"{run.outcome or '?'} {run.duration_s:.1f}s {run.command}" for run in stats.recent
        ]
    return ToolAnswer("\n".join(lines), stats)
