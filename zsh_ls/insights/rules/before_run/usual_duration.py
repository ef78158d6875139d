"""Rule `usual-duration`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import whole_seconds
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.estimate import WIDEST
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Basis, Level, Scope

WORTH_SAYING_S = 10.0
# What is shorter changes no plan.
WORTH_READING_S = 30.0
# Where a tenth of the runs takes more than twice the median, nobody can plan by it.
NARROW = 2
FIRST_RUNS = 2
OWN_BASES = (Basis.EXACT, Basis.COMMAND)


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=7)
def usual_duration(past: CommandHistory) -> Iterator[Insight]:
    """The command takes longer than ten seconds here: half of its runs do, or the first two in the mean.

        $ make world        #= 0 40s
        $ make world        #= 0 54s
        $ make world
        #< info: Usually takes ~47s.

    What other projects or other commands take is not said, and nothing is said where
    durations differ too much to expect one:

        $ sleep 2           #= 0 2s
        $ sleep 600         #= 0 600s
        $ sleep 2           #= 0 2s
        $ sleep 600         #= 0 600s
        $ sleep 2           #= 0 2s
        $ sleep 60

    Nor what the same took with other numbers:

        $ sleep 30          #= 0 30s
        $ sleep 5

    Nor less than it is known to have lasted:

        $ make e2e          #= 1 12s
        $ make e2e          #= timeout 120s
        $ make e2e

    Ten seconds are bearable without a word:

        $ make world        #= 0 10s
        $ make world
    """
    usual_s = _usual_s(past)
    if usual_s > WORTH_SAYING_S:
        # Whoever ran it in the last quarter of an hour has just seen how long it takes.
        has_seen = bool(past.retries.total)
        is_news = usual_s >= WORTH_READING_S and not has_seen and _can_plan_by(past, usual_s)
        message = f"Usually takes ~{whole_seconds(usual_s)}."
        yield Insight(Level.INFO, message, is_news=is_news)


def _usual_s(past: CommandHistory) -> float:
    """The median of this command in this project, or the mean of its first runs; else 0.0."""
    estimate = past.estimate
    if estimate is None:
        return _first_runs_s(past)
    if estimate.basis not in OWN_BASES or estimate.scope is not Scope.PROJECT:
        return 0.0
    own = [it.duration_s for it in past.own_durations if not it.censored]
    # `sleep 2` is of the same hash as `sleep 60`: its own runs know better.
    differs = bool(own) and estimate.median_s > WIDEST * sum(own) / len(own)
    return 0.0 if differs else estimate.median_s


def _first_runs_s(past: CommandHistory) -> float:
    """The mean of the command's first runs; 0.0 where it is not of this text, or one lasted longer."""
    ended = [it for it in past.own_durations if not it.censored]
    mean_s = past.mean_duration_s
    is_theirs = len(ended) == past.ended <= FIRST_RUNS
    lasted_longer = any(it.censored and it.duration_s > mean_s for it in past.own_durations)
    return mean_s if is_theirs and not lasted_longer and not past.too_wide else 0.0


def _can_plan_by(past: CommandHistory, usual_s: float) -> bool:
    """Whether the next run takes about as long: one or two runs do not tell, nor do unsteady ones."""
    estimate = past.estimate
    return estimate is not None and estimate.is_steady and estimate.p90_s <= NARROW * usual_s
