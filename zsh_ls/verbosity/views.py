"""The view of an output: the rows of the decision table, by operation and outcome."""

from __future__ import annotations

import re

import attrs

from . import salience
from .lines import Lines
from .operation import CommandLine
from .outcome import Outcome
from .plan import Plan, whole
from .recorded import Recorded
from .rules import rules
from .runners import summary_lines

_URL = re.compile(r"https?://[^\s\"'<>)\]]*[\w/]")
_DOCUMENT_FILE = re.compile(r"\.(json|ya?ml|toml)$")
_BOUNDED = re.compile(r"^(?:head|tail|ghead|gtail|sed|gsed)$")


@attrs.frozen
class Situation:
    """All that decides a view."""

    recorded: Recorded
    line: CommandLine
    operation: str
    outcome: Outcome
    lines: Lines


def view(now: Situation) -> Plan:
    """The first row of the table that fits."""
    limits, total = rules().limits, len(now.lines)
    state = now.outcome.state
    if now.recorded.requested_full or state == "timed out":
        return whole(total)
    if state == "running":
        return _running(now)
    if state == "failed":
        if now.operation == "test" or now.recorded.previous_failures == 1:
            return whole(total)
        if now.operation == "lint" or total <= limits["failed_whole_lines"]:
            return _all_lines(total)
        return _failed_build(now) if now.operation == "build" else _failed(now)
    return _SUCCESS[now.operation](now)


def _all_lines(total: int) -> Plan:
    plan = Plan(total)
    plan.keep_all()
    return plan


def _running(now: Situation) -> Plan:
    """Row 4: a server that runs is one line."""
    if now.operation != "dev_server":
        return whole(len(now.lines))
    found = _URL.search(now.lines.text)
    return Plan(len(now.lines), instead="running " + found[0] if found else "running")


# Failures


def _failed(now: Situation) -> Plan:
    """Row 9: standard error, the end, windows around errors, what is unlike the rest, tracebacks."""
    limits, lines = rules().limits, now.lines
    plan = _failed_base(now)
    errors = salience.few_of_each(
        lines, salience.error_lines(lines), limits["windows_per_template"]
    )
    for at in salience.spread(errors, limits["error_windows"]):
        plan.keep_around(at, limits["error_window_lines"])
    for at in _unlike(lines):
        plan.keep_around(at, 1)
    return plan


def _failed_build(now: Situation) -> Plan:
    """Row 8: every distinct error line, the first with much around them."""
    limits, lines = rules().limits, now.lines
    plan = _failed_base(now)
    errors = salience.few_of_each(lines, salience.error_lines(lines), 1)
    for number, at in enumerate(errors):
        if number < limits["build_wide_errors"]:
            plan.keep_around(at, limits["build_context_lines"])
        else:
            plan.keep_around(at, 3 if number < limits["build_middle_errors"] else 1)
    return plan


def _failed_base(now: Situation) -> Plan:
    """What rows 8 and 9 share: first lines, the last of standard output, standard error, tracebacks."""
    limits, lines = rules().limits, now.lines
    plan = Plan(len(lines))
    plan.keep_first(limits["first_lines"])
    if lines.stderr is None:
        plan.keep_last(limits["stdout_floor_lines"])
    else:
        stdout = [at for at, is_error in enumerate(lines.stderr) if not is_error]
        plan.keep(stdout[-limits["stdout_floor_lines"] :])
        _keep_stderr(plan, lines, [at for at, is_error in enumerate(lines.stderr) if is_error])
    for block in salience.tracebacks(lines):
        plan.keep(_ends_of(block))
    return plan


def _ends_of(block: range) -> list[int]:
    """A traceback, or of an endless one its two ends."""
    most = salience.MAX_TRACEBACK_LINES
    return list(block) if len(block) <= most else [*block[: most // 2], *block[-most // 2 :]]


def _keep_stderr(plan: Plan, lines: Lines, stderr: list[int]) -> None:
    """Row 9b: of a long standard error look-alike lines show three times, then its two ends."""
    limits = rules().limits
    if len(stderr) > limits["stderr_collapse_lines"]:
        distinct = salience.few_of_each(lines, stderr, limits["look_alike_shown"])
        plan.look_alike.update(set(stderr) - set(distinct))
        first, last = limits["stderr_first_lines"], limits["stderr_last_lines"]
        stderr = (
            distinct if len(distinct) <= first + last else [*distinct[:first], *distinct[-last:]]
        )
    plan.keep(stderr)


def _unlike(lines: Lines) -> list[int]:
    limits = rules().limits
    return [
        *salience.once(lines, limits["salient_once"]),
        *salience.rare_words(lines, limits["salient_words"]),
        *salience.odd_numbers(lines),
    ]


# Successes


def _passed_test(now: Situation) -> Plan:
    """Row 10: what the runner says in the end."""
    limits, lines = rules().limits, now.lines
    plan = Plan(len(lines))
    wanted = summary_lines(lines.text, limits["test_summary_lines"])
    if not wanted:
        plan.keep_last(limits["test_unknown_lines"])
    for at in range(len(lines) - 1, -1, -1):
        if wanted and lines.rows[at] == wanted[-1]:
            plan.keep([at])
            wanted.pop()
    return plan


def _clean_lint(now: Situation) -> Plan:
    """Rows 11 and 12: nothing where there is nothing to say."""
    limits, lines = rules().limits, now.lines
    said = [row for row in lines.rows if row.strip()]
    if all(rules().clean_phrases.search(row) for row in said):
        return Plan(len(lines))
    if len(lines) <= limits["lint_whole_lines"]:
        return _all_lines(len(lines))
    plan = Plan(len(lines))
    plan.keep_last(limits["lint_last_lines"])
    return plan


def _built(now: Situation) -> Plan:
    """Row 13: the last lines and what is salient."""
    plan = Plan(len(now.lines))
    plan.keep_last(rules().limits["build_last_lines"])
    _keep_salient(plan, now.lines)
    return plan


def _git_log(now: Situation) -> Plan:
    """Row 14."""
    plan = Plan(len(now.lines))
    plan.keep_first(rules().limits["git_log_lines"])
    return plan


def _listing(now: Situation) -> Plan:
    """Row 15."""
    limits, total = rules().limits, len(now.lines)
    if total <= limits["listing_whole_lines"]:
        return _all_lines(total)
    plan = Plan(total)
    plan.keep_first(limits["listing_first_lines"])
    plan.keep_last(limits["listing_last_lines"])
    return plan


def _read(now: Situation) -> Plan:
    """Rows 16 and 17."""
    limits, total = rules().limits, len(now.lines)
    few = limits["read_middle_lines"] if _is_bounded(now) else limits["read_whole_lines"]
    if total <= few or (_is_document(now) and total <= limits["read_middle_lines"]):
        plan = _all_lines(total)
    elif total <= limits["read_middle_lines"]:
        plan = Plan(total)
        plan.keep_first(limits["read_middle_first_lines"])
        plan.keep_last(limits["read_middle_last_lines"])
    else:
        plan = Plan(total)
        plan.keep_first(limits["read_long_first_lines"])
        plan.after.append(f"{total} lines; use offset to read more")
    plan.long_line_chars = limits["long_read_line_chars"]
    return plan


def _is_bounded(now: Situation) -> bool:
    """Whether the reader chose the range: `head -n`, `sed -n a,bp`, or git's diff, show and blame."""
    return any(
        _BOUNDED.match(program.name)
        or (program.name == "git" and {"diff", "show", "blame"} & set(program.words[1:4]))
        or program.name == "diff"
        for program in now.line.programs
        if not program.nested
    )


def _is_document(now: Situation) -> bool:
    """Whether the output is one JSON, YAML or TOML document, which is not cut inside."""
    if any(_DOCUMENT_FILE.search(w) for p in now.line.programs for w in p.words[1:]) and (
        now.operation == "file_read"
    ):
        return True
    rows = [row.strip() for row in (now.lines.rows[:1] + now.lines.rows[-1:])]
    return len(rows) == 2 and (rows[0], rows[1]) in (("{", "}"), ("[", "]"), ("[{", "}]"))


def _command(now: Situation) -> Plan:
    """Rows 17 and 18."""
    limits, total = rules().limits, len(now.lines)
    if _is_diff(now):
        return _read(now)
    if _is_document(now):
        return _document(now)
    if total <= limits["command_whole_lines"]:
        return _all_lines(total)
    plan = Plan(total, word="truncated")
    if total <= limits["command_middle_lines"]:
        plan.keep_first(limits["command_middle_first_lines"])
        plan.keep_last(limits["command_middle_last_lines"])
    else:
        plan.keep_first(limits["command_long_first_lines"])
        plan.keep_last(limits["command_long_last_lines"])
    _keep_salient(plan, now.lines)
    return plan


def _document(now: Situation) -> Plan:
    limits, total = rules().limits, len(now.lines)
    if total <= limits["read_middle_lines"]:
        return _all_lines(total)
    plan = Plan(total)
    plan.keep_first(limits["read_long_first_lines"])
    size = len(now.lines.text.encode())
    plan.after.append(
        f"{total} lines, {size} bytes; query it with jq or yq, or use offset to read more"
    )
    return plan


def _is_diff(now: Situation) -> bool:
    main = [p for p in now.line.programs if not p.nested]
    return len(main) == 1 and _is_bounded(now) and main[0].name in ("git", "diff")


def _keep_salient(plan: Plan, lines: Lines) -> None:
    """A few lines that tell something, never what makes up much of the log."""
    limits = rules().limits
    if len(lines) < salience.MIN_REPETITIVE_LINES:
        return
    most = salience.share(lines, limits["salient_once"])
    wanted = (
        (rules().warning, limits["salient_warnings"]),
        (rules().strong_error, limits["salient_errors"]),
    )
    for pattern, few in wanted:
        found = salience.matching(lines, pattern)
        if len(found) <= most:
            plan.keep(salience.spread(found, few))
    plan.keep(_unlike(lines))


_SUCCESS = {
    "test": _passed_test,
    "lint": _clean_lint,
    "build": _built,
    "git_log": _git_log,
    "listing": _listing,
    "file_read": _read,
    "command": _command,
    "dev_server": _command,
}
