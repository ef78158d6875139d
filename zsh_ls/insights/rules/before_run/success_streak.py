"""Rule `success-streak`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

WORTH_SAYING = 3


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=3)
def success_streak(past: CommandHistory) -> Iterator[Insight]:
    """The pattern has succeeded at least three times in a row.

        $ make      #= 0
        $ make      #= 0
        $ make      #= 0
        $ make
        #< info: Streak: 3 successes in a row. Solid.

    A success that hid a failure in a pipeline makes the streak none:

        $ make | tail      #= 2|0
        $ make | tail      #= 0|0
        $ make | tail      #= 0|0
        $ make | tail

    One failure ends it:

        $ make      #= 0
        $ make      #= 0
        $ make      #= 0
        $ make      #= 2
        $ make
    """
    if past.streak >= WORTH_SAYING and past.streak_is_sound:
        message = f"Streak: {past.streak} successes in a row. Solid."
        yield Insight(Level.INFO, message, is_news=False)
