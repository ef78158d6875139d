"""The marks test runners leave in an output: which lines show one, its failure, its summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import attrs

from .rules import Runner, rules

HITS_PER_HINT = 400
_CUSTOM_LINES = 5
_CUSTOM = re.compile(r"^\s*\[?(PASS|FAIL)(?:ED)?\]?:?\s+(\S.*)$", re.MULTILINE)


@attrs.frozen
class Signs:
    """Whether a runner shows in an output, and whether it says that something failed."""

    found: bool = False
    failed: bool = False


def signs(text: str) -> Signs:
    """The signs of any runner in `text`; only lines with a hint are looked at."""
    seen = [_signs_of(runner, text) for runner in rules().runners]
    custom = _custom(text)
    return Signs(
        custom.found or any(one.found for one in seen),
        custom.failed or any(one.found and one.failed for one in seen),
    )


def summary_lines(text: str, limit: int) -> list[str]:
    """The lines in which runners sum up, and totals of coverage and benchmarks; the last `limit`."""
    at: set[int] = set()
    lines = text.split("\n")
    first = max(0, len(lines) - 400)
    for number, line in enumerate(lines[first:], first):
        if len(line) < 400 and _sums_up(line):
            at.add(number)
    return [lines[number] for number in sorted(at)[-limit:]]


def _sums_up(line: str) -> bool:
    if rules().totals.search(line):
        return True
    return any(
        runner.summary is not None
        and any(hint in line for hint in runner.hints)
        and runner.summary.search(line)
        for runner in rules().runners
    )


def _signs_of(runner: Runner, text: str) -> Signs:
    found = failed = False
    for line in _hit_lines(text, runner.hints):
        if runner.found.search(line):
            found = True
            failed = failed or bool(runner.failed and runner.failed.search(line))
            if failed:
                break
    return Signs(found, failed)


def _hit_lines(text: str, hints: tuple[str, ...]) -> Iterator[str]:
    """The lines with one of `hints`, from the end, at most HITS_PER_HINT for each."""
    for hint in hints:
        before = len(text)
        for _ in range(HITS_PER_HINT):
            hit = text.rfind(hint, 0, before)
            if hit < 0:
                break
            start = text.rfind("\n", 0, hit) + 1
            end = text.find("\n", hit)
            if (end if end >= 0 else len(text)) - start < 2000:
                yield text[start : end if end >= 0 else len(text)]
            before = start


def _custom(text: str) -> Signs:
    """A runner of one's own: several lines that begin with PASS or FAIL and name different things."""
    if "PASS" not in text:
        return Signs()
    tail = text[-200_000:]
    verdicts = _CUSTOM.findall(tail)
    names = Counter(name for _, name in verdicts)
    if len(names) < _CUSTOM_LINES:
        return Signs()
    return Signs(True, any(verdict == "FAIL" for verdict, _ in verdicts))
