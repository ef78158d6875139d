"""What the task viewer shows, as styled text: rows of the list, the heading and output of one task."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from zsh_ls.answers.render import to_screen
from zsh_ls.cli.one_line import named_line, one_line, printable
from zsh_ls.insights.formatting import percent, seconds, whole_seconds
from zsh_ls.insights.suggestions import told_to_people
from zsh_ls.model.answer import Answer
from zsh_ls.model.results import OutputPage
from zsh_ls.model.words import Level, Status

from .board import Board, TaskRow

LIST_KEYS = "↑↓ select   enter output   w why   i type   k stop   q quit"
OUTPUT_KEYS = "↑↓ page up/down scroll   end follow   w why   i type   k stop   q back"
ANSWER_KEYS = "↑↓ page up/down scroll   q back"
BAR_CELLS = 20
MOST_ON_A_ROW = 120
INDENT = " " * 12
TINTS = {
    Status.RUNNING: "cyan",
    Status.COMPLETED: "green",
    Status.TIMEOUT: "yellow",
    Status.KILLED: "red",
    Status.ERROR: "red",
}


def title(board: Board, workspace: str) -> Text:
    """The title of the list: how many tasks run, and where."""
    running = sum(row.gone_at is None for row in board.rows.values())
    return Text.assemble(
        ("zsh-ls tasks", "bold"), f"  {running} running  ", (one_line(workspace), "dim")
    )


def heading(row: TaskRow) -> Text:
    """The title of the output of a task."""
    return Text.assemble(*_facts(row), "  ", (named_line(row.task.command, MOST_ON_A_ROW), "bold"))


def answer(given: Answer) -> Text:
    """An answer as the full-screen view shows it (ANS-5), nothing of which the terminal obeys."""
    drawn = Text.from_ansi(to_screen(given))
    if drawn.plain.replace("\n", "").isprintable():
        return drawn
    return Text("\n".join(map(printable, given.text.split("\n"))))


def foot(prompt: str, message: str, keys: str) -> Text:
    """The last line: a `prompt`, else a `message`, else the `keys` of what is shown."""
    if prompt:
        return Text(printable(prompt), "reverse")
    if message:
        return Text(one_line(message), "yellow")
    return Text(keys, "dim")


def task_list(board: Board) -> tuple[Text, int, int]:
    """All rows as text, the first line of the selected one (from 0) and how many it has."""
    if not board.rows:
        return Text.assemble("\n", ("Nothing runs.", "dim")), 0, 2
    lines: list[Text] = []
    selected = (0, 0)
    for row in board.rows.values():
        is_selected = row.task.task_id == board.selected
        of_task = list(_lines(row, is_selected=is_selected))
        if is_selected:
            selected = (len(lines), len(of_task))
        lines += of_task
    return Text("\n").join(lines), *selected


def output(page: OutputPage) -> Text:
    """A page of output, nothing of which the terminal obeys."""
    return Text("\n".join(map(printable, page.output.removesuffix("\n").split("\n"))))


def _lines(row: TaskRow, *, is_selected: bool) -> Iterator[Text]:
    mark = Text("▸ " if is_selected else "  ", "bold")
    command = (named_line(row.task.command, MOST_ON_A_ROW), "bold" if is_selected else "")
    yield Text.assemble(mark, *_facts(row), "  ", command)
    if task_description := row.task.description:
        yield Text.assemble(INDENT, one_line(task_description))
    if row.last_line:
        yield Text.assemble(INDENT, (row.last_line, "dim"))
    if said := told_to_people(row.meta):
        yield Text.assemble(INDENT, (one_line(said), "yellow"))
    for level, style in ((Level.WARNING, "yellow"), (Level.INFO, "dim")):
        for message in row.insights.get(level.value, ()):
            yield Text.assemble(INDENT, (one_line(message), style))


def _facts(row: TaskRow) -> Iterator[tuple[str, str]]:
    task = row.task
    yield task.task_id, "dim"
    yield f"  {task.origin.value:<8}", ""
    yield f"{seconds(task.elapsed_seconds):>8}  ", ""
    if task.status is not Status.RUNNING:
        failed = task.status is Status.COMPLETED and bool(task.exit)
        word = "failed" if failed else task.status.value
        exit_status = "" if task.exit is None else f" {task.exit}"
        yield word + exit_status, "red" if failed else TINTS[task.status]
    elif row.meta is not None and row.meta.alan_estimate is not None:
        estimate = row.meta.alan_estimate
        full = round(BAR_CELLS * estimate.completion_probability)
        yield "━" * full, "cyan"
        yield "─" * (BAR_CELLS - full), "dim"
        usual = whole_seconds(estimate.median_duration_s)
        yield f" {percent(estimate.completion_probability):>4}  usually ~{usual}", ""
    else:
        yield "running", TINTS[Status.RUNNING]
