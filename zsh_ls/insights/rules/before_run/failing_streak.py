"""Rule `failing-streak`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

WORTH_SAYING = 3


@rule(RuleKind.BEFORE_RUN, Level.WARNING, order=4, on_lines=True)
def failing_streak(past: CommandHistory) -> Iterator[Insight]:
    """The pattern has failed, timed out or been killed at least three times in a row.

        $ make      #= 2
        $ make      #= 2
        $ make      #= 2
        $ make
        #< warning: Failing streak: 3. Same approach?

    An exit that is a normal answer, as of a search that finds nothing, is no failure:

        $ grep -q needle hay    #= 1
        $ grep -q needle hay    #= 1
        $ grep -q needle hay    #= 1
        $ grep -q needle hay
    """
    if past.streak <= -WORTH_SAYING:
        message = f"Failing streak: {-past.streak}. Same approach?"
        yield Insight(Level.WARNING, message, is_news=past.retries_are_of_this_text)
