"""Typing into a task and giving its terminal a size; refused where there is nothing to type into."""

from __future__ import annotations

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import SendRequest
from zsh_ls.model.results import Resized, Sent
from zsh_ls.tasks import Task

from .launch import LARGEST_TERMINAL


async def send_input(task: Task, request: SendRequest) -> Sent:
    """Send text, a new line unless told otherwise, and an end of file if asked."""
    _check_running(task)
    if not task.has_stdin:
        raise RequestRejected(
            f"Task {task.task_id} has no standard input: run it with `pty` or `interactive` to type into it."
        )
    text = request.input + (
        "\n" if request.newline and not (request.eof and not request.input) else ""
    )
    await task.send(text.encode("utf-8", "surrogateescape"), eof=request.eof)
    return Sent(True, f"Sent {len(text)} characters{' and end of file' if request.eof else ''}")


def resize(task: Task, cols: int, rows: int) -> Resized:
    """Give the task's terminal a new size."""
    for name, value in (("cols", cols), ("rows", rows)):
        if not 1 <= value <= LARGEST_TERMINAL:
            raise InvalidRequest(f"{name}: expected 1 to {LARGEST_TERMINAL}, got {value}")
    _check_running(task)
    if not task.is_pty:
        raise RequestRejected(f"Task {task.task_id} has no terminal: run it with `pty`.")
    task.resize(cols, rows)
    return Resized(True)


def _check_running(task: Task) -> None:
    if task.ended:
        raise RequestRejected(f"Task {task.task_id} has already ended.")
