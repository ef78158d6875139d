"""Chooses judged much of an output to show: render → operation → outcome → view → clip.

`resolve(recorded)` is a pure function: the same execution gives the same bytes.
It never raises. The decision table is in docs/verbosity.md, its data in
`rules.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from zsh_ls.model.results import Verbosity
from zsh_ls.model.terminal_text import render

from . import clip
from .context import RenderContext
from .lines import RenderedLines, flag_stderr
from .operation import CommandLine, read_command
from .outcome import outcome
from .plan import Plan, whole
from .runners import Signs, signs
from .values import ResolvedOutput, ResolverInput
from .views import view

_FILTERS = frozenset({"head", "tail", "grep", "egrep", "rg", "sed", "awk", "cut"})


def resolve(recorded: ResolverInput) -> ResolvedOutput:
    """The text to show of an execution, and what was omitted."""
    now = _context_of(recorded)
    plan = view(now)
    if not plan.everything and plan.instead is None:
        clip.fill_single_gaps(plan)
    output = _output(now, plan)
    if plan.shortens and plan.instead is None and len(now.lines.text) <= len(output):
        uncut = whole(plan.total)
        return ResolvedOutput(_output(now, uncut), _verbosity(now, uncut), plan.everything)
    return ResolvedOutput(output, _verbosity(now, plan), plan.everything)


def _context_of(recorded: ResolverInput) -> RenderContext:
    lines = RenderedLines.of(render(_combined(recorded)))
    lines.stderr = _stderr_flags(recorded, lines)
    line = read_command(recorded.command)
    seen, operation = _operation(recorded, line, lines)
    judged = outcome(recorded, line, operation, seen, lines)
    return RenderContext(recorded, line, operation, judged, lines)


def _combined(recorded: ResolverInput) -> str:
    if recorded.combined is not None:
        return recorded.combined
    stdout, stderr = recorded.stdout or "", recorded.stderr or ""
    return stdout + ("\n" if stdout and stderr and not stdout.endswith("\n") else "") + stderr


def _stderr_flags(recorded: ResolverInput, lines: RenderedLines) -> list[bool] | None:
    """Which lines are from standard error; None if the streams were not separate (a terminal)."""
    if recorded.stderr is None or recorded.combined_via == "pty":
        return None
    return flag_stderr(lines, RenderedLines.of(render(recorded.stderr)).rows)


def _operation(
    recorded: ResolverInput, line: CommandLine, lines: RenderedLines
) -> tuple[Signs, str]:
    """The operation, and a test runner's signs if the output may have some."""
    if not (_may_hide_failure(recorded, line) if line.operation == "test" else line.opaque):
        return Signs(), line.operation
    earlier = render(recorded.delivered)
    seen = signs(RenderedLines.of(earlier + lines.text) if earlier else lines)
    may_turn = line.operation in ("command", "build", "lint")
    return seen, "test" if may_turn and seen.found else line.operation


def _may_hide_failure(recorded: ResolverInput, line: CommandLine) -> bool:
    return line.hidden or recorded.exit is None


def _omitted(now: RenderContext, plan: Plan) -> int:
    elided = now.recorded.elision.lines if now.recorded.elision else 0
    return plan.total - len(plan.kept) + elided


def _cut_chars(now: RenderContext, plan: Plan) -> int:
    """How many characters of long shown lines are left out."""
    return 0 if plan.instead is not None else clip.omitted_chars(plan, now.lines.rows)


def _verbosity(now: RenderContext, plan: Plan) -> Verbosity:
    omitted = _omitted(now, plan)
    is_cut = bool(omitted or _cut_chars(now, plan))
    elided = now.recorded.elision.lines if now.recorded.elision else 0
    return Verbosity(
        operation=now.operation,
        level=_level(now, is_cut=is_cut),
        state=now.outcome.state,
        total_lines=plan.total + elided,
        omitted_lines=omitted,
        escalated_by=tuple(_escalated_by(now)),
        full_output=now.recorded.full_output if is_cut else None,
    )


def _level(now: RenderContext, *, is_cut: bool) -> Literal["lean", "balanced", "full", "debug"]:
    if now.recorded.requested_full:
        return "debug"
    if not is_cut:
        return "full"
    return "balanced" if now.outcome.state == "failed" else "lean"


def _escalated_by(now: RenderContext) -> Iterator[str]:
    """The reasons for showing more than for a plain success (VERB-4)."""
    state = now.outcome.state
    if state == "failed":
        yield "masked" if now.outcome.masked else "exit"
        if now.operation == "build":
            yield "build"
        if now.recorded.previous_failures == 1:
            yield "repeat"
    if state == "timed out":
        yield "timeout"
    if state in ("failed", "timed out") and now.operation == "test":
        yield "test"
    if now.recorded.requested_full:
        yield "request"


def _output(now: RenderContext, plan: Plan) -> str:
    end = "\n" if now.lines.text.endswith("\n") else ""
    if plan.instead is not None:
        return plan.instead + end
    omitted = _omitted(now, plan)
    cut = _cut_chars(now, plan)
    pieces = [_first_line(now, omitted, cut)] if omitted or cut else _state_alone(now)
    pieces += _hidden_failure(now)
    pieces += _body(now, plan)
    if plan.below:
        pieces.append(plan.below)
    return "\n".join(pieces) + end


def _body(now: RenderContext, plan: Plan) -> Iterable[str]:
    if _omitted(now, plan) or _cut_chars(now, plan):
        return clip.body(plan, now.lines.rows, now.recorded.elision or clip.NO_ELISION)
    return [now.lines.text.removesuffix("\n")] if now.lines.rows else []


def _first_line(now: RenderContext, omitted: int, cut_chars: int) -> str:
    """The line with the state, judged much is hidden, and judged to get it."""
    saved, elision = now.recorded.full_output, now.recorded.elision
    total = now.total + (elision.lines if elision else 0)
    judged = f"full output saved to {saved}" if saved else "ask: show full output"
    if elision and elision.lost:
        lost = f"{elision.lines} not kept: {elision.lost}"
        judged = lost if omitted == elision.lines else f"{judged}; {lost}"
    hidden = f"{omitted} of {total} lines" if omitted else f"{cut_chars} characters of long lines"
    return f"[{_state_in_words(now)}: {hidden} omitted; {judged}]"


def _state_in_words(now: RenderContext) -> str:
    state, status = now.outcome.state, now.recorded.exit
    server_failed = state == "failed" and now.operation == "dev_server"
    words = "startup failed" if server_failed else str(state)
    return words if status is None else f"{words}, exit {status}"


def _state_alone(now: RenderContext) -> list[str]:
    """The state of a server that did not start, even if nothing is omitted (row 4)."""
    down = now.outcome.state in ("failed", "timed out")
    return [f"[{_state_in_words(now)}]"] if now.operation == "dev_server" and down else []


def _hidden_failure(now: RenderContext) -> list[str]:
    """A line about a test's failure that the exit status hides, maybe because of a filter."""
    if now.operation != "test" or not now.outcome.masked:
        return []
    status = now.recorded.exit
    hides = "its exit is not known" if status is None else f"exit {status} hides the failure"
    filters = [p.name for p in now.line.programs if p.fed and p.name in _FILTERS]
    cut = f", and `{filters[0]}` cut the rest of the output" if filters else ""
    return [f"[failed: {hides}{cut}]"]
