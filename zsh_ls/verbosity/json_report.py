"""Reads the results of tests off a JSON report that is printed over many lines, whatever runner wrote it.

A result is an object with a name and a verdict of its own, a field that says how the test went. As with
any runner that is known by its shape alone, the report must sum up, too: with the numbers of good and bad
results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from zsh_ls.lazy import attrs

from .rules import rules

MAX_CHARS = 8_000_000
MAX_RESULTS = 50_000
NAMES = ("fullTitle", "fullName", "full_name", "nodeid", "title", "name", "test", "description")
VERDICTS = ("status", "outcome", "result", "state", "verdict", "conclusion")
IS_GOOD = ("ok", "passed", "success", "pass")
WHY_NOT = ("err", "error", "failure", "failureMessages", "failures")


@attrs.frozen
class ReportedTest:
    """One result of a report: its name, whether it is good, and its lines, `stop` exclusive."""

    name: str
    good: bool
    start: int
    stop: int


def json_results(rows: Sequence[str]) -> tuple[ReportedTest, ...]:
    """The results of the reports in an output, in its order; none of what sums up nothing."""
    reported: list[ReportedTest] = []
    for start, stop in _documents(rows):
        text = "\n".join(rows[start:stop])
        try:
            report = json.loads(text) if len(text) <= MAX_CHARS else None
        except (ValueError, RecursionError):
            continue
        found = tuple(islice(_results(report, rows, start), MAX_RESULTS))
        if found and _sums_up(report, found):
            reported += found
    return tuple(reported)


def _documents(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines of each object or list that begins and ends at the left margin."""
    start = None
    for at, row in enumerate(rows):
        if row in ("{", "["):
            start = at
        elif start is not None and row in ("}", "]"):
            yield start, at + 1
            start = None


def _results(report: object, rows: Sequence[str], start: int) -> Iterator[ReportedTest]:
    """The innermost named objects with a verdict; lines are told by their indentation."""
    objects = list(_objects(report))
    if not any(_is_result(it) for it in objects):
        return
    opened: list[tuple[int, int]] = []
    number = 0
    for at in range(start, len(rows)):
        row = rows[at]
        indent = len(row) - len(row.lstrip())
        if row.endswith("{"):
            opened.append((number, at))
            number += 1
        elif row.endswith(("{}", "{},")):
            number += 1
        elif row.lstrip() in ("}", "},") and opened:
            which, began = opened.pop()
            if len(rows[began]) - len(rows[began].lstrip()) != indent or which >= len(objects):
                return  # it is written in another way than line by line
            one = objects[which]
            if _is_result(one):
                yield ReportedTest(_name(one), _is_good(one), began, at + 1)
            if not opened:
                return


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    """All objects in the order in which they are opened."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += reversed(one.values())
        elif isinstance(one, list):
            waiting += reversed(one)


def _name(one: Mapping[str, object]) -> str:
    return next((str(one[it]) for it in NAMES if isinstance(one.get(it), str) and one[it]), "")


def _is_result(one: Mapping[str, object]) -> bool:
    if not _name(one) or _verdict(one) is None:
        return False
    # A file or a group of tests has a name and a verdict, too.
    return not any(
        _name(inner) and _verdict(inner) is not None for inner in islice(_objects(one), 1, None)
    )


def _verdict(one: Mapping[str, object]) -> bool | None:
    """How a test went by its own fields; None where they do not say."""
    words = rules().verdicts
    for field in VERDICTS:
        value = one.get(field)
        if isinstance(value, str) and (said := value.lower()) and said in words["good"]:
            return True
        if isinstance(value, str) and value.lower() in words["bad"]:
            return False
    for field in IS_GOOD:
        if isinstance(value := one.get(field), bool):
            return value
    for field in WHY_NOT:
        if field in one and isinstance(one[field], dict | list | str | None):
            return not one[field]
    return None


def _is_good(one: Mapping[str, object]) -> bool:
    """Whether nothing in the object, at any depth, says that something went wrong."""
    return all(_verdict(it) is not False for it in _objects(one)) and not any(
        it.get(field) for it in _objects(one) for field in (*WHY_NOT, "errors")
    )


def _sums_up(report: object, found: Sequence[ReportedTest]) -> bool:
    """Whether numbers of the report are those of its good and its bad results, each counted once by name."""
    good = {one.name for one in found if one.good}
    bad = {one.name for one in found if not one.good}
    inside = {id(each) for one in _objects(report) if _is_result(one) for each in _objects(one)}
    numbers = {
        value
        for one in _objects(report)
        if id(one) not in inside
        for value in one.values()
        if isinstance(value, int) and not isinstance(value, bool)
    }
    each = {sum(one.good for one in found), sum(not one.good for one in found)}
    return {len(good), len(bad)} <= numbers or each <= numbers
