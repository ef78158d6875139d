"""Since when a line is slower (START-6)."""

from __future__ import annotations

import attrs

from zsh_ls.model.startup import MeasuredStart, StartLine
from zsh_ls.startup.since import slower_since

RC = "/home/me/.zshrc"
DAY = 86_400.0


def line(ms: float, text: str = "a", number: int = 41, file: str = RC) -> StartLine:
    return StartLine(file, number, text, ms)


def start(day: int, *lines: StartLine) -> MeasuredStart:
    return MeasuredStart(day * DAY, lines)


def told(now: list[StartLine], *past: MeasuredStart) -> list[tuple[int, float, str]]:
    return [(it.line, it.more_ms, it.at[:10]) for it in slower_since(now, past, 9 * DAY)]


def test_the_first_slow_start_is_the_date() -> None:
    past = start(1, line(20)), start(2, line(22)), start(3, line(104)), start(4, line(101))
    assert told([line(103)], *past) == [(41, 82.0, "1970-01-04")]
    assert told([line(103)], *past[:2]) == [(41, 82.0, "1970-01-10")]


def test_nothing_is_said_without_a_reason() -> None:
    assert told([line(103)]) == []
    assert told([line(103)], start(1, line(95))) == []
    assert told([line(12)], start(1, line(4))) == []
    assert told([line(300)], start(1, line(20, file="/other"))) == []


def test_what_the_starts_themselves_differ_by_is_no_news() -> None:
    past = start(1, line(20)), start(2, line(22))
    disturbed = attrs.evolve(line(42), spread_ms=6.0)
    assert told([disturbed], *past) == []
    assert told([attrs.evolve(disturbed, spread_ms=4.5)], *past) == [(41, 21.0, "1970-01-10")]
    scattered = start(1, line(10)), start(2, line(24))
    assert told([line(42)], *scattered) == [(41, 25.0, "1970-01-10")]
    assert told([attrs.evolve(line(42), spread_ms=3.0)], *scattered) == []
    assert told([attrs.evolve(disturbed, own_ms=102)], *past) == [(41, 81.0, "1970-01-10")]


def test_a_machine_that_is_slower_makes_no_line_slower() -> None:
    """Measured alone, then with other processes at work: the one line that is slower by itself is told."""
    alone = [line(ms, f"{number}", number) for number, ms in enumerate((12, 20, 31, 40, 55), 1)]
    busy = [attrs.evolve(it, own_ms=1.8 * it.own_ms) for it in alone]
    assert told(busy, start(1, *alone)) == []
    slower = [*busy[:4], attrs.evolve(busy[4], own_ms=155.0)]
    assert told(slower, start(1, *alone)) == [(5, 100.0, "1970-01-10")]
    assert told(busy[:2], start(1, *alone)) == [(2, 16.0, "1970-01-10")]


def test_a_line_that_moved_is_the_same_and_a_changed_one_too() -> None:
    past = start(1, line(100, "slow", 41), line(2, "b", 42))
    assert told([line(101, "slow", 42), line(2, "b", 43)], past) == []
    assert told([line(150, "other", 41), line(2, "b", 42)], past) == [(41, 50.0, "1970-01-10")]


def test_a_changed_line_is_the_same_below_lines_that_were_added() -> None:
    past = start(1, line(40, "above", 13), line(72, "plain", 14), line(30, "below", 22))
    moved = [line(40, "above", 15), line(73, "commented", 16), line(30, "below", 24)]
    assert told(moved, past) == []
    assert told(moved[1:], past) == []
    assert told([line(73, "commented", 14), line(30, "below", 24)], past) == []
    slower = [line(40, "above", 15), line(150, "commented", 16), line(30, "below", 24)]
    assert told(slower, past) == [(16, 78.0, "1970-01-10")]


def test_a_new_line_was_not_there_before() -> None:
    past = start(1, line(100, "slow", 41))
    now = [line(60, "new", 41), line(100, "slow", 42)]
    assert told(now, past) == [(41, 60.0, "1970-01-10")]
