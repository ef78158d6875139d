"""How long a command takes, from the runs that ended and those that were cut short (POLL-4).

Kaplan-Meier (1958) product-limit estimates in exact arithmetic: a run that was
killed or timed out is known to have lasted at least so long, no more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from math import ceil

import attrs

from .words import Basis

MIN_SAMPLES = 3


@attrs.frozen
class Sample:
    """One run's duration; `censored` where it was cut short and would have lasted longer."""

    duration_s: float
    censored: bool = False


@attrs.frozen
class Curve:
    """The survival function of a set of samples.

    `durations_s` ascend; `survival[i]` is the share still running right after
    `durations_s[i]`. `longest_s` is the longest duration seen, ended or not.
    """

    durations_s: tuple[float, ...]
    survival: tuple[Fraction, ...]
    longest_s: float
    sample_size: int

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Curve:
        """The curve of `samples`; those censored at a duration outlive the ones that ended there."""
        ordered = sorted(samples, key=lambda sample: (sample.duration_s, sample.censored))
        survival, at_risk = Fraction(1), len(ordered)
        steps: dict[float, Fraction] = {}
        for sample in ordered:
            if not sample.censored:
                survival *= Fraction(at_risk - 1, at_risk)
                steps[sample.duration_s] = survival
            at_risk -= 1
        ended = sum(not sample.censored for sample in ordered)
        longest_s = ordered[-1].duration_s if ordered else 0.0
        return cls(tuple(steps), tuple(steps.values()), longest_s, ended)

    def quantile(self, still_running: Fraction) -> float:
        """The smallest duration where survival falls below `still_running`, else the longest seen."""
        for duration_s, survival in zip(self.durations_s, self.survival, strict=True):
            if survival < still_running:
                return duration_s
        return self.longest_s

    def completed_by(self, elapsed_s: float) -> Fraction:
        """The share of runs that have ended after `elapsed_s`."""
        reached = bisect_right(self.durations_s, elapsed_s)
        return 1 - self.survival[reached - 1] if reached else Fraction(0)


@attrs.frozen
class Estimate:
    """What history says of a command's duration, and whose history it is."""

    command_template: str
    curve: Curve
    basis: Basis

    @property
    def sample_size(self) -> int:
        """Runs that ended by themselves."""
        return self.curve.sample_size

    @property
    def median_s(self) -> float:
        """Half of the runs have ended by then."""
        return self.curve.quantile(Fraction(1, 2))

    @property
    def p90_s(self) -> float:
        """Nine of ten runs have ended by then."""
        return self.curve.quantile(Fraction(1, 10))

    def completion_probability(self, elapsed_s: float) -> float:
        """The share of runs that have ended after `elapsed_s`, two decimals."""
        return round(float(self.curve.completed_by(elapsed_s)), 2)

    def next_useful_poll_s(self, elapsed_s: float) -> float | None:
        """Seconds until asking again is worth it: to the median, then to the p90, then unknown."""
        for moment_s in (self.median_s, self.p90_s):
            if elapsed_s < moment_s:
                return float(ceil(moment_s - elapsed_s) + 1)
        return None
