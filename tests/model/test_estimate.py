"""Estimates equal Kaplan-Meier in exact arithmetic; without censored runs, plain quantiles."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.words import Basis

durations = st.lists(st.integers(0, 500).map(float), min_size=3, max_size=64)


def estimate(samples: list[Sample]) -> Estimate:
    return Estimate("x *", Curve.of(samples), Basis.COMMAND)


@given(durations)
def test_without_censored_runs_quantiles_are_positions_in_the_sorted_list(
    lasted: list[float],
) -> None:
    ordered, n = sorted(lasted), len(lasted)
    it = estimate([Sample(d) for d in lasted])
    assert it.median_s == ordered[n // 2]
    assert it.p90_s == ordered[9 * n // 10]
    assert it.completion_probability(ordered[0]) == round(lasted.count(ordered[0]) / n, 2)


@given(durations, st.integers(0, 500).map(float))
def test_probability_is_the_plain_share_of_runs_that_have_ended(
    lasted: list[float], elapsed: float
) -> None:
    share = sum(d <= elapsed for d in lasted) / len(lasted)
    assert estimate([Sample(d) for d in lasted]).completion_probability(elapsed) == round(share, 2)


def test_a_killed_run_pushes_the_median_up_and_is_no_sample() -> None:
    it = estimate([Sample(1.0), Sample(2.0), Sample(3.0), Sample(1.5, censored=True)])
    assert it.sample_size == 3
    assert it.curve.survival == (Fraction(3, 4), Fraction(3, 8), Fraction(0))
    assert it.median_s == 2.0


def test_a_run_cut_at_a_duration_outlives_one_that_ended_there() -> None:
    assert Curve.of([Sample(1.0, censored=True), Sample(1.0)]).survival == (Fraction(1, 2),)


def test_where_survival_never_falls_the_longest_duration_serves() -> None:
    it = estimate([Sample(1.0), Sample(9.0, censored=True), Sample(8.0, censored=True)])
    assert (it.median_s, it.p90_s) == (9.0, 9.0)


@pytest.mark.parametrize(("elapsed_s", "expected"), [(42.1, 6.0), (47.0, 134.0), (180.0, None)])
def test_asking_again_is_worth_it_after_the_median_then_after_the_p90(
    elapsed_s: float, expected: float | None
) -> None:
    it = estimate([Sample(d) for d in [40, 41, 42, 43, 44, 47, 50, 60, 70, 180.0]])
    assert it.next_useful_poll_s(elapsed_s) == expected
