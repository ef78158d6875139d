"""What is running now."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.say import count, duration
from zsh_ls.model.results import TaskSummary


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """The tasks that run, or the one asked for."""
    tasks = [task for task in facts.running if _meant(task, reading)]
    what = f" of {code_span(reading.subjects[0])}" if reading.subjects else ""
    if not tasks:
        return Draft("deterministic", f"No task{what} is running.")
    verb = "is" if len(tasks) == 1 else "are"
    summary = f"{count(len(tasks), 'task')}{what} {verb} running."
    return Draft("deterministic", summary, tuple(map(_line, tasks)))


def _meant(task: TaskSummary, reading: QueryMatch) -> bool:
    return not reading.subjects or any(
        f"{task.command} ".startswith(f"{subject} ") for subject in reading.subjects
    )


def _line(task: TaskSummary) -> str:
    for_s = duration(task.elapsed_seconds)
    return f"- {code_span(task.command)} for {for_s}, task {code_span(task.task_id)}"


FAMILY = Family(
    name="running",
    source="the tasks of this sidecar",
    examples=("what is running", "is anything still running"),
    patterns=(
        pattern(
            "what|anything|tasks|still running|active", "tasks still anything active number on-here"
        ),
        pattern("now tasks", "still anything"),
        pattern("running|active tasks", "still anything running active number on-here"),
    ),
    answer=answer,
)
