"""Renders the state of the task viewer as lines: the list of tasks, or the output of one."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence

import attrs
from rich.console import Console
from rich.text import Text

from zsh_ls.cli.one_line import one_line, printable
from zsh_ls.insights.numbers import percent, seconds, whole_seconds
from zsh_ls.model.results import OutputPage, PollMeta
from zsh_ls.model.words import Level, Status

from .board import Board, TaskRow

LIST_KEYS = "↑↓ select   enter output   i type   k stop   q quit"
OUTPUT_KEYS = "↑↓ page up/down scroll   end follow   i type   k stop   q back"
BAR_CELLS = 20
INDENT = " " * 12
TINTS = {
    Status.RUNNING: "cyan",
    Status.COMPLETED: "green",
    Status.TIMEOUT: "yellow",
    Status.KILLED: "red",
    Status.ERROR: "red",
}


@attrs.frozen
class Looking:
    """What the screen shows besides the tasks: a `prompt`, else a `message`.

    With a `page`, the output of the selected task is shown instead of the list.
    """

    prompt: str = ""
    message: str = ""
    page: OutputPage | None = None


def frame(board: Board, looking: Looking, title: str, size: tuple[int, int]) -> list[str]:
    """The lines of the screen, at most `size` (columns, rows)."""
    columns, rows = size
    room = max(0, rows - 2)
    if looking.page is not None and board.current is not None:
        head, body = _of_task(board.current), list(_output(looking.page))[:room]
        keys = OUTPUT_KEYS
    else:
        head, body = _title(board, title), _in_sight(board, room)
        keys = LIST_KEYS
    blank = [Text()] * (room - len(body))
    return _painted([head, *body, *blank, _foot(looking, keys)], columns)[:rows]


def rows_for_output(size: tuple[int, int]) -> int:
    """The number of lines of output that fit on the screen."""
    return max(1, size[1] - 2)


def _title(board: Board, title: str) -> Text:
    running = sum(row.gone_at is None for row in board.rows.values())
    return Text.assemble(
        ("zsh-ls tasks", "bold"), f"  {running} running  ", (one_line(title), "dim")
    )


def _of_task(row: TaskRow) -> Text:
    return Text.assemble(*_facts(row), "  ", (one_line(row.task.command), "bold"))


def _foot(looking: Looking, keys: str) -> Text:
    if looking.prompt:
        return Text(printable(looking.prompt), "reverse")
    return Text(one_line(looking.message), "yellow") if looking.message else Text(keys, "dim")


def _in_sight(board: Board, room: int) -> list[Text]:
    """The lines of all rows, scrolled so that all of the selected one is visible, if it fits."""
    lines: list[Text] = []
    end = room
    for row in board.rows.values():
        lines += _lines(row, is_selected=row.task.task_id == board.selected)
        if row.task.task_id == board.selected:
            end = max(room, len(lines))
    if not lines:
        return [Text(), Text("Nothing runs.", "dim")][:room]
    return lines[end - room : end]


def _lines(row: TaskRow, *, is_selected: bool) -> Iterator[Text]:
    mark = Text("▸ " if is_selected else "  ", "bold")
    command = (one_line(row.task.command), "bold" if is_selected else "")
    yield Text.assemble(mark, *_facts(row), "  ", command)
    if row.last_line:
        yield Text.assemble(INDENT, (row.last_line, "dim"))
    for text, style in _advice(row):
        yield Text.assemble(INDENT, (text, style))


def _facts(row: TaskRow) -> Iterator[tuple[str, str]]:
    task = row.task
    yield task.task_id, "dim"
    yield f"  {task.origin.value:<8}", ""
    yield f"{seconds(task.elapsed_seconds):>8}  ", ""
    if task.status is not Status.RUNNING:
        tint = "red" if task.status is Status.COMPLETED and task.exit else TINTS[task.status]
        yield _outcome(row), tint
    elif row.meta is not None and row.meta.alan_estimate is not None:
        yield from _bar(row.meta)
    else:
        yield "running", TINTS[Status.RUNNING]


def _outcome(row: TaskRow) -> str:
    task = row.task
    failed = task.status is Status.COMPLETED and task.exit
    word = "failed" if failed else task.status.value
    return word if task.exit is None else f"{word} {task.exit}"


def _bar(meta: PollMeta) -> Iterator[tuple[str, str]]:
    assert meta.alan_estimate is not None
    probability = meta.alan_estimate.completion_probability
    full = round(BAR_CELLS * probability)
    yield "━" * full, "cyan"
    yield "─" * (BAR_CELLS - full), "dim"
    usual = whole_seconds(meta.alan_estimate.median_duration_s)
    yield f" {percent(probability):>4}  usually ~{usual}", ""


def _advice(row: TaskRow) -> Iterator[tuple[str, str]]:
    if row.meta is not None and row.meta.suggestion:
        yield one_line(row.meta.suggestion), "yellow"
    for level, style in ((Level.WARNING, "yellow"), (Level.INFO, "dim")):
        for message in row.insights.get(level.value, ()):
            yield one_line(message), style


def _output(page: OutputPage) -> Iterator[Text]:
    for line in page.output.removesuffix("\n").split("\n") if page.output else ():
        yield Text(printable(line))


def _painted(lines: Sequence[Text], columns: int) -> list[str]:
    """Each line with its control sequences, cut to the width."""
    console = Console(
        file=io.StringIO(),
        width=max(1, columns),
        force_terminal=True,
        color_system="standard",
        no_color="NO_COLOR" in os.environ,
        legacy_windows=False,
    )
    return [_one(console, line) for line in lines]


def _one(console: Console, line: Text) -> str:
    with console.capture() as captured:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True, end="", highlight=False)
    return captured.get()
