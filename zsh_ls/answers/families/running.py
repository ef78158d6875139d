"""What is running now."""

from __future__ import annotations

from zsh_ls.answers.family import DID_I, Draft, Facts, Family, Reply
from zsh_ls.answers.formatting import count, duration
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern

MOST_NAMED = 3


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The tasks that run, or the one asked for."""
    tasks = [
        task
        for task in facts.running
        if not match.subjects
        or any(f"{task.command} ".startswith(f"{subject} ") for subject in match.subjects)
    ]
    what = f" of {code_span(match.subjects[0])}" if match.subjects else ""
    if not tasks:
        return Draft("deterministic", f"No task{what} is running.")
    verb = "is" if len(tasks) == 1 else "are"
    shown = ", ".join(code_span(task.command) for task in tasks[:MOST_NAMED])
    more = f" and {count(len(tasks) - MOST_NAMED, 'other')}" if len(tasks) > MOST_NAMED else ""
    summary = f"{count(len(tasks), 'task')}{what} {verb} running: {shown}{more}."
    lines = (
        f"- {code_span(task.command)} for {duration(task.elapsed_seconds)},"
        f" task {code_span(task.task_id)}"
        for task in tasks
    )
    return Draft("deterministic", summary, tuple(lines))


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
    unless=DID_I,
)
