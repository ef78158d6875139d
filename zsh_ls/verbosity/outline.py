"""The outline of a long text: definitions, headings, keys of the first level, each with its line (row 16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from zsh_ls.lazy import re

from .lines import RenderedLines
from .rules import rules

MAX_CHARS = 160
MAX_MATCHES = 20_000
MIN_HEADINGS = 3
_HEADING = re.compile(r"#+(?= )|=+(?= )")


def outline(lines: RenderedLines, words: Iterable[str]) -> list[str]:
    """The outline of what the files among `words` have printed, at most as many lines as the limit says."""
    most = rules().limits["outline_lines"]
    numbers: set[int] = set()
    names = [word for word in words if not word.startswith("-")]
    for kind in rules().outlines:
        if any(name.endswith(kind.files) for name in names):
            matches = islice(kind.pattern.finditer(lines.text), MAX_MATCHES)
            found = [lines.at(match.start()) for match in matches]
            if kind.first_level:
                least = min((_indent(lines.rows[at]) for at in found), default=0)
                found = [at for at in found if _indent(lines.rows[at]) == least]
            numbers.update(found)
    chosen = _fewer(lines.rows, sorted(numbers), most)
    return [f"{at + 1}: {lines.rows[at].rstrip()[:MAX_CHARS]}" for at in chosen]


def _fewer(rows: Sequence[str], numbers: list[int], most: int) -> list[int]:
    """At most `most`: without the deepest, or every so many."""
    while len(numbers) > most:
        deepest = max(_depth(rows[at]) for at in numbers)
        shallower = [at for at in numbers if _depth(rows[at]) < deepest]
        if len(shallower) < MIN_HEADINGS:
            break
        numbers = shallower
    if len(numbers) <= most:
        return numbers
    step = (len(numbers) - 1) / (most - 1)
    return [numbers[round(n * step)] for n in range(most)]


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _depth(row: str) -> int:
    """The level of a heading, else how far a line is indented."""
    heading = _HEADING.match(row)
    return len(heading[0]) if heading else _indent(row)
