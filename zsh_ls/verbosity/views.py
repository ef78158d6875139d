"""Chooses the lines of an output that are shown: the rows of the decision table (docs/verbosity.md).

Of 60 recorded failures over 60 lines that were no tests, the last 50 lines explained
20, with standard error 32, the table 59. That is why a failure is never just a tail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import attrs

from . import salience
from .lines import RenderedLines
from .operation import CommandLine
from .outcome import JudgedOutcome
from .plan import Plan, all_lines, whole
from .rules import rules
from .runners import summary_lines
from .values import ResolverInput

MAX_PHRASE_CHARS = 300
_URL = re.compile(r"https?://[^\s\"'<>)\]]*[\w/]")
_WIDE_ERRORS = 3  # errors of a build that are shown with the most context
_DOCUMENT_FILE = re.compile(r"\.(?:json|ya?ml|toml)$")
_YAML_WORD = re.compile(r"^(?:-o=?|--output=|--format=)?(?:yaml|toml)$|^yq$")
_YAML_BEGINNING = re.compile(r"---|[\w.\"-]+:(?: |$)|\[[\w.]+\]$")
_DOCUMENT_ENDS = frozenset({("{", "}"), ("[", "]"), ("[{", "}]")})
_RANGED_READERS = frozenset({"head", "tail", "ghead", "gtail", "sed", "gsed"})
_GIT_TEXTS = frozenset({"diff", "show", "blame"})


@attrs.frozen
class RenderContext:
    """A recorded execution with its operation, outcome and rendered lines."""

    recorded: ResolverInput
    line: CommandLine
    operation: str
    outcome: JudgedOutcome
    lines: RenderedLines

    @property
    def total(self) -> int:
        """How many lines there are to show."""
        return len(self.lines)


def view(now: RenderContext) -> Plan:
    """The plan for an output: the first matching row of the table."""
    state = now.outcome.state
    if now.recorded.requested_full or state == "timed out":  # rows 1 to 3
        return whole(now.total)
    if state == "running":  # row 4
        if now.operation != "dev_server":
            return whole(now.total)
        found = _URL.search(now.lines.text)
        return Plan(now.total, instead=f"running {found[0]}" if found else "running")
    return _failed(now) if state == "failed" else _SUCCESSES[now.operation](now)


def _failed(now: RenderContext) -> Plan:
    """Rows 2 and 5 to 9b."""
    limits, lines = rules().limits, now.lines
    # The second failure is shown whole because somebody is looking for the reason; from
    # the third on a loop would pay for the whole log each time.
    if now.operation in ("test", "lint") or now.recorded.previous_failures == 1:
        return whole(now.total)
    if now.total <= limits["failed_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total)
    plan.keep_first(limits["first_lines"])
    if lines.stderr is None:
        # Of one merged stream nobody knows which lines are errors: the windows below stand in.
        plan.keep_last(limits["stdout_floor_lines"])
    else:
        stdout = [at for at, is_error in enumerate(lines.stderr) if not is_error]
        plan.keep(stdout[-limits["stdout_floor_lines"] :])
        _add_stderr(plan, lines)
    for block in salience.tracebacks(lines):
        plan.keep(block)
    if now.operation == "build":
        _add_build_errors(plan, lines)
    else:
        _add_error_windows(plan, lines)
    return plan


def _add_stderr(plan: Plan, lines: RenderedLines) -> None:
    """Row 9b: of a long standard error, look-alike lines at most three times, then both ends."""
    limits = rules().limits
    stderr = [at for at, is_error in enumerate(lines.stderr or ()) if is_error]
    if len(stderr) <= limits["stderr_collapse_lines"]:
        plan.keep(stderr)
        return
    distinct = salience.few_of_each(lines, stderr, limits["look_alike_shown"])
    plan.look_alike.update(set(stderr) - set(distinct))
    plan.keep(distinct[: limits["stderr_first_lines"]])
    plan.keep(distinct[-limits["stderr_last_lines"] :])


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
    for at in salience.outliers(lines, limits["failed_once"]):
        plan.keep_around(at, 1)


def _passed_test(now: RenderContext) -> Plan:
    """Row 10: the runner's summary."""
    limits, lines = rules().limits, now.lines
    plan = Plan(now.total, shows_gaps=False)
    wanted = summary_lines(lines.text, limits["test_summary_lines"])
    if not wanted:
        plan.keep_last(limits["test_unknown_lines"])
    for at in range(now.total - 1, -1, -1):
        if wanted and lines.rows[at] == wanted[-1]:
            plan.keep([at])
            wanted.pop()
    return plan


def _linted(now: RenderContext) -> Plan:
    """Rows 11 and 12: nothing if there are no findings, else the last lines."""
    limits, clean = rules().limits, rules().clean_phrases
    findings = (row for row in map(str.strip, now.lines.rows) if row)
    if all(len(row) <= MAX_PHRASE_CHARS and clean.match(row) for row in findings):
        return Plan(now.total, shortens=False, shows_gaps=False)
    if now.total <= limits["lint_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total)
    plan.keep_last(limits["lint_last_lines"])
    return plan


def _built(now: RenderContext) -> Plan:
    """Row 13: the last lines and salient ones."""
    plan = Plan(now.total)
    plan.keep_last(rules().limits["build_last_lines"])
    _add_salient(plan, now.lines)
    return plan


def _git_log(now: RenderContext) -> Plan:
    """Row 14: the latest commits."""
    plan = Plan(now.total)
    plan.keep_first(rules().limits["git_log_lines"])
    return plan


def _listed(now: RenderContext) -> Plan:
    """Row 15: all lines, or both ends of a very long listing."""
    limits = rules().limits
    if now.total <= limits["listing_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total)
    plan.keep_first(limits["listing_first_lines"])
    plan.keep_last(limits["listing_last_lines"])
    return plan


def _read(now: RenderContext) -> Plan:
    """Rows 16 and 17, by length; a range that the user chose is not cut in the middle."""
    limits = rules().limits
    whole_up_to = limits["read_middle_lines" if _is_ranged(now) else "read_whole_lines"]
    if _is_document(now):
        plan = _document(now)
    elif now.total <= whole_up_to:
        plan = all_lines(now.total)
    elif now.total <= limits["read_middle_lines"]:
        plan = Plan(now.total)
        plan.keep_first(limits["read_middle_first_lines"])
        plan.keep_last(limits["read_middle_last_lines"])
    else:
        plan = _beginning(now, f"{now.total} lines; use offset to read more")
    plan.long_line_chars = max(plan.long_line_chars or 0, limits["long_read_line_chars"])
    return plan


def _beginning(now: RenderContext, how_to_read_on: str) -> Plan:
    plan = Plan(now.total, below=how_to_read_on)
    plan.keep_first(rules().limits["read_long_first_lines"])
    return plan


def _commanded(now: RenderContext) -> Plan:
    """Rows 17 and 18: both ends and salient lines; texts and documents are shown like files."""
    limits = rules().limits
    if _is_ranged(now):
        return _read(now)
    if _is_document(now):
        return _document(now)
    if now.total <= limits["command_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total, word="truncated")
    if now.total <= limits["command_middle_lines"]:
        plan.keep_first(limits["command_middle_first_lines"])
        plan.keep_last(limits["command_middle_last_lines"])
    else:
        plan.keep_first(limits["first_lines"])
        plan.keep_last(limits["command_long_last_lines"])
    _add_salient(plan, now.lines)
    return plan


def _document(now: RenderContext) -> Plan:
    """A document, or of a long one the beginning, the size and how to query it."""
    limits = rules().limits
    if now.total <= limits["read_middle_lines"]:
        plan = all_lines(now.total)
    else:
        size_bytes = len(now.lines.text.encode("utf-8", "replace"))
        size = f"{now.total} lines, {size_bytes} bytes"
        plan = _beginning(now, f"{size}; query it with jq or yq, or use offset to read more")
    # A document that is cut inside is no document any more: no program could read it.
    plan.long_line_chars = limits["document_line_chars"]
    return plan


def _is_ranged(now: RenderContext) -> bool:
    """Whether the user chose what is printed: `head -n`, `sed -n a,bp`, `git diff`, `diff`."""
    main = [p for p in now.line.programs if not p.nested and p.name not in rules().neutral]
    if now.operation == "file_read" and any(p.fed and p.name in _RANGED_READERS for p in main):
        return True
    if len(main) != 1:
        return False
    if main[0].name == "git":
        return not _GIT_TEXTS.isdisjoint(main[0].words[1:5])
    return main[0].name in _RANGED_READERS or main[0].name == "diff"


def _is_document(now: RenderContext) -> bool:
    """Whether the output is one JSON, YAML or TOML document."""
    words = [word for program in now.line.programs for word in program.words]
    if now.operation == "file_read" and any(map(_DOCUMENT_FILE.search, words)):
        return True
    if not now.lines.text.strip():
        return False
    first, last = now.lines.rows[0].strip(), now.lines.rows[-1].strip()
    if any(map(_YAML_WORD.search, words)) and _YAML_BEGINNING.match(first):
        return True
    if now.total == 1:
        return (first[0], first[-1]) in _DOCUMENT_ENDS
    return (first, last) in _DOCUMENT_ENDS


def _add_salient(plan: Plan, lines: RenderedLines) -> None:
    """Add a few errors, warnings and outliers, unless they are a large part of the log."""
    limits = rules().limits
    if len(lines) < salience.MIN_REPETITIVE_LINES:
        return
    for marker, few in (
        (rules().warning, limits["salient_warnings"]),
        (rules().strong_error, limits["salient_errors"]),
    ):
        found = salience.matching(lines, marker)
        if len(found) <= salience.share(lines, few):
            plan.keep(salience.spread(found, few))
    plan.keep(salience.outliers(lines, limits["salient_once"]))


_SUCCESSES: Mapping[str, Callable[[RenderContext], Plan]] = {
    "test": _passed_test,
    "lint": _linted,
    "build": _built,
    "git_log": _git_log,
    "listing": _listed,
    "file_read": _read,
    "command": _commanded,
    "dev_server": _commanded,
}
