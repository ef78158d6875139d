"""The right amount of output: render → operation → outcome → view → clip.

`resolve(recorded)` is a pure function: the same execution gives the same bytes.
It never raises. The decision table is docs/verbosity.md, its data `rules.json`.
"""

from __future__ import annotations

from typing import Literal

from zsh_ls.model.results import Verbosity

from . import clip
from .lines import Lines, flag_stderr
from .operation import CommandLine, read_command
from .outcome import outcome
from .plan import Plan
from .recorded import Recorded, Shown
from .render import render
from .rules import rules
from .runners import Signs, signs
from .views import Situation, view

HOW_TO_GET = "show full output"


def resolve(recorded: Recorded) -> Shown:
    """What to show of an execution, and what was done to it."""
    text = render(_combined(recorded))
    lines = Lines.of(text)
    lines.stderr = _stderr_flags(recorded, lines)
    line = read_command(recorded.command)
    seen, operation = _operation(recorded, line, text)
    how = outcome(recorded, line, operation, seen, text)
    now = Situation(recorded, line, operation, how, lines)
    plan = view(now)
    return _shown(now, plan)


def _combined(recorded: Recorded) -> str:
    if recorded.combined is not None:
        return recorded.combined
    stdout, stderr = recorded.stdout or "", recorded.stderr or ""
    return stdout + ("\n" if stdout and stderr and not stdout.endswith("\n") else "") + stderr


def _stderr_flags(recorded: Recorded, lines: Lines) -> list[bool] | None:
    """Which lines are standard error's; None where the streams were one (a terminal)."""
    if recorded.stderr is None or recorded.combined_via == "pty":
        return None
    return flag_stderr(lines, Lines.of(render(recorded.stderr)).rows)


def _operation(recorded: Recorded, line: CommandLine, text: str) -> tuple[Signs, str]:
    """The operation, and the signs of a runner where one may show."""
    if line.operation != "test" and not line.opaque:
        return Signs(), line.operation
    seen = signs(render(recorded.delivered) + text if recorded.delivered else text)
    may_turn = line.opaque and line.operation in ("command", "build", "lint")
    return seen, "test" if may_turn and seen.found else line.operation


def _shown(now: Situation, plan: Plan) -> Shown:
    rows = now.lines.rows
    if not plan.everything:
        clip.fill_small_gaps(plan, rows)
    omitted = plan.total - len(plan.kept)
    output = _output(now, plan, omitted)
    verbosity = Verbosity(
        operation=now.operation,
        level=_level(now, plan, omitted),
        state=now.outcome.state,
        total_lines=plan.total,
        omitted_lines=omitted,
        escalated_by=_escalated_by(now),
        full_output=now.recorded.full_output if omitted else None,
    )
    return Shown(output, verbosity, plan.everything)


def _output(now: Situation, plan: Plan, omitted: int) -> str:
    if plan.instead is not None:
        return plan.instead + "\n"
    pieces = [*_notes(now), *clip.body(plan, now.lines.rows), *plan.after]
    if omitted or plan.after:
        pieces.insert(0, _first_line(now, omitted))
    return "\n".join(pieces) + ("\n" if now.lines.text.endswith("\n") else "")


def _first_line(now: Situation, omitted: int) -> str:
    where = now.recorded.full_output
    how = f"full output saved to {where}" if where else f"ask: {HOW_TO_GET}"
    return f"[{_state_words(now)}: {omitted} of {len(now.lines)} lines omitted; {how}]"


def _state_words(now: Situation) -> str:
    if now.outcome.state == "failed" and now.operation == "dev_server":
        return "startup failed"
    exit_status = now.recorded.exit
    return now.outcome.state + (f", exit {exit_status}" if exit_status is not None else "")


def _notes(now: Situation) -> list[str]:
    if now.operation != "test" or not now.outcome.masked:
        return []
    cut = [
        p.name
        for p in now.line.programs
        if p.fed and p.name in ("head", "tail", "grep", "sed", "awk", "rg")
    ]
    if cut:
        return [f"[failed: `{cut[0]}` cut the rest of this output, and exit 0 hides the failure]"]
    return ["[failed: exit 0 hides the failure]"]


def _level(
    now: Situation, plan: Plan, omitted: int
) -> Literal["lean", "balanced", "full", "debug"]:
    if now.recorded.requested_full:
        return "debug"
    if not omitted:
        return "full"
    return "balanced" if now.outcome.state == "failed" else "lean"


def _escalated_by(now: Situation) -> tuple[str, ...]:
    state, how = now.outcome.state, now.outcome
    words = {
        "exit": state == "failed" and not how.masked,
        "masked": state == "failed" and how.masked,
        "timeout": state == "timed out",
        "test": state in ("failed", "timed out") and now.operation == "test",
        "build": state == "failed"
        and now.operation == "build"
        and len(now.lines) > rules().limits["failed_whole_lines"],
        "repeat": state == "failed" and now.recorded.previous_failures == 1,
        "request": now.recorded.requested_full,
    }
    return tuple(word for word, holds in words.items() if holds)
