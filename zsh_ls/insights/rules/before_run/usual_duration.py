"""Rule `usual-duration`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import whole_seconds
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Basis, Level, Scope

WORTH_SAYING_S = 10.0
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

    Ten seconds are bearable without a word:

        $ make world        #= 0 10s
        $ make world
    """
    usual_s = _usual_s(past)
    if usual_s > WORTH_SAYING_S:
        yield Insight(Level.INFO, f"Usually takes ~{whole_seconds(usual_s)}.")


def _usual_s(past: CommandHistory) -> float:
    """The median of this command in this project, or the mean of its first runs; else 0.0."""
    estimate = past.estimate
    if estimate is not None:
        is_its_own = estimate.basis in OWN_BASES and estimate.scope is Scope.PROJECT
        return estimate.median_s if is_its_own else 0.0
    is_new = past.ended <= FIRST_RUNS and not past.too_wide
    return past.mean_duration_s if is_new else 0.0
