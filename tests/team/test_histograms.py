"""Histograms that are added: in any order, and with quantiles that are those of the durations themselves."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.estimate import Curve, Sample
from zsh_ls.model.histogram import BUCKETS, Histogram, bucket_of, code_of, middle_s
from zsh_ls.model.words import Outcome

OUTCOMES = st.sampled_from(Outcome)
RUNS = st.lists(st.tuples(st.integers(0, 2**31), OUTCOMES))
RANK = Fraction(2, 100)
CLOSE = 1.05


def histogram(runs: list[tuple[int, Outcome]]) -> Histogram:
    return Histogram.of(code_of(duration_ms, outcome) for duration_ms, outcome in runs)


@given(RUNS, RUNS, RUNS)
def test_adding_is_commutative_and_associative(
    a: list[tuple[int, Outcome]], b: list[tuple[int, Outcome]], c: list[tuple[int, Outcome]]
) -> None:
    one, two, three = map(histogram, (a, b, c))
    assert one.plus(two) == two.plus(one)
    assert one.plus(two).plus(three) == one.plus(two.plus(three)) == histogram(a + b + c)
    assert one.plus(Histogram()) == one


def test_buckets_ascend_and_are_narrow() -> None:
    """Each duration is within 1% of what stands for its bucket, from a tenth of a second on."""
    for duration_ms in (*range(5000), *(round(1.07**power) for power in range(1, 320))):
        shown = middle_s(bucket_of(duration_ms)) * 1000
        assert duration_ms == 0 or 0.99 < shown / duration_ms < 1.01
    assert all(middle_s(a) < middle_s(b) for a, b in pairwise(range(BUCKETS)))
    assert bucket_of(2**62) == BUCKETS - 1


def random_history(seed: int) -> list[Sample]:
    """Runs of one or two speeds, some cut short early or late, some failed; more or less spread."""
    numbers = random.Random(seed)
    size = numbers.randint(3, numbers.choice([12, 400]))
    spread = numbers.choice([0.03, 0.2, 0.5, 1.0])
    second = numbers.choice([1.0, 1.0, 3.0, 40.0])
    cut = numbers.choice([0.0, 0.1, 0.4, 0.8, 0.95])
    failing = numbers.choice([0.0, 0.0, 0.2])
    middle_ms = math.exp(numbers.uniform(math.log(50), math.log(600_000)))
    found = []
    for _ in range(size):
        duration_ms = middle_ms * numbers.choice([1.0, second]) * numbers.lognormvariate(0, spread)
        censored = numbers.random() < cut
        if censored:
            duration_ms *= numbers.uniform(0.05, 1.0)
        found.append(
            Sample(round(duration_ms) / 1000, censored, not censored and numbers.random() < failing)
        )
    return found


HISTORIES = st.integers(0, 2**32).map(random_history)


def code(sample: Sample) -> int:
    outcome = Outcome.KILLED if sample.censored else Outcome.SUCCESS
    outcome = Outcome.FAILURE if sample.failed else outcome
    return code_of(round(sample.duration_s * 1000), outcome)


def is_right(samples: list[Sample], still_running: Fraction) -> bool:
    """Between the exact quantiles at ± 2 percentage points, or within 5% of the exact one."""
    exact = Curve.of(samples)
    told = Histogram.of(map(code, samples)).curve.quantile(still_running)
    low = exact.quantile(min(Fraction(1), still_running + RANK))
    high = exact.quantile(max(Fraction(0), still_running - RANK))
    return low / CLOSE <= told <= high * CLOSE


@given(HISTORIES)
def test_the_curve_is_that_of_durations_that_were_moved_within_their_buckets(
    samples: list[Sample],
) -> None:
    """So no duration is off by more than half of a bucket's 1%, and nothing else is lost."""
    moved = [
        it._replace(duration_s=middle_s(bucket_of(round(it.duration_s * 1000)))) for it in samples
    ]
    assert Histogram.of(map(code, samples)).curve == Curve.of(moved)


def test_quantiles_are_those_of_the_durations_themselves() -> None:
    """In 199 of 200 random histories, up to 95% cut short: in a bucket the order of ends is lost."""
    histories = [random_history(seed) for seed in range(1_000)]
    known = [it for it in histories if Curve.of(it).sample_size >= 3]
    outside = [
        it for it in known if not (is_right(it, Fraction(1, 2)) and is_right(it, Fraction(1, 10)))
    ]
    assert len(known) > 700
    assert len(outside) <= len(known) / 200


@given(HISTORIES)
def test_a_second_half_that_comes_first_makes_no_difference(samples: list[Sample]) -> None:
    half = len(samples) // 2
    parts = [Histogram.of(map(code, it)) for it in (samples[half:], samples[:half])]
    assert parts[0].plus(parts[1]).curve == Histogram.of(map(code, samples)).curve
