"""Rule `frequent-timeouts`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import percent
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

OFTEN = 0.5
ENOUGH_RUNS = 3


@rule(RuleKind.BEFORE_RUN, Level.WARNING, order=5, on_lines=True)
def frequent_timeouts(past: CommandHistory) -> Iterator[Insight]:
    """More than half of at least three runs, the latest counting most, ran into their timeout.

        $ ./sync.sh     #= timeout 120s
        $ ./sync.sh     #= timeout 120s
        $ ./sync.sh     #= timeout 120s
        $ ./sync.sh
        #< warning: 100% timeout rate for this pattern.

    One timeout says little:

        $ ./sync.sh     #= timeout 120s
        $ ./sync.sh
    """
    if past.timeout_rate > OFTEN and past.runs >= ENOUGH_RUNS:
        rate = percent(past.timeout_rate)
        message = f"{rate} timeout rate for this pattern."
        yield Insight(Level.WARNING, message, is_news=past.retries_are_of_this_text)
