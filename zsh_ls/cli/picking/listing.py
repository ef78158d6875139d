"""Lines of history as text: for a list, for JSON, and for one row of the screen."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from zsh_ls.cli.one_line import one_line
from zsh_ls.model.recall import HistoryLine
from zsh_ls.model.words import Outcome
from zsh_ls.sidecar.history import History

_AGES = ((86_400 * 365, "y"), (86_400, "d"), (3600, "h"), (60, "m"), (1, "s"))
FOLDER_WIDTH = 24


def print_lines(history: History, words: Sequence[str], limit: int, *, as_json: bool) -> int:
    """Print the newest lines that hold all words."""
    lines = history.newest(words, max(0, limit))
    if as_json:
        print(json.dumps([_as_json(line) for line in lines], ensure_ascii=False))
        return 0
    now = time.time()
    for line in lines:
        print(row(line, now, 0))
    return 0


def row(line: HistoryLine, now: float, width: int) -> str:
    """Exit, duration, age, the line, and at the right edge of `width` columns the folder.

    Without a width the folder stands before the line, which is whole.
    """
    took = "" if line.duration_s is None else _span(line.duration_s)
    head = f"{exit_of(line):>4} {took:>6} {_age(now - line.at):>4}  "
    command, folder = one_line(line.command), _folder(line.cwd)
    if not width:
        return f"{head}{folder:{FOLDER_WIDTH}}  {command}"
    room = max(10, width - len(head) - FOLDER_WIDTH - 2)
    if len(command) > room:
        command = f"{command[: room - 1]}…"
    return f"{head}{command:{room}}  {folder:>{FOLDER_WIDTH}}"


def exit_of(line: HistoryLine) -> str:
    """The exit status, or how it ended without one; `?` where that is not known."""
    if line.outcome is Outcome.TIMEOUT:
        return "time"
    if line.outcome is Outcome.KILLED:
        return "kill"
    return "?" if line.exit is None else str(line.exit)


def _as_json(line: HistoryLine) -> dict[str, object]:
    cut_short = line.outcome in (Outcome.TIMEOUT, Outcome.KILLED)
    return {
        "command": line.command,
        "exit": None if cut_short else line.exit,
        "outcome": None if line.outcome is None else line.outcome.value,
        "duration_s": line.duration_s,
        "at": datetime.fromtimestamp(line.at, UTC).isoformat(),
        "cwd": line.cwd or None,
        "origin": line.origin.value,
    }


def _span(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes = round(seconds / 60)
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}m"


def _age(seconds: float) -> str:
    for size, unit in _AGES:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"


def _folder(path: str) -> str:
    home = os.path.expanduser("~")
    if path == home or path.startswith(f"{home}/"):
        path = f"~{path[len(home) :]}"
    path = one_line(path)
    return path if len(path) <= FOLDER_WIDTH else f"…{path[-FOLDER_WIDTH + 1 :]}"
