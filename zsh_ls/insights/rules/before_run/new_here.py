"""Rule `new-here`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import percent, whole_seconds
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

GOOD_PERCENT = 80


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=8)
def new_here(past: CommandHistory) -> Iterator[Insight]:
    """The command never ran in this project, and others know it.

        ~/one $ npm test       #= 0 9s
        ~/one $ npm test       #= 1 9s
        ~/two $ npm test
        #< info: New here. Elsewhere: 50% of 2.

    An exit that is a normal answer, as of a search that finds nothing, is no failure:

        ~/one $ rg -n deprecated src    #= 1
        ~/two $ rg -n deprecated src
        #< info: New here. Elsewhere: 100% of 1.

    A history that was imported without exits does not say how it went, and is not told.

    Where no other project of this machine knows it, but the team does (TEAM-4), it is
    `New here. Team: 92% of 240 by 9, ~47s.`

    Where the project knows it, others are not asked:

        ~/one $ npm test       #= 0 9s
        ~/two $ npm test       #= 0 9s
        ~/two $ npm test
    """
    elsewhere, team = past.everywhere, past.team
    if past.is_known_here or not (elsewhere.runs or team):
        return
    estimate_s = past.estimate.median_s if past.estimate is not None else 0.0
    duration = f", ~{whole_seconds(estimate_s)}" if round(estimate_s) else ""
    if team is not None and not elsewhere.runs:
        runs = team.outcomes.runs
        share = team.outcomes.succeeded / runs
        known = f"Team: {percent(share)} of {runs} by {team.agents}"
    else:
        share = elsewhere.success_rate + elsewhere.normal_rate
        known = f"Elsewhere: {percent(share)} of {elsewhere.runs}"
    message = f"New here. {known}{duration}."
    yield Insight(Level.INFO, message, is_news=round(100 * share) < GOOD_PERCENT)
