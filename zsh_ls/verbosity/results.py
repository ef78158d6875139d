"""Names the failed tests of an output, and finds the lines that report passed ones.

Only where a runner is known for certain: by a signature of `rules.json` in the output, or by its shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice

from zsh_ls.lazy import attrs, re
from zsh_ls.model.terminal_text import render

from .json_report import json_results
from .lines import RenderedLines
from .rules import ResultRule, rules
from .runners import runners_in
from .shape import shape

MAX_NAMES = 5_000
MAX_BLOCK_LINES = 40
# By how much runners indent what is in a group.
GROUP_INDENT = 2


def names_of_failed_tests(output: str) -> tuple[str, ...]:
    """The names of the tests that an output says failed, empty if its runner is not known."""
    return tuple(failed_tests(RenderedLines.of(render(output))))


def failed_tests(lines: RenderedLines) -> Mapping[str, int]:
    """The names of the failed tests in an output, in their order, and the line that first names each.

    None if no runner is known.
    """
    for rule in _certain(lines):
        if found_at := _failed_by(rule, lines.text):
            return {name: lines.at(start) for name, start in found_at.items()}
    if reported := json_results(lines.rows):
        told: dict[str, int] = {}
        for test in reported:
            if not test.good:
                told.setdefault(test.name, test.start)
        return told
    found = shape(lines.rows)
    bad = [result for result in found.results if not result.good] if found else []
    names: dict[str, int] = {}
    for result in bad:
        names.setdefault(result.name, result.at)
    return names


def passed_lines(lines: RenderedLines) -> list[int]:
    """The numbers of the lines by which a known runner reports passed tests, in order."""
    for rule in _certain(lines):
        if rule.passed and (found := _passed_by(rule, lines)):
            return sorted(found)
    good = [test for test in json_results(lines.rows) if test.good]
    return [at for test in good for at in range(test.start, test.stop)]


def _certain(lines: RenderedLines) -> Iterator[ResultRule]:
    found = runners_in(lines)
    return (rule for rule in rules().results if rule.runners & found)


@attrs.frozen
class _Failure:
    name: str
    start: int
    indent: int


def _failed_by(rule: ResultRule, text: str) -> dict[str, int]:
    """The names of the failed tests and their offsets."""
    for pattern in rule.failed:
        found = list(_failures(pattern, text))
        if not found:
            continue
        if rule.parents == "indent":
            found = _without_groups(found)
        groups: set[str] = set()
        if rule.parents == "slash":
            groups = {group for failure in found for group in _above(failure.name)}
        names: dict[str, int] = {}
        for failure in islice((one for one in found if one.name not in groups), MAX_NAMES):
            names.setdefault(failure.name, failure.start)
        return names
    return {}


def _failures(pattern: re.Pattern[str], text: str) -> Iterator[_Failure]:
    groups, numbers = pattern.groupindex, set()
    for found in pattern.finditer(text):
        if "number" in groups:  # what is told again below has the same number
            if found["number"] in numbers:
                continue
            numbers.add(found["number"])
        yield _Failure(
            " ".join(found["name"].split()),
            found.start("name"),
            len(found["indent"]) if "indent" in groups else 0,
        )


def _without_groups(found: Sequence[_Failure]) -> list[_Failure]:
    """Without the failures that come right after failures within them, which are indented more."""
    kept: list[_Failure] = []
    inner = 0
    for failure in found:
        if failure.indent >= inner:
            kept.append(failure)
        inner = failure.indent
    return kept


def _above(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def _passed_by(rule: ResultRule, lines: RenderedLines) -> set[int]:
    """The lines that report tests of which none with that name failed."""
    failed = set(_failed_by(rule, lines.text))
    failed |= {parent for name in failed for parent in _above(name)}
    passed: dict[int, str] = {}
    for pattern in rule.passed:
        for found in pattern.finditer(lines.text):
            passed[lines.at(found.start())] = (found["name"] or "").strip()
    names = set(passed.values()) - failed
    numbers = {at for at, name in passed.items() if name not in failed}
    for pattern in rule.about:
        for found in pattern.finditer(lines.text):
            if found["name"].strip() in names:
                numbers.add(lines.at(found.start()))
    if rule.block:
        blocks = (
            _block_below(lines.rows, at, rule.block["first"], rule.block["last"]) for at in numbers
        )
        numbers = numbers.union(*blocks)
    for pattern in rule.above:
        above = (lines.at(found.start()) for found in pattern.finditer(lines.text))
        numbers |= {at for at in above if at + 1 in numbers}
    for pattern in rule.groups:
        headings = (lines.at(found.start()) for found in pattern.finditer(lines.text))
        numbers |= _passed_groups(lines.rows, numbers, frozenset(headings))
    return numbers


def _passed_groups(rows: Sequence[str], numbers: Set[int], headings: Set[int]) -> set[int]:
    """The headings with nothing but passed tests below them, and the blank lines between such lines."""
    found: set[int] = set()
    # Of the rows below that no row between holds: how far each is indented, and whether all in it passed.
    below: list[tuple[int, bool]] = []
    for at in range(len(rows) - 1, -1, -1):
        text = rows[at].lstrip()
        if not text:
            continue
        indent, held = len(rows[at]) - len(text), []
        while below and below[-1][0] > indent:
            held.append(below.pop())
        all_passed = all(passed for _, passed in held)
        if at in headings and held and all_passed and held[0][0] == indent + GROUP_INDENT:
            found.add(at)
        below.append((indent, all_passed and (at in numbers or at in found)))
    return found.union(_blanks_between(rows, found | numbers))


def _blanks_between(rows: Sequence[str], numbers: Set[int]) -> Iterator[int]:
    """The blank rows that follow one of `numbers` and lead to another."""
    blank: list[int] = []
    is_behind = False
    for at, row in enumerate(rows):
        if not row.strip():
            blank.append(at)
            continue
        if is_behind and at in numbers:
            yield from blank
        is_behind = at in numbers
        blank = []


def _block_below(rows: Sequence[str], at: int, first: str, last: str) -> range:
    """The details below line `at`, empty if there are none."""
    below = at + 1
    if below >= len(rows) or rows[below].strip() != first:
        return range(0)
    indent = len(rows[below]) - len(rows[below].lstrip())
    for end in range(below + 1, min(len(rows), below + MAX_BLOCK_LINES)):
        if rows[end].strip() == last and len(rows[end]) - len(rows[end].lstrip()) == indent:
            return range(below, end + 1)
    return range(0)
