"""What an ended task teaches: its execution, its insights, and memory's record of it."""

from __future__ import annotations

from zsh_ls.model.execution import Execution, outcome_of
from zsh_ls.model.words import Status
from zsh_ls.tasks import Task

from .watch import Run

ERROR_TAIL_BYTES = 4096
SHORT_OUTPUT_BYTES = 64 * 1024


def execution_of(watch: Run, session: str) -> Execution:
    """The ended task as memory and rules see it; a kill's duration is the time before the signal."""
    task = watch.task
    output_is_blank, output = False, None
    with watch.attempting("What it printed"):
        output_is_blank, output = _is_blank(task), short_output(task)
    killed = task.status is Status.KILLED
    duration_s = (
        watch.kill_elapsed_s if killed and watch.kill_elapsed_s is not None else task.elapsed_s
    )
    return Execution(
        command=watch.request.command,
        shell=task.request.shell,
        exit=task.exit,
        pipestatus=_pipestatus(task),
        outcome=outcome_of(task.exit, timed_out=task.status is Status.TIMEOUT, killed=killed),
        duration_s=duration_s,
        started_at=task.started_at,
        session=session,
        cwd=task.request.cwd,
        origin=watch.request.origin,
        output_is_blank=output_is_blank,
        output=output,
    )


def _pipestatus(task: Task) -> tuple[int, ...]:
    """A script's segments are those of its own last pipeline, not of the command that runs it."""
    if task.request.script is None or task.exit is None:
        return task.pipestatus
    return (task.exit,)


def error_text(task: Task) -> str:
    """The end of what a failed task printed, where a refused flag is named; never stored."""
    end = task.output.size_bytes
    return task.output.read(max(0, end - ERROR_TAIL_BYTES), end).decode("utf-8", "replace")


def short_output(task: Task) -> str | None:
    """All that the task printed, where that is little; None otherwise."""
    size_bytes = task.output.size_bytes
    if not size_bytes:
        return ""
    if size_bytes > SHORT_OUTPUT_BYTES:
        return None
    return task.output.read(0, size_bytes).decode("utf-8", "replace")


def _is_blank(task: Task) -> bool:
    size_bytes = task.output.size_bytes
    position = 0
    while position < size_bytes:
        piece = task.output.read(position, position + ERROR_TAIL_BYTES)
        if piece.strip() or not piece:  # what is not kept may have been anything
            return False
        position += len(piece)
    return True
