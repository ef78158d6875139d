"""`zsh-ls tasks`: the tasks of the workspace's server, of all its clients."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping

from zsh_ls.insights.formatting import seconds
from zsh_ls.model.errors import SidecarError

from .one_line import named_line
from .screen import console_of
from .servers import ENDED_ELSEWHERE, FAULT, NO_SERVER, join_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.measure import Measurement
    from rich.table import Table

WIDTH_OF_A_FILE = 1_000
LEAST_WIDTH = 12
UNITS = ("B", "KiB", "MiB", "GiB")


def print_tasks(arguments: argparse.Namespace) -> int:
    """Print the tasks, or that there is no server."""
    try:
        found, is_shared = _listed(include_ended=arguments.all)
    except SidecarError as fault:
        print(f"zsh-ls: {fault}", file=sys.stderr)
        return FAULT
    if not is_shared and not found["tasks"]:
        print(NO_SERVER, file=sys.stderr)
        if not arguments.all:
            print(ENDED_ELSEWHERE, file=sys.stderr)
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False))
    elif found["tasks"]:
        width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
        console_of(emoji=False, width=width).print(_table(found["tasks"]))
    elif is_shared:
        print("No task is running.")
    return 0


def _listed(*, include_ended: bool) -> tuple[Mapping[str, Any], bool]:
    """The list as JSON, and whether it is a server's."""
    server = join_here()
    if server is None:
        return _detached(include_ended=include_ended), False
    try:
        return server.call("tasks", include_ended=include_ended), True
    finally:
        server.close()


def _detached(*, include_ended: bool) -> Mapping[str, Any]:
    """Where no server runs there are detached runs at most, and those that have ended are in memory."""
    import asyncio

    from zsh_ls.sidecar.remote.failover import open_failover_client
    from zsh_ls.sidecar.to_json import to_json

    from .session import options_here

    async def listed() -> Mapping[str, Any]:
        async with open_failover_client(options_here()) as sidecar:
            found: Mapping[str, Any] = to_json(await sidecar.tasks(include_ended=include_ended))
            return found

    return asyncio.run(listed())


def size_of(number: int) -> str:
    """A human-readable size: `512 B`, `1.4 MiB`."""
    value, unit = float(number), UNITS[0]
    for unit in UNITS:
        if value < 1024 or unit == UNITS[-1]:
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == UNITS[0] else f"{value:.1f} {unit}"


def _table(tasks: Iterable[Mapping[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("task", "status", "exit", "for", "output", "by"):
        table.add_column(column, no_wrap=True)
    # The one column that gives way: an identifier cut to "1a0…" names no task.
    table.add_column("command", overflow="ellipsis")
    for task in tasks:
        table.add_row(
            task["task_id"],
            f"{task['status']}, detached" if task.get("detached") else task["status"],
            str(task.get("exit", "")),
            seconds(task["elapsed_seconds"]),
            size_of(task["output_bytes"]),
            task["origin"],
            _ShownCommand(_described(task)),
        )
    return table


class _ShownCommand:
    """A command in the room that its column has."""

    def __init__(self, command: str) -> None:
        self._command = command

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        shown = named_line(self._command, options.max_width)
        yield Text(shown, no_wrap=True, overflow="ellipsis")

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        width = min(len(named_line(self._command, WIDTH_OF_A_FILE)), options.max_width)
        return Measurement(min(width, LEAST_WIDTH), width)


def _described(task: Mapping[str, Any]) -> str:
    """The command, and as a comment of the shell what it is for, where that is known."""
    command: str = task["command"]
    return f"{command} # {task['description']}" if "description" in task else command
