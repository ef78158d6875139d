"""Chooses the lines of an output that are shown: the rows of the decision table (docs/verbosity.md).

Of 60 recorded failures over 60 lines that were no tests, the last 50 lines explained
20, with standard error 32, the table 59. That is why a failure is never just a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zsh_ls.lazy import attrs, re

from . import salience
from .asked import asks_for_more, named_tests, names_amount
from .lines import RenderedLines
from .located import by_severity, findings, located
from .operation import CommandLine
from .outcome import JudgedOutcome
from .outline import outline
from .plan import LONG_LINE_CHARS, Plan, all_lines, whole
from .results import failed_tests
from .rules import rules
from .runners import Signs, summary_lines
from .values import ResolverInput

MAX_PHRASE_CHARS = 300
READ_ON = "{} lines; use offset to read more"
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
    """A recorded execution with its operation, outcome, rendered lines, and what they say of tests."""

    recorded: ResolverInput
    line: CommandLine
    operation: str
    outcome: JudgedOutcome
    lines: RenderedLines
    runner: Signs
    failed_tests: tuple[str, ...]

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
    return _failed(now) if state == "failed" else _succeeded(now)


def _succeeded(now: RenderContext) -> Plan:
    """Rows 10 to 18; an amount that the command names goes before its operation (row 17)."""
    if not now.total:
        return all_lines(0)
    if names_amount(now.line) and now.operation != "dev_server":
        return _read(now)
    # What only shows text (`git diff`, `curl`) finds nothing itself.
    may_find = now.operation in ("lint", "build") or (
        now.operation == "command" and now.line.opaque
    )
    if may_find and (found := findings(now.lines)):
        is_clean = now.operation == "lint" and _is_clean(now)
        return _linted(now) if is_clean else _found(now, found)
    return _SUCCESSES[now.operation](now)


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
    """Row 9b: of a long standard error both ends, and between them each error with its place.

    Look-alike lines without a place of their own are shown three times.
    """
    limits = rules().limits
    stderr = [at for at, is_error in enumerate(lines.stderr or ()) if is_error]
    if len(stderr) <= limits["stderr_collapse_lines"]:
        plan.keep(stderr)
        return
    errors = set(salience.matching(lines, rules().strong_error))
    with_place = {
        one.at for one in located(lines, [at for at in stderr if at in errors]) if one.place
    }
    few = set(salience.few_of_each(lines, stderr, limits["look_alike_shown"]))
    distinct = [at for at in stderr if at in few or at in with_place]
    plan.look_alike.update(set(stderr) - set(distinct))
    first, last = limits["stderr_first_lines"], limits["stderr_last_lines"]
    plan.keep(distinct[:first])
    plan.keep(distinct[-last:])
    between = [at for at in distinct[first:-last] if at in with_place]
    plan.keep(salience.spread(between, limits["errors_with_places"]))


def _add_build_errors(plan: Plan, lines: RenderedLines) -> None:
    """Row 8: every distinct error with its place, the first ones with more context."""
    limits = rules().limits
    errors = located(lines, salience.matching(lines, rules().strong_error))
    for number, error in enumerate(errors):
        plan.keep([error.at, error.place_at])
        if number < _WIDE_ERRORS:
            plan.keep_around(error.at, limits["build_context_lines"])
        elif number < limits["build_bare_errors"]:
            many = number >= limits["build_many_errors"]
            plan.keep_around(error.at, 1 if many else limits["error_window_lines"])


def _add_error_windows(plan: Plan, lines: RenderedLines) -> None:
    """Row 9: windows around errors, other errors with places, and outliers of a repetitive log."""
    limits = rules().limits
    errors = salience.matching(lines, rules().strong_error)
    place_of = {error.at: error.place_at for error in located(lines, errors) if error.place}
    for at in salience.spread(list(place_of), limits["errors_with_places"]):
        plan.keep([at, place_of[at]])
    errors = salience.few_of_each(lines, errors, limits["windows_per_template"])
    for at in salience.spread(errors, limits["error_windows"]):
        plan.keep_around(at, limits["error_window_lines"])
    for at in salience.outliers(lines, limits["failed_once"]):
        plan.keep_around(at, 1)


def _passed_test(now: RenderContext) -> Plan:
    """Row 10: the runner's summary, and what an option asked it to print."""
    limits, lines = rules().limits, now.lines
    asked = asks_for_more(now.line)
    if asked and now.total <= limits["asked_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total, shows_gaps=asked)
    if asked:
        first, most = limits["asked_first_lines"], limits["asked_lines"]
        order = [*range(first), *range(now.total - 1, now.total - 1 - (most - first), -1)]
        left = limits["asked_bytes"]
        for at in order:
            left -= len(lines.rows[at].encode("utf-8", "replace")) + 1
            if left < 0:
                break
            plan.keep([at])
    for pattern in named_tests(now.line):
        named = [at for at, row in enumerate(lines.rows) if pattern.search(row[:LONG_LINE_CHARS])]
        plan.keep(salience.spread(named, limits["asked_lines"]))
    _add_sections(plan, lines)
    # A runner that exits 0 may have told of failures all the same.
    plan.keep(list(failed_tests(lines).values())[: limits["test_summary_lines"]])
    wanted = summary_lines(lines.text, limits["test_summary_lines"])
    sums = now.runner.sums[-limits["test_summary_lines"] :]
    plan.keep(sums)
    if not wanted and not sums:
        plan.keep_last(limits["test_unknown_lines"])
    for at in range(now.total - 1, -1, -1):
        if wanted and lines.rows[at] == wanted[-1]:
            plan.keep([at])
            wanted.pop()
    return plan


def _add_sections(plan: Plan, lines: RenderedLines) -> None:
    """Add the tables that a passing run is made for, such as benchmarks, up to an empty line."""
    left = rules().limits["asked_lines"]
    for found in rules().sections.finditer(lines.text):
        at = lines.at(found.start())
        while at < len(lines) and lines.rows[at].strip() and left > 0:
            plan.keep([at])
            at, left = at + 1, left - 1


def _linted(now: RenderContext) -> Plan:
    """Row 11: nothing if there are no findings; what a lint says otherwise is one (row 12)."""
    if _is_clean(now):
        return Plan(now.total, shortens=False, shows_gaps=False)
    return _found(now, ())


def _is_clean(now: RenderContext) -> bool:
    """Whether a lint says nothing but known phrases for: nothing found."""
    clean = rules().clean_phrases
    rows = (row for row in map(str.strip, now.lines.rows) if row)
    return all(len(row) <= MAX_PHRASE_CHARS and clean.match(row) for row in rows)


def _found(now: RenderContext, found: Sequence[int]) -> Plan:
    """Row 12: findings of a success, or of very many the first, the last and their count."""
    limits = rules().limits
    if now.total <= limits["findings_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total)
    plan.keep_first(limits["findings_first_lines"])
    plan.keep_last(limits["findings_last_lines"])
    if counts := by_severity(now.lines, found):
        told = ", ".join(f"{count} {severity}" for severity, count in counts.most_common())
        plan.below = f"[findings by severity: {told}]"
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


def _searched(now: RenderContext) -> Plan:
    """Row 15b: all lines of a search or list that is short, else as a file is read."""
    limits = rules().limits
    if now.total > limits["search_middle_lines"]:
        return _beginning(now, READ_ON.format(now.total))
    most = limits["search_bytes"]
    if (
        now.total <= limits["search_whole_lines"]
        and len(now.lines.text.encode("utf-8", "replace")) <= most
    ):
        return all_lines(now.total)
    plan = Plan(now.total)
    first = range(min(now.total, limits["read_middle_first_lines"]))
    last = range(
        now.total - 1, max(first.stop, now.total - limits["read_middle_last_lines"]) - 1, -1
    )
    # The head may have two thirds of the bytes, the tail the rest.
    used = 0
    for numbers, share in ((first, most * 2 // 3), (last, most)):
        for at in numbers:
            used += min(len(now.lines.rows[at].encode("utf-8", "replace")), LONG_LINE_CHARS) + 1
            if used > share:
                break
            plan.keep([at])
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
        plan = _beginning(now, READ_ON.format(now.total))
    plan.long_line_chars = max(plan.long_line_chars or 0, limits["long_read_line_chars"])
    return plan


def _beginning(now: RenderContext, how_to_read_on: str) -> Plan:
    found: list[str] = []
    if now.operation == "file_read":
        words = (word for program in now.line.programs for word in program.words[1:])
        found = outline(now.lines, words)
    plan = Plan(now.total, below="\n".join([how_to_read_on, *found]))
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
    if names_amount(now.line):
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
    "search": _searched,
    "file_read": _read,
    "command": _commanded,
    "dev_server": _commanded,
}
