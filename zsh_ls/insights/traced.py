"""Hints and insights from a traced run for the lines of a script (DOC-3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.context import Context, StatusCheck
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import TracedLine
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level, Outcome

from . import after_run
from .formatting import seconds
from .segments import with_pipeline

RULE = "traced-failure"
MASKED = "masked-pipe-failure"
ERREXIT_ENDED = Insight(Level.WARNING, "errexit ended the script here", "errexit-ended")


def hint(line: TracedLine) -> str:
    """`✓ 1.2s`, `✗ 1 · 40ms · 12×`: status of the last execution, total time, number of executions."""
    ended = "✓" if line.exit == 0 else f"✗ {line.exit} ·"
    times = f" · {line.count}×" if line.count > 1 else ""
    return f"{ended} {duration(line.total_ms)}{times}"


def without_normal(insights: Iterable[Insight]) -> list[Insight]:
    """Without those that say that an exit is nothing to mind, and without the mere fact of a failure."""
    return [it for it in insights if it.level is not Level.INFO and it.rule != RULE]


def result_hint(run: CompletedRun, insights: Sequence[Insight]) -> str:
    """`✓ 0.2s`, `✗ 2 · 0.1s`, `✗ killed · 12.0s`: how a run of a line ended, and its time.

    By what `insights` say a normal exit is `○ 1 · 0.1s` and a hidden failure `! 0.2s`, as in lists of tasks.
    """
    took = seconds(run.duration_s)
    match run.outcome:
        case Outcome.KILLED:
            return f"✗ killed · {took}"
        case Outcome.TIMEOUT:
            return f"✗ timeout · {took}"
    warnings = [it for it in insights if it.level is Level.WARNING]
    if not run.exit:
        return f"! {took}" if any(it.rule == MASKED for it in warnings) else f"✓ {took}"
    is_normal = not warnings and any(it.message.endswith("(normal)") for it in insights)
    return f"{'○' if is_normal else '✗'} {run.exit} · {took}"


def duration(milliseconds: float) -> str:
    """`40ms` below a second, else `1.2s`."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f}ms"
    return f"{milliseconds / 1000:.1f}s"


def insights_of(
    line: TracedLine, text: str, dialect: Dialect, context: Context | None
) -> list[Insight]:
    """The insights about the exit statuses of the list `text`; spans are of `text`.

    If no rule about runs has any, a failure is reported, as info if the script itself
    checks the status.
    """
    run = CompletedRun(
        command=text,
        shell=dialect.value,
        exit=line.exit,
        pipestatus=line.pipestatus,
        outcome=outcome_of(line.exit),
        duration_s=line.max_ms / 1000,
        started_at=0.0,
        session="",
    )
    found = [insight for insight in after_run(with_pipeline(run)) if insight.rule != "no-output"]
    if found or line.exit == 0:
        return found
    is_looked_at = context is not None and context.checked is not StatusCheck.NONE
    level = Level.INFO if is_looked_at else Level.WARNING
    return [Insight(level, f"exited {line.exit} in the traced run", RULE)]
