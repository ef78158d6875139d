"""Lines of history as text: for a list, and for JSON."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence

from zsh_ls.cli.one_line import one_line
from zsh_ls.model.recall import HistoryLine
from zsh_ls.model.words import Outcome
from zsh_ls.sidecar.history import History
from zsh_ls.sidecar.to_json import to_json

_AGES = ((86_400 * 365, "y"), (86_400, "d"), (3600, "h"), (60, "m"), (1, "s"))
FOLDER_WIDTH = 24


def print_lines(history: History, words: Sequence[str], limit: int, *, as_json: bool) -> int:
    """Print the newest lines that hold all words."""
    lines = history.newest(words, max(0, limit))
    if as_json:
        print(json.dumps([to_json(line.entry) for line in lines], ensure_ascii=False))
        return 0
    now = time.time()
    for line in lines:
        print(row(line, now))
    return 0


def row(line: HistoryLine, now: float) -> str:
    """Exit, duration, age, the folder and the whole line."""
    folder = folder_of(line)
    if len(folder) > FOLDER_WIDTH:
        folder = f"…{folder[-FOLDER_WIDTH + 1 :]}"
    return f"{exit_of(line):>4} {times_of(line, now)}  {folder:{FOLDER_WIDTH}}  {one_line(line.command)}"


def times_of(line: HistoryLine, now: float) -> str:
    """How long it took, and how long ago that was."""
    took = "" if line.duration_s is None else _span(line.duration_s)
    return f"{took:>6} {_age(now - line.at):>4}"


def exit_of(line: HistoryLine) -> str:
    """The exit status, or how it ended without one; `?` where that is not known."""
    if line.outcome is Outcome.TIMEOUT:
        return "time"
    if line.outcome is Outcome.KILLED:
        return "kill"
    return "?" if line.exit is None else str(line.exit)


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


def folder_of(line: HistoryLine) -> str:
    """The folder it ran in, on one line, with `~` for the home folder."""
    home, path = os.path.expanduser("~"), line.cwd
    if path == home or path.startswith(f"{home}/"):
        path = f"~{path[len(home) :]}"
    return one_line(path)
