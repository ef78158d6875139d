"""The lines shown of a failure: rows 2 to 9b of the decision table (docs/verbosity.md)."""

from __future__ import annotations

from collections.abc import Sequence

from . import salience
from .context import RenderContext
from .lines import RenderedLines
from .outliers import outliers
from .plan import Plan, all_lines, whole
from .rules import rules

_WIDE_ERRORS = 3  # errors of a build that are shown with the most context


def failed(now: RenderContext) -> Plan:
    """The lines of a failed execution."""
    if now.operation == "test" or now.recorded.previous_failures == 1:
        return whole(now.total)
    if now.operation == "lint":
        return whole(now.total)
    if now.total <= rules().limits["failed_whole_lines"]:
        return all_lines(now.total)
    plan = _floor(now)
    if now.operation == "build":
        _add_build_errors(plan, now.lines)
    else:
        _add_error_windows(plan, now.lines)
    return plan


def _floor(now: RenderContext) -> Plan:
    """What rows 8 and 9 have in common: first lines, end of standard output, standard error, tracebacks."""
    limits, lines = rules().limits, now.lines
    plan = Plan(now.total)
    plan.keep_first(limits["first_lines"])
    if lines.stderr is None:
        plan.keep_last(limits["stdout_floor_lines"])
    else:
        stdout = [at for at, is_error in enumerate(lines.stderr) if not is_error]
        plan.keep(stdout[-limits["stdout_floor_lines"] :])
        _add_stderr(plan, lines, [at for at, is_error in enumerate(lines.stderr) if is_error])
    for block in salience.tracebacks(lines):
        plan.keep(block)
    return plan


def _add_stderr(plan: Plan, lines: RenderedLines, stderr: Sequence[int]) -> None:
    """Row 9b: of a long standard error, look-alike lines at most three times, then both ends."""
    limits = rules().limits
    if len(stderr) <= limits["stderr_collapse_lines"]:
        plan.keep(stderr)
        return
    distinct = salience.few_of_each(lines, stderr, limits["look_alike_shown"])
    plan.look_alike.update(set(stderr) - set(distinct))
    first, last = limits["stderr_first_lines"], limits["stderr_last_lines"]
    plan.keep(distinct[:first])
    plan.keep(distinct[-last:])


def _add_build_errors(plan: Plan, lines: RenderedLines) -> None:
    """Row 8: every distinct error line, the first ones with more context."""
    limits = rules().limits
    errors = salience.matching(lines, rules().strong_error)
    distinct = {lines.rows[at]: at for at in reversed(errors)}  # the first occurrence of each
    for number, at in enumerate(sorted(distinct.values())):
        if number < _WIDE_ERRORS:
            plan.keep_around(at, limits["build_context_lines"])
        else:
            many = number >= limits["build_many_errors"]
            plan.keep_around(at, 1 if many else limits["error_window_lines"])


def _add_error_windows(plan: Plan, lines: RenderedLines) -> None:
    """Row 9: windows around errors, and outliers of a repetitive log."""
    limits = rules().limits
    errors = salience.matching(lines, rules().strong_error)
    errors = salience.few_of_each(lines, errors, limits["windows_per_template"])
    for at in salience.spread(errors, limits["error_windows"]):
        plan.keep_around(at, limits["error_window_lines"])
    for at in outliers(lines, limits["failed_once"]):
        plan.keep_around(at, 1)
