"""Finds the lines of an output with error messages and warnings, and tracebacks.

Patterns are not matched with every line, for speed: lines are grouped by template
(numbers replaced by 0), and a pattern is only matched with templates that contain one
of its hints.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from .lines import RenderedLines
from .rules import Marker, rules

MAX_LINE_CHARS = 2_000
MAX_TEMPLATES_READ = 5_000
MAX_TRACEBACKS = 6
MAX_TRACEBACK_LINES = 60

# Strings by which tracebacks of Python, Java, Node, Rust, Go, Ruby and gdb are found.
_FRAME_HINTS = (
    "\nTraceback (most recent call last)",
    "\n    at ",
    "\n\tat ",
    "\nthread '",
    "\ngoroutine ",
    "\n\tfrom ",
    "\n#0 ",
    "\nCaused by: ",
)
_FRAME = re.compile(
    r"\s+(?:at |File \"|from |in |\.\.\. \d+ more|\[Previous line repeated)|#\d+ |\s*\d+: |goroutine \d"
    r"|Traceback \(|Caused by: |Suppressed: |During handling|The above exception"
    r"|stack backtrace|note: run with"
)


def matching(lines: RenderedLines, marker: Marker) -> list[int]:
    """The numbers of the lines whose template matches `marker`, in order."""
    wanted = _marked(lines, marker)
    if not wanted:
        return []
    return [at for at, template in enumerate(lines.templates) if template in wanted]


def _marked(lines: RenderedLines, marker: Marker) -> set[str]:
    templates = list(lines.counts)
    # Lowering may change the length (`İ`), so line offsets are computed after it.
    lowered = "\n".join(templates).lower()
    starts = [0, *accumulate(len(template) + 1 for template in lowered.split("\n"))]
    hinted = {number for hint in marker.hints for number in _lines_with(hint, lowered, starts)}
    candidates = (templates[number] for number in spread(sorted(hinted), MAX_TEMPLATES_READ))
    return {t for t in candidates if marker.pattern.search(t[:MAX_LINE_CHARS])}


def _lines_with(hint: str, text: str, starts: Sequence[int]) -> Iterator[int]:
    offset = text.find(hint)
    while offset >= 0:
        number = bisect_right(starts, offset) - 1
        yield number
        offset = text.find(hint, starts[number + 1])


def has_marker(lines: RenderedLines, marker: Marker) -> bool:
    """Whether any line matches `marker`; numbers are not replaced."""
    lowered = lines.text.lower()
    starts = [0, *accumulate(len(row) + 1 for row in lowered.split("\n"))]
    hinted = {number for hint in marker.hints for number in _lines_with(hint, lowered, starts)}
    rows = lines.text.split("\n")
    return any(marker.pattern.search(rows[number][:MAX_LINE_CHARS]) for number in sorted(hinted))


def few_of_each(lines: RenderedLines, numbers: Iterable[int], each: int) -> list[int]:
    """Of `numbers`, at most `each` lines of one template."""
    seen: Counter[str] = Counter()
    kept: list[int] = []
    for at in numbers:
        template = lines.templates[at]
        seen[template] += 1
        if seen[template] <= each:
            kept.append(at)
    return kept


def share(lines: RenderedLines, least: int) -> int:
    """How many lines may be salient: a small share of the log, at least `least`."""
    return max(least, len(lines) * rules().limits["salient_share_percent"] // 100)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """The first and last of `numbers`, `most` in all."""
    if len(numbers) <= most:
        return list(numbers)
    return [*numbers[: most // 2], *numbers[-(most - most // 2) :]]


def tracebacks(lines: RenderedLines) -> list[list[int]]:
    """The lines of tracebacks; of many the first and last, of a long one its beginning and end."""
    blocks = _traceback_blocks(lines)
    chosen = spread(range(len(blocks)), MAX_TRACEBACKS)
    return [spread(blocks[at], MAX_TRACEBACK_LINES) for at in chosen]


def _traceback_blocks(lines: RenderedLines) -> list[range]:
    """From two lines before the first frame to the line that names the exception."""
    found: list[range] = []
    text = "\n" + lines.text  # so that a hint's offset is the start of its line
    for hint in _FRAME_HINTS:
        offset = text.find(hint)
        while offset >= 0:
            found.append(_block(lines, lines.at(offset)))
            stop = found[-1].stop
            offset = text.find(hint, lines.starts[stop]) if stop < len(lines) else -1
    return _merged(found)


def _block(lines: RenderedLines, at: int) -> range:
    stop = at + 1
    while stop < len(lines) and _continues(lines.rows[stop]):
        stop += 1
    stop = min(stop + 1, len(lines))
    while stop < len(lines) and lines.rows[stop].startswith(("Caused by", "\tat ", "    at ")):
        stop += 1
    return range(max(0, at - 2), stop)


def _continues(row: str) -> bool:
    return not row or row.startswith(("  ", "\t")) or bool(_FRAME.match(row))


def _merged(found: Iterable[range]) -> list[range]:
    merged: list[range] = []
    for block in sorted(found, key=lambda one: one.start):
        if merged and block.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, block.stop))
        else:
            merged.append(block)
    return merged
