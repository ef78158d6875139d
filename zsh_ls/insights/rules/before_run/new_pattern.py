"""Rule `new-pattern`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=8)
def new_pattern(past: CommandHistory) -> Iterator[Insight]:
    """Nothing is known of the command: its pattern was never seen, in no project, and the team knows none.

    White space, the content of quotes and whole numbers make no new pattern.

        $ make all
        #< info: New pattern. No history yet.

    Another count of the same is none:

        $ head -n 10 log    #= 0
        $ head -n 20 log
    """
    if not past.everywhere.is_known and past.team is None:
        yield Insight(Level.INFO, "New pattern. No history yet.", is_news=False)
