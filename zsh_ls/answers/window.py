"""Finds times in a question: `today`, `in the last two hours`, `since monday`, `this session`.

A window is found from the words alone; its times are computed later for a given
present time. Days begin at midnight of the user's time zone, weeks on Monday.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple

from .words import stem

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
_OTHERS = {"a": 1, "an": 1, "few": 3, "couple": 2, "twenty": 20, "thirty": 30}
NUMBERS = {stem(name): value for value, name in enumerate(_COUNTED.split())} | {
    stem(name): value for name, value in _OTHERS.items()
}

_UNIT_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0, "month": 720.0}
_UNITS = {stem(unit): (unit, hours) for unit, hours in _UNIT_HOURS.items()}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = tuple(
    map(
        stem,
        [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
    )
)
_BEGINS = {stem(word) for word in ("start", "begin", "beginning", "first")}
_SINCE = {stem(word) for word in ("since", "from")}
_LEADS = _SINCE | {
    stem(word) for word in ("in", "within", "over", "during", "for", "on", "the", "these", "of")
}
_BEFORE_DAYS = _SINCE | {"on", "last"}
_PAST = {stem(word) for word in ("last", "past", "previous")}


class Hours(NamedTuple):
    """Hours of a day: from the first up to the second, `days_ago` days before now."""

    days_ago: int
    begin: int
    end: int


# Words that name part of a day, or a day.
_NAMED: dict[tuple[str, ...], tuple[str, Hours]] = {
    ("today",): ("today", Hours(0, 0, 24)),
    ("so", "far", "today"): ("today", Hours(0, 0, 24)),
    ("this", "day"): ("today", Hours(0, 0, 24)),
    ("yesterday",): ("yesterday", Hours(1, 0, 24)),
    ("last", "night"): ("last night", Hours(1, 18, 30)),
    ("tonight",): ("tonight", Hours(0, 18, 24)),
    ("this", "morning"): ("this morning", Hours(0, 0, 12)),
    ("today", "morning"): ("this morning", Hours(0, 0, 12)),
    ("today", "afternoon"): ("this afternoon", Hours(0, 12, 18)),
    ("yesterday", "morning"): ("yesterday morning", Hours(1, 0, 12)),
    ("yesterday", "afternoon"): ("yesterday afternoon", Hours(1, 12, 18)),
    ("yesterday", "evening"): ("yesterday evening", Hours(1, 18, 24)),
    ("yesterday", "night"): ("last night", Hours(1, 18, 30)),
    ("this", "afternoon"): ("this afternoon", Hours(0, 12, 18)),
    ("this", "evening"): ("this evening", Hours(0, 18, 24)),
}
_STEMMED = {tuple(map(stem, words)): named for words, named in _NAMED.items()}


@attrs.frozen
class Window:
    """A stretch of time by its name (`today`, `on Monday`), to be placed once now is known.

    `hours` names hours of a day, `last_hours` counts back from now, `weekday`
    (0 is Monday) and `calendar` name the latest such beginning; `open_end` is
    for `since …`, which lasts until now. `session` means this session;
    `since_minutes` the latest such time of day, in minutes since midnight; `month` (1 is January)
    the latest beginning of one, for `since november`.
    """

    label: str
    hours: Hours | None = None
    last_hours: float | None = None
    weekday: int | None = None
    calendar: str = ""
    open_end: bool = False
    session: bool = False
    since_minutes: int | None = None
    month: int | None = None

    def bounds(self, now: datetime) -> tuple[float | None, float | None]:
        """The Unix times of the window's begin and end; None for an open end."""
        if self.session:
            return None, None
        begin, end = self._placed(now)
        return begin.timestamp(), None if self.open_end or end >= now else end.timestamp()

    def _placed(self, now: datetime) -> tuple[datetime, datetime]:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if self.since_minutes is not None:
            begin = midnight + timedelta(minutes=self.since_minutes)
            # `since eleven` said at ten is of yesterday, `since two` said at 15:00 of today's afternoon.
            afternoon = begin + timedelta(hours=12)
            if self.since_minutes < 720 and afternoon < now:
                begin = afternoon
            return (begin if begin < now else begin - timedelta(days=1)), now
        if self.last_hours is not None:
            return now - timedelta(hours=self.last_hours), now
        if self.weekday is not None:
            day = midnight - timedelta(days=(now.weekday() - self.weekday) % 7)
            return day, day + timedelta(days=1)
        if self.month is not None:
            first = midnight.replace(day=1, month=self.month)
            return (first if first <= now else first.replace(year=now.year - 1)), now
        if self.hours is None:
            return _calendar(self.calendar, midnight, now)
        day = midnight - timedelta(days=self.hours.days_ago)
        return day + timedelta(hours=self.hours.begin), day + timedelta(hours=self.hours.end)


def _calendar(name: str, midnight: datetime, now: datetime) -> tuple[datetime, datetime]:
    """This or last week or month."""
    which, unit = name.split()
    if unit == "week":
        begin = midnight - timedelta(days=now.weekday())
        before = begin - timedelta(days=7)
    else:
        begin = midnight.replace(day=1)
        before = (begin - timedelta(days=1)).replace(day=1)
    return (begin, now) if which == "this" else (before, begin)


class FoundWindow(NamedTuple):
    """A window and the indexes of its words."""

    start: int
    end: int
    window: Window


def find_window(stems: Sequence[str], *, months: bool = False) -> FoundWindow | None:
    """The first window, including `in the` or `since` before it; `since november` with `months`."""
    for start in range(len(stems)):
        if found := _window_at(stems, start):
            break
    else:
        return None
    end, window = found
    since = False
    while start and (
        stems[start - 1] in _LEADS or (stems[start - 1] in _BEGINS and stems[start] == "of")
    ):
        start -= 1
        since = since or stems[start] in _SINCE
    if window.month is not None and not (since and months):
        return None  # a whole month reaches beyond what memory keeps one by one
    if since:
        name = window.label.removeprefix("in ").removeprefix("on ")
        window = attrs.evolve(window, label=f"since {name}", open_end=True)
    return FoundWindow(start, end, window)


_THIS_SESSION = {("this", "session"), (stem("current"), "session")}
_CALENDAR: dict[tuple[str, ...], str] = {
    (which, stem(unit)): f"{which} {unit}"
    for which in ("this", "last")
    for unit in ("week", "month")
}


def _window_at(stems: Sequence[str], at: int) -> tuple[int, Window] | None:
    """The window whose words begin at `at`, and where they end."""
    pair = tuple(stems[at : at + 2])
    if pair in _THIS_SESSION:
        return at + 2, Window("in this session", session=True)
    for length in (3, 2, 1):
        if named := _STEMMED.get(tuple(stems[at : at + length])):
            return at + length, Window(named[0], hours=named[1])
    if counted := _counted(stems, at):
        return counted
    if name := _CALENDAR.get(pair):
        return at + 2, Window(name, calendar=name)
    if stems[at] in _MONTHS and at and stems[at - 1] in ("of", *_SINCE):
        number = _MONTHS.index(stems[at]) + 1
        return at + 1, Window(date(2000, number, 1).strftime("%B"), month=number)
    # A day's name alone may be anything (`sun`, `mon`): `on`, `since` or `last` make it a day.
    if at and stems[at - 1] in _BEFORE_DAYS:
        for number, name in enumerate(_DAYS):
            if stems[at] in (stem(name), name[:3]):
                return at + 1, Window(f"on {name.capitalize()}", weekday=number)
    return None


def _counted(stems: Sequence[str], at: int) -> tuple[int, Window] | None:
    """`last hour`, `past 24 hours`, `last couple of days`; a week or month of one is the calendar's."""
    if stems[at] not in _PAST:
        return None
    count, next_at = _number(stems, at + 1)
    unit = _UNITS.get(stems[next_at]) if next_at < len(stems) else None
    if unit is None or (next_at == at + 1 and unit[0] in ("week", "month") and stems[at] == "last"):
        return None
    name, hours = unit
    label = f"in the last {name}" if count == 1 else f"in the last {count} {name}s"
    return next_at + 1, Window(label, last_hours=count * hours)


def _number(stems: Sequence[str], at: int) -> tuple[int, int]:
    if at >= len(stems):
        return 1, at
    word = stems[at]
    if word.isdecimal() and len(word) < 5:
        return max(1, int(word)), at + 1
    if word in NUMBERS:
        end = at + 2 if stems[at + 1 : at + 2] == ["of"] else at + 1
        return NUMBERS[word], end
    return 1, at
