"""Tests of what history shows on lines: warnings and hints, never infos (DOC-4)."""

from __future__ import annotations

import pytest

from zsh_ls.insights.history import hint, on_history
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import CommandHistory, HostHistory, Rates, RunCounts
from zsh_ls.model.span import Span
from zsh_ls.model.words import Basis

HERE = Span(3, 7)


def lasting(*durations_s: float) -> Estimate:
    return Estimate("make *", Curve.of(map(Sample, durations_s)), Basis.COMMAND)


@pytest.mark.parametrize(
    ("past", "message"),
    [
        (CommandHistory("make", "make", runs=4, streak=-3), "Failing streak: 3. Same approach?"),
        (
            CommandHistory("make", "make", runs=5, timeout_rate=0.75),
            "75% timeout rate for this pattern.",
        ),
        (
            CommandHistory("ssh * ls", "ssh", runs=4, host=HostHistory("box", 4, 2, 0.5)),
            "Host 'box' has 50% connection failure rate (2/4).",
        ),
    ],
)
def test_a_warning_of_history_stands_on_the_line(past: CommandHistory, message: str) -> None:
    assert [(it.message, it.span) for it in on_history(past, HERE)] == [(message, HERE)]


def test_a_timeout_rate_stands_on_the_line_from_five_runs() -> None:
    assert on_history(CommandHistory("make", "make", runs=4, timeout_rate=1.0), HERE) == []


def test_an_info_never_stands_on_a_line_by_history_alone() -> None:
    assert (
        on_history(
            CommandHistory("make", "make", runs=9, streak=9, success_rate=1.0, mean_duration_s=60),
            HERE,
        )
        == []
    )


def test_retries_of_this_session_are_for_the_run_not_for_the_line() -> None:
    assert on_history(CommandHistory("make", "make", runs=2, retries=RunCounts(0, 2)), HERE) == []


@pytest.mark.parametrize(
    ("past", "expected"),
    [
        (
            CommandHistory("m", "m", runs=12, success_rate=0.92, estimate=lasting(45, 47, 50)),
            "~47s · 92% of 12",
        ),
        (
            CommandHistory("m", "m", runs=12, success_rate=1.0, estimate=lasting(45, 47, 50)),
            "~47s · 100% of 12",
        ),
        (
            CommandHistory("m", "m", runs=12, success_rate=0.5, estimate=lasting(0.1, 0.1, 0.1)),
            "50% of 12",
        ),
        (CommandHistory("m", "m", runs=0, estimate=lasting(45, 47, 50)), "~47s"),
        (
            CommandHistory("m", "m", runs=12, success_rate=1.0, estimate=lasting(0.1, 0.1, 0.1)),
            None,
        ),
        (CommandHistory("m", "m", runs=2, success_rate=0.5), None),
        (CommandHistory("m", "m", unjudged=9, everywhere=Rates(unjudged=9)), None),
        (CommandHistory("m", "m", runs=4, success_rate=1.0, everywhere=Rates(9, 0.5)), "50% of 9"),
        (CommandHistory("m", "m", runs=5, success_rate=0.4, everywhere=Rates(9, 0.5)), "40% of 5"),
    ],
)
def test_a_hint_is_there_where_there_is_something_to_know(
    past: CommandHistory, expected: str | None
) -> None:
    assert hint(past) == expected
