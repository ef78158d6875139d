"""A line of history as one row of the screen, by the columns that its characters take there."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from zsh_ls.cli.one_line import one_line
from zsh_ls.model.recall import HistoryLine

from .listing import FOLDER_WIDTH, exit_of, folder_of, times_of

# A line has this much room before its folder is given any, and in a narrow terminal before its times are.
LINE_WIDTH, NARROW_LINE_WIDTH = 40, 20
SHORTEST_FOLDER = 8


def screen_row(line: HistoryLine, now: float, width: int) -> str:
    """Exit, duration, age, the line, and at the right edge of `width` columns the folder.

    The folder has what the line leaves, at most `FOLDER_WIDTH`; where there is no room for both, the line
    comes first.
    """
    exit_status, times = f"{exit_of(line):>4} ", f"{times_of(line, now)}  "
    command, folder = one_line(line.command), folder_of(line)
    is_narrow = width < len(exit_status + times) + NARROW_LINE_WIDTH
    head = exit_status if is_narrow else exit_status + times
    room = max(1, width - len(head))
    for_line = max(min(cell_len(command), LINE_WIDTH), room - FOLDER_WIDTH - 2)
    for_folder = min(room - for_line - 2, FOLDER_WIDTH)
    if for_folder < min(cell_len(folder), SHORTEST_FOLDER):
        return head + _cut(command, room)
    shown = folder if cell_len(folder) <= for_folder else _end_of(folder, for_folder)
    return f"{head}{set_cell_size(_cut(command, for_line), room - cell_len(shown))}{shown}"


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def _end_of(text: str, width: int) -> str:
    return f"…{set_cell_size(text[::-1], width - 1)[::-1]}"
