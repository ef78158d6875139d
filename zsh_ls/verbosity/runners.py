"""Recognizes test runners in an output: that one ran, whether it failed, and its summary.

Only lines with a runner's hint are searched, and of look-alike lines only one.
"""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import attrs, re

from .lines import RenderedLines
from .rules import rules
from .shape import shape

SUMMARY_CHARS = 12_000
# Bounds for hostile output: no pattern sees a whole long line, or every line with a hint.
HITS_PER_HINT = 300
MAX_LINE_CHARS = 500
# Fewer may be single lines of a report.
CUSTOM_VERDICTS = 5
CUSTOM_CHARS = 200_000

_CUSTOM = re.compile(r"^[ \t]*+\[?(PASS|FAIL)(?:ED)?\]?:?[ \t]+(\S.*)$", re.MULTILINE)


@attrs.frozen
class Signs:
    """Whether the output is of a test runner, whether that reports a failure, and the lines of its sum.

    `sums` are known of runners that only their shape shows.
    """

    found: bool = False
    failed: bool = False
    sums: tuple[int, ...] = ()


def signs(lines: RenderedLines) -> Signs:
    """The signs of any runner; all look-alike lines are searched for failures."""
    found = False
    for runner in rules().runners:
        for _, line in _hits(lines.distinct, runner.hints):
            if runner.found.search(line):
                found = True
                # `0 failed` and `3 failed` look alike, and only one of them is a failure.
                if runner.failed and any(map(runner.failed.search, lines.alike(line))):
                    return Signs(found, failed=True)
    if found:
        return Signs(found, _custom(lines).failed)
    unknown = shape(lines.rows)
    if unknown is not None:
        return Signs(True, unknown.failed, unknown.sums)
    return _custom(lines)


def runners_in(lines: RenderedLines) -> frozenset[str]:
    """The names of the runners whose signature is in an output."""
    return frozenset(
        runner.name
        for runner in rules().runners
        if any(runner.found.search(line) for _, line in _hits(lines.distinct, runner.hints))
    )


def summary_lines(text: str, most: int) -> list[str]:
    """The last `most` summary lines of runners and totals of coverage and benchmarks."""
    tail = text[-SUMMARY_CHARS:]
    found_lines = {
        start: line
        for runner in rules().runners
        if runner.summary
        for start, line in _hits(tail, runner.hints)
        if runner.summary.search(line)
    }
    for line in rules().totals.finditer(tail):
        start, end = _line_around(tail, line.start())
        found_lines[start] = tail[start:end]
    return [found_lines[start] for start in sorted(found_lines)[-most:]]


def _hits(text: str, hints: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Lines with one of `hints` and their offsets, last first, at most HITS_PER_HINT for each."""
    for hint in hints:
        if hint not in text:
            continue
        before = len(text)
        for _ in range(HITS_PER_HINT):
            hit = text.rfind(hint, 0, before)
            if hit < 0:
                break
            start, end = _line_around(text, hit)
            yield start, text[start : min(end, start + MAX_LINE_CHARS)]
            before = start


def _line_around(text: str, at: int) -> tuple[int, int]:
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)


def _custom(lines: RenderedLines) -> Signs:
    """The signs of an unknown runner: several lines that begin with PASS or FAIL and differ."""
    if "PASS" not in lines.distinct or not _CUSTOM.search(lines.distinct):
        return Signs()
    verdicts = _CUSTOM.findall(lines.text[-CUSTOM_CHARS:])
    if len({name for _, name in verdicts}) < CUSTOM_VERDICTS:
        return Signs()
    return Signs(True, any(verdict == "FAIL" for verdict, _ in verdicts))
