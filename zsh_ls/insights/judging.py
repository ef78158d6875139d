"""Which rules speak of a run, and in which order."""

from __future__ import annotations

from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

from .news import OPTIONS_FOR, with_news_marked
from .registry import RuleKind, rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.history import CommandHistory


def before_run(past: CommandHistory, *, rerun: bool = False) -> list[Insight]:
    """The insights from memory about a command that is about to run, in the order of ALAN-8.

    A `rerun`, for which a person pressed "again", is no retry.
    """
    return [
        insight
        for rule in rules_of(RuleKind.BEFORE_RUN)
        if not (rerun and rule.name == "retry")
        for insight in rule.insights(past)
    ]


def after_run(run: CompletedRun) -> list[Insight]:
    """What the exits of a run that ended by itself mean, in the order of ALAN-9.

    Spans are of the text of `run.command`.
    """
    if not run.ended_by_itself:
        return []
    found = [insight for rule in rules_of(RuleKind.AFTER_RUN) for insight in rule.insights(run)]
    return with_news_marked(found, run)


def options_insight(base: str, table: str) -> Insight:
    """The options of a command that keeps failing: a heading, and on the next lines the table (MAN-1)."""
    return Insight(Level.INFO, f"{OPTIONS_FOR}{base}:\n{table}", "options")
