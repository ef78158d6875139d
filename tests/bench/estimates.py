"""How far estimates are from the truth: bias and error of median and p90, by simulation.

`python -m tests.bench estimates`. Durations are log-normal around 60 s. Each
case is drawn many times; `bias` is the mean of (estimate - truth) / truth, and
`error` the median of its absolute value, in percent. Estimators: `ring-64` is
the product's (Kaplan-Meier on the last 64 runs), the others are what it was
chosen over. In the killed case, 40% of the runs are given a time at which they
would be killed, evenly between 0 and 1.5 medians.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import exp
from statistics import fmean, median

import attrs

from zsh_ls.alan.learning.pattern import LONGEST_MS, curve_of, with_sample
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.words import Basis

TYPICAL_S = 60.0
SPREAD = 0.6
P90_SIGMA = 1.2815515655446004
REPEATS = 200
SLOWDOWN = 3.0
SINCE_SLOWDOWN = 100
KILLED_SHARE = 0.4

Runs = Sequence[Sample]
Estimator = Callable[[Runs], Estimate]


@attrs.frozen
class Case:
    """Runs drawn from a law, and the true median and p90 of a run now."""

    name: str
    draw: Callable[[random.Random], Runs]
    median_s: float = TYPICAL_S

    @property
    def p90_s(self) -> float:
        return self.median_s * exp(SPREAD * P90_SIGMA)


def lasted(rng: random.Random, median_s: float = TYPICAL_S) -> float:
    return median_s * rng.lognormvariate(0, SPREAD)


def stationary(rng: random.Random) -> Runs:
    return [Sample(lasted(rng)) for _ in range(2000)]


def few(rng: random.Random) -> Runs:
    return [Sample(lasted(rng)) for _ in range(5)]


def drifting(rng: random.Random) -> Runs:
    before = [Sample(lasted(rng)) for _ in range(2000)]
    slow = TYPICAL_S * SLOWDOWN
    return before + [Sample(lasted(rng, slow)) for _ in range(SINCE_SLOWDOWN)]


def killed(rng: random.Random) -> Runs:
    return [_perhaps_killed(rng, lasted(rng)) for _ in range(2000)]


def _perhaps_killed(rng: random.Random, would_last_s: float) -> Sample:
    kill_at_s = rng.uniform(0, 1.5 * TYPICAL_S)
    if rng.random() < KILLED_SHARE and kill_at_s < would_last_s:
        return Sample(kill_at_s, censored=True)
    return Sample(would_last_s)


def of_curve(curve: Curve) -> Estimate:
    return Estimate("simulated *", curve, Basis.COMMAND)


def ring_64(runs: Runs) -> Estimate:
    """Through the store's own bytes."""
    ring = b""
    for run in runs:
        ring = with_sample(
            ring, min(round(run.duration_s * 1000), LONGEST_MS), censored=run.censored
        )
    return of_curve(curve_of(ring))


def latest(count: int) -> Estimator:
    return lambda runs: of_curve(Curve.of(runs[-count:]))


def kills_as_ends(runs: Runs) -> Estimate:
    return of_curve(Curve.of(Sample(run.duration_s) for run in runs[-64:]))


def ends_only(runs: Runs) -> Estimate:
    return of_curve(Curve.of(run for run in runs[-64:] if not run.censored))


CASES = (
    Case("stationary, 2000 runs", stationary),
    Case("only 5 runs", few),
    Case("3x slower since 100 runs", drifting, TYPICAL_S * SLOWDOWN),
    Case("40% marked for killing", killed),
)
ESTIMATORS: dict[str, Estimator] = {
    "ring-64 (ours)": ring_64,
    "last 32": latest(32),
    "last 128": latest(128),
    "last 256": latest(256),
    "all runs": latest(10_000),
    "kills as ends": kills_as_ends,
    "without killed": ends_only,
}


def measure(case: Case, repeats: int) -> None:
    print(f"\n{case.name:26} {'median: bias':>13} {'error':>7} {'p90: bias':>12} {'error':>7}   %")
    rng = random.Random(7)
    histories = [case.draw(rng) for _ in range(repeats)]
    for name, estimator in ESTIMATORS.items():
        estimates = [estimator(runs) for runs in histories]
        off = [100 * (it.median_s / case.median_s - 1) for it in estimates]
        off_p90 = [100 * (it.p90_s / case.p90_s - 1) for it in estimates]
        print(
            f"  {name:24} {fmean(off):13.1f} {median(map(abs, off)):7.1f}"
            f" {fmean(off_p90):12.1f} {median(map(abs, off_p90)):7.1f}"
        )


def main(arguments: list[str]) -> None:
    repeats = int(arguments[0]) if arguments else REPEATS
    for case in CASES:
        measure(case, repeats)
