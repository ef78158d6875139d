"""Rule `reliable-pattern`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import percent
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

from .frequent_timeouts import OFTEN

RELIABLE = 0.9
ENOUGH_RUNS = 5


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=6)
def reliable_pattern(past: CommandHistory) -> Iterator[Insight]:
    """More than nine in ten of at least five runs succeeded, the latest counting most.

    A run that hid a failure in a pipeline is no success here. It is not said of a
    pattern that times out more often than not.

        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs
        #< info: Reliable pattern: 100% success (5 runs).

    Four runs are too few to say so:

        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs     #= 0
        $ make docs
    """
    times_out = past.timeout_rate > OFTEN
    if not times_out and past.success_rate > RELIABLE and past.runs >= ENOUGH_RUNS:
        rate = percent(past.success_rate)
        message = f"Reliable pattern: {rate} success ({past.runs} runs)."
        yield Insight(Level.INFO, message, is_news=False)
