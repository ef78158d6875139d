"""Tests of times in questions: their beginning and end in the user's time zone."""

from __future__ import annotations

from datetime import datetime

import pytest

from zsh_ls.answers.window import find_window
from zsh_ls.answers.words import words_of

from .world import NOW

# A Saturday, 11:30. question → label, from, to (None: until now)
CASES = {
    "what failed today": ("today", "2026-11-21 00:00", None),
    "what failed so far today": ("today", "2026-11-21 00:00", None),
    "what failed yesterday": ("yesterday", "2026-11-20 00:00", "2026-11-21 00:00"),
    "what failed last night": ("last night", "2026-11-20 18:00", "2026-11-21 06:00"),
    "errors this morning": ("this morning", "2026-11-21 00:00", None),
    "what failed in the last hour": ("in the last hour", "2026-11-21 10:30", None),
    "failures in the past two hours": ("in the last 2 hours", "2026-11-21 09:30", None),
    "over the last couple of days": ("in the last 2 days", "2026-11-19 11:30", None),
    "within the last 30 minutes": ("in the last 30 minutes", "2026-11-21 11:00", None),
    "this week": ("this week", "2026-11-16 00:00", None),
    "last week": ("last week", "2026-11-09 00:00", "2026-11-16 00:00"),
    "last month": ("last month", "2026-10-01 00:00", "2026-11-01 00:00"),
    "this month": ("this month", "2026-11-01 00:00", None),
    "what failed on Thursday": ("on Thursday", "2026-11-19 00:00", "2026-11-20 00:00"),
    "what failed since Thursday": ("since Thursday", "2026-11-19 00:00", None),
    "what failed since yesterday": ("since yesterday", "2026-11-20 00:00", None),
}


@pytest.mark.parametrize("question", CASES)
def test_a_window_lies_where_the_words_say(question: str) -> None:
    label, begin, end = CASES[question]
    found = find_window([word.stem for word in words_of(question)])
    assert found is not None
    assert found.window.label == label
    since, until = found.window.bounds(NOW)
    assert since == _unix(begin)
    assert until == (None if end is None else _unix(end))


def _unix(text: str) -> float:
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=NOW.tzinfo).timestamp()


def test_this_session_has_no_times() -> None:
    found = find_window([word.stem for word in words_of("what failed in this session")])
    assert found is not None
    assert found.window.session
    assert found.window.bounds(NOW) == (None, None)


@pytest.mark.parametrize("question", ["what failed last", "the last command", "how long"])
def test_the_last_one_is_no_time(question: str) -> None:
    assert find_window([word.stem for word in words_of(question)]) is None
