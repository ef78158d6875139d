"""Chooses how much of an output to show: render → operation → outcome → view → clip.

`resolve(recorded)` is a pure function: the same execution gives the same bytes.
It never raises. The decision table is in docs/verbosity.md, its data in
`rules.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from zsh_ls.lazy import attrs
from zsh_ls.model.results import Verbosity
from zsh_ls.model.terminal_text import render

from .asked import lines_let_through
from .lines import RenderedLines, flag_stderr
from .operation import read_command
from .outcome import outcome
from .plan import NO_ELISION, Plan, whole
from .results import failed_tests
from .rules import rules
from .runners import Signs, signs
from .values import ResolvedOutput, ResolverInput
from .views import RenderContext, view

MOST_NAMES = 20
_FILTERS = frozenset({"head", "tail", "grep", "egrep", "rg", "sed", "awk", "cut"})


def resolve(recorded: ResolverInput) -> ResolvedOutput:
    """The text to show of an execution, and what was omitted."""
    now = _context_of(recorded)
    plan = view(now)
    everything = plan.everything
    if not everything and plan.instead is None:
        plan.fill_single_gaps()
    hidden = _hidden_of(now, plan)
    output = _output(now, plan, hidden)
    # A cut that would save next to nothing is not made.
    least = rules().limits["least_saved_bytes"]
    if plan.shortens and plan.instead is None and len(now.lines.text) < len(output) + least:
        plan = whole(plan.total)
        hidden = _hidden_of(now, plan)
        output = _output(now, plan, hidden)
    has_note = not hidden and bool(_notes(now, hidden))
    return ResolvedOutput(output, _verbosity(now, hidden), everything, now.failed_tests, has_note)


def _context_of(recorded: ResolverInput) -> RenderContext:
    combined = recorded.combined
    if combined is None:
        stdout, stderr = recorded.stdout or "", recorded.stderr or ""
        between = "\n" if stdout and stderr and not stdout.endswith("\n") else ""
        combined = stdout + between + stderr
    lines = RenderedLines.of(render(combined))
    # A terminal merges the streams: what was read of it says nothing about standard error.
    if recorded.stderr is not None and recorded.combined_via != "pty":
        lines.stderr = flag_stderr(lines, RenderedLines.of(render(recorded.stderr)).rows)
    line = read_command(recorded.command)
    operation, runner = line.operation, Signs()
    # The output is searched for a test runner only where the command and its exit leave a
    # question: text that merely says FAIL (`cat report.txt`) must not become a test.
    exit_tells = operation == "test" and not line.hidden and recorded.exit is not None
    if not exit_tells and (operation == "test" or line.opaque):
        runner = signs(_with_delivered(recorded, lines))
        if runner.found and operation in ("command", "build", "lint"):
            operation = "test"
    judged = outcome(recorded, line, operation, runner, lines)
    failed: tuple[str, ...] = ()
    if operation == "test" and judged.state in ("failed", "timed out"):
        failed = tuple(failed_tests(_with_delivered(recorded, lines)))
    return RenderContext(recorded, line, operation, judged, lines, runner, failed)


def _with_delivered(recorded: ResolverInput, lines: RenderedLines) -> RenderedLines:
    return (
        RenderedLines.of(render(recorded.delivered) + lines.text) if recorded.delivered else lines
    )


@attrs.frozen
class _Hidden:
    """What is not shown: lines (of `total`), and characters of long shown lines."""

    lines: int
    chars: int
    total: int

    def __bool__(self) -> bool:
        return bool(self.lines or self.chars)


def _hidden_of(now: RenderContext, plan: Plan) -> _Hidden:
    elision = now.recorded.elision or NO_ELISION
    omitted = plan.total - len(plan.kept) + elision.hidden
    return _Hidden(omitted, plan.omitted_chars(now.lines.rows), plan.total + elision.lines)


def _verbosity(now: RenderContext, hidden: _Hidden) -> Verbosity:
    level: Literal["lean", "balanced", "full", "debug"]
    if now.recorded.requested_full:
        level = "debug"
    elif not hidden:
        level = "full"
    else:
        level = "balanced" if now.outcome.state == "failed" else "lean"
    return Verbosity(
        operation=now.operation,
        level=level,
        state=now.outcome.state,
        total_lines=hidden.total,
        omitted_lines=hidden.lines,
        escalated_by=tuple(_escalated_by(now)),
        full_output=now.recorded.full_output if hidden else None,
    )


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


def _output(now: RenderContext, plan: Plan, hidden: _Hidden) -> str:
    recorded = now.recorded
    end = "\n" if now.lines.text.endswith("\n") else ""
    if plan.instead is not None:
        return plan.instead + end
    pieces = _notes(now, hidden)
    if hidden:
        pieces += plan.body(now.lines.rows, recorded.elision or NO_ELISION)
    elif now.lines.rows:
        pieces.append(now.lines.text.removesuffix("\n"))
    if plan.below:
        pieces.append(plan.below)
    return "\n".join(pieces) + end


def _notes(now: RenderContext, hidden: _Hidden) -> list[str]:
    """The lines of ours before the output: what is cut, that a failure is hidden, what is new."""
    recorded, state, status = now.recorded, now.outcome.state, now.recorded.exit
    is_server = now.operation == "dev_server"
    words = "startup failed" if state == "failed" and is_server else str(state)
    if status is not None:
        words += f", exit {status}"
    pieces: list[str] = []
    if hidden:
        pieces.append(f"[{words}: {_what_is_hidden(now, hidden)}]")
    elif is_server and state in ("failed", "timed out"):
        # Row 4: that a server did not start is said even if nothing is omitted.
        pieces.append(f"[{words}]")
    if now.operation == "test" and now.outcome.masked:
        hides = "its exit is not known" if status is None else f"exit {status} hides the failure"
        filters = [p for p in now.line.programs if p.fed and p.name in _FILTERS]
        if len(filters) == 1 and len(now.lines.rows) < (lines_let_through(filters[0]) or 0):
            filters = []
        cut = f", and `{filters[0].name}` cut the rest of the output" if filters else ""
        pieces.append(f"[failed: {hides}{cut}]")
    if told := _since_before(recorded.previous_failed_tests, now.failed_tests):
        pieces = [f"{pieces[0]} · {told}", *pieces[1:]] if pieces else [told]
    return pieces


def _since_before(before: Sequence[str] | None, now: Sequence[str]) -> str:
    """How the failed tests differ from those of the run before; empty where either is not known."""
    if before is None or not now:
        return ""
    new, gone = _without(now, before), _without(before, now)
    if not new and not gone:
        return f"same {len(now)} failure{'s' if len(now) > 1 else ''} as before"
    changes = (("new", new), ("gone", gone))
    return "; ".join(f"{word}: {_listed(names)}" for word, names in changes if names)


def _without(names: Sequence[str], others: Sequence[str]) -> list[str]:
    known = set(others)
    return [name for name in names if name not in known]


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def _what_is_hidden(now: RenderContext, hidden: _Hidden) -> str:
    """How much is hidden, and how to get it."""
    saved, elision = now.recorded.full_output, now.recorded.elision
    how = f"full output saved to {saved}" if saved else "ask: show full output"
    if elision and elision.lost:
        lost = f"{elision.lines} not kept: {elision.lost}"
        how = lost if hidden.lines == elision.lines else f"{how}; {lost}"
    what = (
        f"{hidden.lines} of {hidden.total} lines"
        if hidden.lines
        else f"{hidden.chars} characters of long lines"
    )
    return f"{what} omitted; {how}"
