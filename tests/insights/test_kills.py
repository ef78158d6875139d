"""Tests of the classification of kills: each row of the table, its message and colour."""

from __future__ import annotations

import pytest

from zsh_ls.insights.kills import formatted_insight, judge_kill
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import KillHistory
from zsh_ls.model.results import KillInsight
from zsh_ls.model.words import Basis

MAKE = Estimate(
    "make *", Curve.of([Sample(10.0), Sample(18.2), Sample(30.0)]), Basis.TEMPLATE
)  # median 18.2


Known = tuple[KillHistory, Estimate | None]


def past(
    killed: int = 1,
    runs: int = 9,
    session_killed: int = 1,
    session_runs: int = 4,
    estimate: Estimate | None = MAKE,
) -> Known:
    return KillHistory("make *", killed, runs, session_killed, session_runs), estimate


def problem(percent: int, killed: int, runs: int) -> str:
    return (
        f"'make *' gets killed {percent}% of the time ({killed}/{runs}). "
        "This pattern may need a different approach."
    )


@pytest.mark.parametrize(
    ("known", "elapsed_s", "category", "message"),
    [
        (past(killed=3, runs=5), 1.0, "PATTERN_PROBLEM", problem(60, 3, 5)),
        (past(killed=3, runs=3, estimate=None), 1.0, "PATTERN_PROBLEM", problem(100, 3, 3)),
        (past(killed=3, runs=6), 18.0, "NORMAL_KILL", "Killed 'make *' at 18.0s (median: 18.2s)."),
        (past(killed=2, runs=3), 18.0, "NORMAL_KILL", "Killed 'make *' at 18.0s (median: 18.2s)."),
        (past(killed=3, session_killed=3), 1.0, "PATTERN_PROBLEM", problem(75, 3, 4)),
        (
            past(estimate=None),
            4.26,
            "UNKNOWN",
            "Killed after 4.3s. Not enough history to classify.",
        ),
        (
            past(),
            9.0,
            "EARLY_KILL",
            (
                "Killed 'make *' at 9.0s. Median completion is 18.2s. "
                "This command likely needs more time."
            ),
        ),
        (past(), 9.1, "NORMAL_KILL", "Killed 'make *' at 9.1s (median: 18.2s)."),
        (past(), 36.4, "NORMAL_KILL", "Killed 'make *' at 36.4s (median: 18.2s)."),
        (
            past(),
            36.5,
            "LATE_KILL",
            (
                "Killed 'make *' after 36.5s. Median is 18.2s. "
                "Something is wrong — this isn't normal duration."
            ),
        ),
    ],
)
def test_a_kill_is_judged_by_the_first_row_that_matches(
    known: KillHistory, elapsed_s: float, category: str, message: str
) -> None:
    expected = KillInsight("make *", round(elapsed_s * 1000), category, message)
    assert judge_kill(*known, elapsed_s, idle_s=0.5) == expected


# KILL-2
@pytest.mark.parametrize(
    "known",
    [past(), past(estimate=None), past(killed=9, runs=9), past(killed=3, session_killed=3)],
)
def test_the_kill_of_a_development_server_says_nothing_of_its_pattern(known: KillHistory) -> None:
    expected = KillInsight("make *", 41_000, "UNKNOWN", "Killed after 41.0s.")
    assert judge_kill(*known, 41.0, idle_s=40.0, is_server=True) == expected


# KILL-3
@pytest.mark.parametrize(
    ("idle_s", "ending"),
    [
        (9.9, "(median: 18.2s)."),
        (10.0, "(median: 18.2s). Command produced no output for 10.0s before kill."),
        (12.34, "(median: 18.2s). Command produced no output for 12.3s before kill."),
    ],
)
def test_ten_silent_seconds_before_a_kill_are_said(idle_s: float, ending: str) -> None:
    assert judge_kill(*past(), 18.0, idle_s).message == f"Killed 'make *' at 18.0s {ending}"


# KILL-4
@pytest.mark.parametrize(
    ("category", "colour"),
    [
        ("EARLY_KILL", "33"),
        ("PATTERN_PROBLEM", "33"),
        ("LATE_KILL", "31"),
        ("NORMAL_KILL", "2"),
        ("UNKNOWN", "2"),
    ],
)
def test_the_judgement_is_shown_in_the_colour_of_its_category(category: str, colour: str) -> None:
    insight = KillInsight("make *", 1000, category, "Killed.")
    assert formatted_insight(insight, colour=False) == "[A.L.A.N.: Killed.]"
    assert formatted_insight(insight, colour=True) == f"\x1b[{colour}m[A.L.A.N.: Killed.]\x1b[0m"
