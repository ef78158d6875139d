"""Places in files that lines of an output name: an error keeps the place that it is at (VERB-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from zsh_ls.lazy import attrs, re

from .lines import RenderedLines
from .rules import rules
from .salience import matching

MAX_ROW_CHARS = 600
# rustc, eslint's code frames and others name the place below the message.
LINES_BELOW = 3
_BELOW = re.compile(r'\s*(?:-->|:::|=>|╭─\[|❯|at|File ")')


@attrs.frozen
class LocatedError:
    """An error's line, the place it is at, and the line that names the place."""

    at: int
    place: str
    place_at: int


def place_in(row: str) -> str:
    """The first place in a line, empty if it names none."""
    if ":" not in row and " line " not in row and "(" not in row:
        return ""
    for pattern in rules().places:
        if found := pattern.search(row[:MAX_ROW_CHARS]):
            return found["place"]
    return ""


def located(lines: RenderedLines, errors: Iterable[int]) -> list[LocatedError]:
    """Of the lines `errors` each that differs in its text or its place, with that place."""
    distinct: dict[tuple[str, str], LocatedError] = {}
    for at in errors:
        error = _located(lines.rows, at)
        distinct.setdefault((lines.rows[at], error.place), error)
    return list(distinct.values())


def _located(rows: Sequence[str], at: int) -> LocatedError:
    if place := place_in(rows[at]):
        return LocatedError(at, place, at)
    for below in range(at + 1, min(at + 1 + LINES_BELOW, len(rows))):
        if _BELOW.match(rows[below]) and (place := place_in(rows[below])):
            return LocatedError(at, place, below)
    return LocatedError(at, "", at)


def findings(lines: RenderedLines) -> list[int]:
    """The lines that tell something at a place: warnings, notes and errors of a run that succeeded."""
    return matching(lines, rules().finding)


def by_severity(lines: RenderedLines, numbers: Iterable[int]) -> Counter[str]:
    """How many of these lines there are of each severity; those that name none are `finding`."""
    counts: Counter[str] = Counter()
    for at in numbers:
        found = rules().severities.search(lines.rows[at][:MAX_ROW_CHARS])
        counts[found[0].lower() if found else "finding"] += 1
    return counts
