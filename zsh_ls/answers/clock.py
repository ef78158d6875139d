"""Times of day in a question: `at half past five`, `around ten`, `at 10:45`."""

from __future__ import annotations

from datetime import datetime

from zsh_ls.lazy import attrs, re

_FOUND = re.compile(
    r"\b(?:at|around|about|from(?=[\w ]{1,12}o'?clock))(?: like)? "
    r"(?:(?P<part>half past|quarter past|quarter to|ten to|ten"
    r" past|twenty to|"
    r"twenty past|five to|five past)"
    r" )?(?P<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve)(?::(?P<minute>\d\d))?(?: ?o'?clock)?\b(?!"
    r" (?:gig|time|percent|run|minute|second|hour|test))",
    re.IGNORECASE,
)
_HOURS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_PARTS = {
    "half past": 30, "quarter past": 15, "quarter to": -15, "ten to": -10, "ten past": 10, "twenty to": -20,
    "twenty past": 20, "five to": -5, "five past": 5,
}  # fmt: skip
HALF_DAY_MIN = 720


@attrs.frozen
class Clock:
    """A time of day, in minutes since midnight; of which half of the day is not known."""

    minutes: int

    def minutes_from(self, then: datetime) -> int:
        """How many minutes lie between it and a moment, by the nearer half of the day."""
        apart = abs(then.hour * 60 + then.minute - self.minutes) % HALF_DAY_MIN
        return min(apart, HALF_DAY_MIN - apart)


_SINCE = re.compile(
    r"\b(?:since|after)(?: like| about| around)? (?P<hour>\d{1,2}|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|"
    r"eleven|twelve)(?::(?P<minute>\d\d))?(?: ?o'?clock)?(?: ?(?P<half>am|pm))?(?=\W*$|,)",
    re.IGNORECASE,
)


def take_since(text: str) -> tuple[str, Clock | None]:
    """The text without `since TIME` at its end, and that time; None where there is none."""
    found = _SINCE.search(text)
    if found is None:
        return text, None
    said = found["hour"].lower()
    hour = int(said) if said.isdigit() else _HOURS.index(said)
    if (found["half"] or "").lower() == "pm" and hour < 12:
        hour += 12
    if hour > 23:
        return text, None
    return f"{text[: found.start()]} {text[found.end() :]}", Clock(
        hour * 60 + int(found["minute"] or 0)
    )


def take_clock(text: str) -> tuple[str, Clock | None]:
    """The text without a time of day, and that time; None where it names none."""
    found = _FOUND.search(text)
    if found is None:
        return text, None
    said = found["hour"].lower()
    hour = int(said) if said.isdigit() else _HOURS.index(said)
    if hour > 23:
        return text, None
    minutes = hour * 60 + int(found["minute"] or 0) + _PARTS.get((found["part"] or "").lower(), 0)
    return f"{text[: found.start()]} {text[found.end() :]}", Clock(minutes)
