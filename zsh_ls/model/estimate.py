"""Estimates a command's duration from runs that ended and runs that were cut short (POLL-4).

Kaplan-Meier (1958) product-limit estimates in exact arithmetic: a run that was
killed or timed out is known to have lasted at least so long, no more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import ceil

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple

from .words import Basis, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

MIN_SAMPLES = 3
MIN_SUCCESSES = 3
"""With as many, a failure only tells how long the command takes at least."""
STEADY_FROM, STEADY_TO = 0.8, 1.25
"""Of a steady command the quartiles are no further from the median than these times."""
WIDEST = 10
"""A basis whose p90 is more medians than this tells no duration (ALAN-14)."""


class Sample(NamedTuple):
    """One run's duration; `censored` if it was cut short, so that it is only a lower bound.

    `failed` if the run ended by itself with a failure (no known normal exit).
    """

    duration_s: float
    censored: bool = False
    failed: bool = False


# One of each pair of numbers, for curves of the usual size.
_USUAL_RUNS = 64
_PAIRS: dict[tuple[int, int], tuple[int, int]] = {}


@attrs.frozen
class Curve:
    """The survival function of a set of samples.

    `durations_s` ascend; `ends[i]` says how many runs were still going until
    `durations_s[i]` and how many of them ended there. `longest_s` is the
    longest duration seen, ended or not.
    """

    durations_s: tuple[float, ...]
    ends: tuple[tuple[int, int], ...]
    longest_s: float
    sample_size: int

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Curve:
        """The curve of `samples`; those censored at a duration count as longer than it.

        With MIN_SUCCESSES, failures are censored too: three that end at once are not how
        long a deploy takes.
        """
        seen = list(samples)
        successes = sum(not (sample.censored or sample.failed) for sample in seen)
        few = successes < MIN_SUCCESSES
        ordered = sorted((it.duration_s, it.censored or (it.failed and not few)) for it in seen)
        ends: dict[float, tuple[int, int]] = {}
        for at_risk, (duration_s, censored) in zip(
            range(len(ordered), 0, -1), ordered, strict=True
        ):
            if not censored:
                until, ended_there = ends.get(duration_s, (at_risk, 0))
                pair = until, ended_there + 1
                # Thousands of curves are kept, of at most 64 runs each, and half of a curve is these.
                ends[duration_s] = _PAIRS.setdefault(pair, pair) if until <= _USUAL_RUNS else pair
        ended = sum(ended_there for _, ended_there in ends.values())
        longest_s = ordered[-1][0] if ordered else 0.0
        return cls(tuple(ends), tuple(ends.values()), longest_s, ended)

    @cached_property
    def survival(self) -> tuple[Fraction, ...]:
        """`survival[i]` is the share still running right after `durations_s[i]`."""
        from fractions import Fraction  # noqa: PLC0415  loads a module of decimals, too

        return tuple(Fraction(*step) for step in self._survival_steps())

    def _survival_steps(self) -> Iterator[tuple[int, int]]:
        """Numerators and denominators, not reduced, because hints of a script need hundreds of curves."""
        running, of = 1, 1
        for until, ended_there in self.ends:
            running, of = running * (until - ended_there), of * until
            yield running, of

    @cached_property
    def median_s(self) -> float:
        """The duration in which half of the runs end."""
        return self._quantile(1, 2)

    @cached_property
    def p90_s(self) -> float:
        """The duration in which nine of ten runs end."""
        return self._quantile(1, 10)

    @cached_property
    def quartiles_s(self) -> tuple[float, float]:
        """The durations between which the middle half of the runs end."""
        return self._quantile(3, 4), self._quantile(1, 4)

    @cached_property
    def is_too_wide(self) -> bool:
        """Whether durations differ so much that their median says nothing of the next run (ALAN-14)."""
        return self.p90_s > WIDEST * self.median_s

    def quantile(self, still_running: Fraction) -> float:
        """The smallest duration at which survival is below `still_running`, else the longest seen."""
        return self._quantile(*still_running.as_integer_ratio())

    def _quantile(self, share: int, whole: int) -> float:
        for duration_s, (running, of) in zip(self.durations_s, self._survival_steps(), strict=True):
            if running * whole < share * of:
                return duration_s
        return self.longest_s

    def completed_by(self, elapsed_s: float) -> Fraction:
        """The share of runs that have ended after `elapsed_s`."""
        reached = bisect_right(self.durations_s, elapsed_s)
        from fractions import Fraction  # noqa: PLC0415  as above

        return 1 - self.survival[reached - 1] if reached else Fraction(0)


@attrs.frozen
class Estimate:
    """An estimate of a duration, what it is based on, and whose history that is; `agents` of a team's."""

    command_template: str
    curve: Curve
    basis: Basis
    scope: Scope = Scope.PROJECT
    agents: int | None = None

    @property
    def sample_size(self) -> int:
        """How many runs ended by themselves."""
        return self.curve.sample_size

    @property
    def median_s(self) -> float:
        """The duration in which half of the runs end."""
        return self.curve.median_s

    @property
    def is_too_wide(self) -> bool:
        """Whether durations differ so much that their median says nothing of the next run (ALAN-14)."""
        return self.curve.is_too_wide

    @property
    def is_steady(self) -> bool:
        """Whether the middle half of the runs took about as long as the median."""
        median_s = self.median_s
        low_s, high_s = self.curve.quartiles_s
        return low_s >= STEADY_FROM * median_s and high_s <= STEADY_TO * median_s

    @property
    def p90_s(self) -> float:
        """The duration in which nine of ten runs end."""
        return self.curve.p90_s

    def completion_probability(self, elapsed_s: float) -> float:
        """The share of runs that have ended after `elapsed_s`, rounded to two decimals."""
        return round(float(self.curve.completed_by(elapsed_s)), 2)

    def next_useful_poll_s(self, elapsed_s: float) -> float | None:
        """Seconds until a poll is useful: to the median, then to the p90; None after that."""
        for moment_s in (self.median_s, self.p90_s):
            if elapsed_s < moment_s:
                return float(ceil(moment_s - elapsed_s) + 1)
        return None
