"""The end of a run as one value: its outcome, the pipeline its exits speak of, what it printed."""

from __future__ import annotations

from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.words import Outcome, Status
from zsh_ls.tasks import Task

from .run import Run

PIECE_BYTES = 4096
SHORT_OUTPUT_BYTES = 64 * 1024


def completed_run(run: Run, session: str) -> CompletedRun:
    """The ended task as memory, rules and lines see it; its text and its output are read here, once.

    The text is not read where every status is 0 and the run stands on no line:
    nobody asks then which command they came from.
    """
    task = run.task
    killed = task.status is Status.KILLED
    outcome = outcome_of(task.exit, timed_out=task.status is Status.TIMEOUT, killed=killed)
    duration_s = task.elapsed_s
    if killed and run.kill_elapsed_s is not None:
        duration_s = run.kill_elapsed_s
    output_is_blank, output, output_end = False, None, ""
    with run.attempting("What it printed"):
        output_is_blank, output = _is_blank(task), short_output(task)
        if outcome is Outcome.FAILURE:
            output_end = _end_of_output(task)
    completed = CompletedRun(
        command=run.request.command,
        shell=task.request.shell,
        exit=task.exit,
        pipestatus=_pipestatus(task),
        outcome=outcome,
        duration_s=duration_s,
        started_at=task.started_at,
        session=session,
        cwd=task.request.cwd,
        origin=run.request.origin,
        output_is_blank=output_is_blank,
        output=output,
        output_end=output_end,
    )
    if run.mark is not None or (completed.ended_by_itself and any(completed.pipestatus)):
        with run.attempting("What its exit means"):
            return with_pipeline(completed)
    return completed


def _pipestatus(task: Task) -> tuple[int, ...]:
    """A script's segments are those of its own last pipeline, not of the command that runs it."""
    if task.request.script is None or task.exit is None:
        return task.pipestatus
    return (task.exit,)


def _end_of_output(task: Task) -> str:
    """The end of what a failed task printed, where a refused flag is named."""
    end = task.output.size_bytes
    return task.output.read(max(0, end - PIECE_BYTES), end).decode("utf-8", "replace")


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
        piece = task.output.read(position, position + PIECE_BYTES)
        if piece.strip() or not piece:  # what is not kept may have been anything
            return False
        position += len(piece)
    return True
