"""`zsh-ls tasks`: the tasks of the workspace's server, of all its clients."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.table import Table

from zsh_ls.insights.formatting import seconds
from zsh_ls.model.results import TaskList, TaskSummary
from zsh_ls.sidecar.remote.client import join
from zsh_ls.sidecar.to_json import to_json

from .one_line import one_line
from .screen import console_of
from .servers import NO_SERVER
from .session import options_here

WIDTH_OF_A_FILE = 1_000
UNITS = ("B", "KiB", "MiB", "GiB")


async def print_tasks(arguments: argparse.Namespace) -> int:
    """Print the tasks, or that there is no server."""
    server = await join(options_here().places.runtime, Path.cwd())
    if server is None:
        print(NO_SERVER, file=sys.stderr)
        found = TaskList((), 0)
    else:
        found = await server.tasks(include_ended=arguments.all)
        await server.close()
    if arguments.json:
        print(json.dumps(to_json(found), ensure_ascii=False))
    elif server is not None:
        width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
        console = console_of(emoji=False, width=width)
        console.print(_table(found.tasks) if found.tasks else "No task is running.")
    return 0


def size_of(number: int) -> str:
    """A human-readable size: `512 B`, `1.4 MiB`."""
    value, unit = float(number), UNITS[0]
    for unit in UNITS:
        if value < 1024 or unit == UNITS[-1]:
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == UNITS[0] else f"{value:.1f} {unit}"


def _table(tasks: Iterable[TaskSummary]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("task", "status", "exit", "for", "output", "by"):
        table.add_column(column, no_wrap=True)
    table.add_column("command", no_wrap=True, overflow="ellipsis")
    for task in tasks:
        table.add_row(
            task.task_id,
            task.status.value,
            "" if task.exit is None else str(task.exit),
            seconds(task.elapsed_seconds),
            size_of(task.output_bytes),
            task.origin.value,
            one_line(task.command if task.description is None else _described(task)),
        )
    return table


def _described(task: TaskSummary) -> str:
    """The command, and as a comment of the shell what it is for."""
    return f"{task.command} # {task.description}"
