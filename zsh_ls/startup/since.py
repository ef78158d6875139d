"""Since when a line is slower: this start beside those that were measured before (START-6)."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from zsh_ls.model.startup import MeasuredStart, SlowerSince, StartLine

from .spread import half_quartiles

# Less may be a busy machine, which makes the starts of one measurement differ, and measurements.
LEAST_MS = 10.0
LEAST_SHARE = 0.25
LEAST_SPREADS = 4.0
# How many earlier starts say what a line took before.
_REMEMBERED = 5
_MOST_TOLD = 5

# Of so many lines in common most are not the ones that were made slower.
_MANY_LINES = 5
_Key = tuple[str, str]


def slower_since(
    now: Sequence[StartLine], past: Sequence[MeasuredStart], at: float
) -> tuple[SlowerSince, ...]:
    """Lines that take at least 10 ms, a quarter and four times their spread more than before, worst first.

    The spread is half the distance of the quartiles, of this measurement's starts and of the earlier ones.
    Where most lines take longer than in an earlier start, the machine is slower: what a line took counts
    as so much more.
    `past` are earlier starts of the same shell, the earliest first. A line is known by its text, else by its
    place: one that was changed is the same line, also where lines were added or removed around it. Nothing
    is told of a file that is measured for the first time.
    """
    if not past:
        return ()
    known_files = {line.file for start in past for line in start.lines}
    stand_at = {(line.file, line.text): line.line for line in now}
    earlier = [(start.at, _by_text(start.lines), _by_line(start.lines)) for start in past]
    slower = [_slower_by(now, by_text) for _, by_text, _ in earlier]
    found = []
    for line in now:
        if line.file not in known_files:
            continue
        raw_ms = [_before(line, by_text, by_line, stand_at) for _, by_text, by_line in earlier]
        took = [(start.at, ms * by) for start, ms, by in zip(past, raw_ms, slower, strict=True)]
        enough = max(LEAST_MS, LEAST_SHARE * line.own_ms)
        fast = [number for number, (_, ms) in enumerate(took) if line.own_ms - ms >= enough]
        if not fast:
            continue
        last = fast[-1]
        since = took[last + 1][0] if last + 1 < len(took) else at
        earlier_ms = [took[number][1] for number in fast[-_REMEMBERED:]]
        before = statistics.median(earlier_ms)
        spread_ms = line.spread_ms + half_quartiles(earlier_ms)
        if line.own_ms - before < LEAST_SPREADS * spread_ms:
            continue
        day = datetime.fromtimestamp(since, UTC).isoformat(timespec="seconds")
        more_ms = line.own_ms - statistics.median(raw_ms[number] for number in fast[-_REMEMBERED:])
        found.append(SlowerSince(line.file, line.line, round(more_ms, 1), day))
    return tuple(sorted(found, key=lambda it: -it.more_ms)[:_MOST_TOLD])


def _slower_by(now: Sequence[StartLine], by_text: Mapping[_Key, float]) -> float:
    """How many times as long the lines of both starts take now, in the middle; 1 of few, or if none less."""
    ratios = [
        line.own_ms / by_text[line.file, line.text]
        for line in now
        if by_text.get((line.file, line.text), 0.0) > 0
    ]
    return max(1.0, statistics.median(ratios)) if len(ratios) >= _MANY_LINES else 1.0


def _by_text(lines: Iterable[StartLine]) -> Mapping[_Key, float]:
    """What each text took; equal ones together."""
    found: dict[_Key, float] = {}
    for line in lines:
        key = (line.file, line.text)
        found[key] = max(found.get(key, 0.0), line.own_ms)
    return found


def _by_line(lines: Iterable[StartLine]) -> Mapping[tuple[str, int], StartLine]:
    return {(line.file, line.line): line for line in lines}


def _before(
    line: StartLine,
    by_text: Mapping[_Key, float],
    by_line: Mapping[tuple[str, int], StartLine],
    stand_at: Mapping[_Key, int],
) -> float:
    if (line.file, line.text) in by_text:
        return by_text[line.file, line.text]
    for number in _earlier_numbers(line, by_line.values(), stand_at):
        there = by_line.get((line.file, number))
        # One that stands elsewhere now is not the line that was changed.
        if there and (there.file, there.text) not in stand_at:
            return there.own_ms
    return 0.0


def _earlier_numbers(
    line: StartLine, earlier: Iterable[StartLine], stand_at: Mapping[_Key, int]
) -> tuple[int, ...]:
    """Where a changed line may have stood: as far from its neighbours as now, or at its own number."""
    moved = sorted(
        (stand_at[it.file, it.text], it.line)
        for it in earlier
        if it.file == line.file and (it.file, it.text) in stand_at
    )
    above = [now - then for now, then in moved if now < line.line][-1:]
    below = [now - then for now, then in moved if now > line.line][:1]
    return tuple(line.line - by for by in (*above, *below, 0))
