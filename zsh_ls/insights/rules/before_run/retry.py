"""Rule `retry`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.BEFORE_RUN, Level.INFO, Level.WARNING, order=1)
def retry(past: CommandHistory) -> Iterator[Insight]:
    """The command ran already in this session, in the last 15 minutes.

    What became of those runs is the best guess about this one. When all of them
    failed, the same words once more seldom help. It is not said to a person who pressed
    the key that runs it again.

        $ make check        #= 2
        $ make check        #= 2
        $ make check
        #< warning: Retry #3. Previous 2 all failed. Different approach?

    Twenty minutes later it is no retry any more:

        $ make check        #= 0
        +20m
        $ make check
    """
    tried = past.retries
    if not tried.total:
        return
    number = tried.total + 1
    # `./bench --threads 2` is the same pattern as `./bench --threads 8`, and no retry of it.
    same_text = past.retries_are_of_this_text
    if tried.succeeded == tried.total:
        message = f"Retry #{number}. Previous {tried.total} succeeded."
        yield Insight(Level.INFO, message, is_news=False)
    elif not tried.succeeded:
        yield Insight(
            Level.WARNING,
            f"Retry #{number}. Previous {tried.total} all failed. Different approach?",
            is_news=same_text and tried.total > 1,
        )
    else:
        share = f"{tried.succeeded}/{tried.total}"
        message = f"Retry #{number} in last 15m. {share} succeeded."
        yield Insight(Level.INFO, message, is_news=same_text)
