"""Rule `usual-duration`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import whole_seconds
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

WORTH_SAYING_S = 10.0


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=7)
def usual_duration(past: CommandHistory) -> Iterator[Insight]:
    """The pattern takes longer than ten seconds in the mean.

        $ make world        #= 0 40s
        $ make world        #= 0 54s
        $ make world
        #< info: Usually takes ~47s.

    Ten seconds are bearable without a word:

        $ make world        #= 0 10s
        $ make world
    """
    if past.mean_duration_s > WORTH_SAYING_S:
        duration = whole_seconds(past.mean_duration_s)
        yield Insight(Level.INFO, f"Usually takes ~{duration}.")
