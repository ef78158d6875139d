"""The lines shown of a success: rows 10 to 18 of the decision table (docs/verbosity.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from . import salience
from .context import RenderContext
from .lines import RenderedLines
from .outliers import MIN_REPETITIVE_LINES, outliers
from .plan import Plan, all_lines
from .programs import Program
from .rules import rules
from .runners import summary_lines

MAX_PHRASE_CHARS = 300
_DOCUMENT_FILE = re.compile(r"\.(?:json|ya?ml|toml)$")
_YAML_WORD = re.compile(r"^(?:-o=?|--output=|--format=)?(?:yaml|toml)$|^yq$")
_YAML_BEGINNING = re.compile(r"---|[\w.\"-]+:(?: |$)|\[[\w.]+\]$")
_DOCUMENT_ENDS = frozenset({("{", "}"), ("[", "]"), ("[{", "}]")})
_RANGED_READERS = frozenset({"head", "tail", "ghead", "gtail", "sed", "gsed"})
_GIT_TEXTS = frozenset({"diff", "show", "blame"})


def succeeded(now: RenderContext) -> Plan:
    """The lines of a successful execution."""
    return _ROWS[now.operation](now)


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
    limits = rules().limits
    if all(map(_is_clean, now.lines.rows)):
        return Plan(now.total, shortens=False, shows_gaps=False)
    if now.total <= limits["lint_whole_lines"]:
        return all_lines(now.total)
    plan = Plan(now.total)
    plan.keep_last(limits["lint_last_lines"])
    return plan


def _is_clean(row: str) -> bool:
    row_text = row.strip()
    return not row_text or (
        len(row_text) <= MAX_PHRASE_CHARS and bool(rules().clean_phrases.match(row_text))
    )


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
    plan.long_line_chars = limits["document_line_chars"]
    return plan


def _is_ranged(now: RenderContext) -> bool:
    """Whether the user chose what is printed: `head -n`, `sed -n a,bp`, `git diff`, `diff`."""
    main = [p for p in now.line.programs if not p.nested and p.name not in rules().neutral]
    reads = now.operation == "file_read" and any(p.fed and p.name in _RANGED_READERS for p in main)
    return reads or (len(main) == 1 and _chooses(main[0]))


def _chooses(program: Program) -> bool:
    if program.name == "git":
        return not _GIT_TEXTS.isdisjoint(program.words[1:5])
    return program.name in _RANGED_READERS or program.name == "diff"


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
    if len(lines) < MIN_REPETITIVE_LINES:
        return
    for marker, few in (
        (rules().warning, limits["salient_warnings"]),
        (rules().strong_error, limits["salient_errors"]),
    ):
        found = salience.matching(lines, marker)
        if len(found) <= salience.share(lines, few):
            plan.keep(salience.spread(found, few))
    plan.keep(outliers(lines, limits["salient_once"]))


_ROWS: Mapping[str, Callable[[RenderContext], Plan]] = {
    "test": _passed_test,
    "lint": _linted,
    "build": _built,
    "git_log": _git_log,
    "listing": _listed,
    "file_read": _read,
    "command": _commanded,
    "dev_server": _commanded,
}
