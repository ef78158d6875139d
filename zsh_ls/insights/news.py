"""Which insights are news: others are left out of texts for agents, terminals and editors (ALAN-16, CLI-20).

Each rule says of its insights whether they are. What the run's own end has overtaken, or its output says
already, is none any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level, Outcome

OPTIONS_FOR = "Options for "
SHORT_END = 1_000
"""How much of a failed run's last output is looked at, in characters."""

# Rule → what the output says in its own words.
_SAID_BY_OUTPUT = {
    "command-not-found": re.compile("not found|no such file", re.IGNORECASE),
    "permission-denied": re.compile("permission denied", re.IGNORECASE),
    "ssh-connection-failed": re.compile(
        "ssh: |connection (?:closed|refused|reset|timed out)", re.IGNORECASE
    ),
    "files-differ": re.compile(r"\S"),
}
# Rules whose insight expects a failure, of the run or of something in it.
_EXPECT_FAILURE = frozenset({"retry", "failing-streak", "new-here", "failing-remote-command"})
# Rules whose insight is for who waits: how long it may take, that it may not end.
_FOR_WHO_WAITS = frozenset({"frequent-timeouts", "usual-duration"})
_EXPECT_NO_CONNECTION = "flaky-host"
CONNECTION_FAILED = 255


def only_news(insights: Iterable[Insight]) -> list[Insight]:
    """The insights that are news."""
    return [insight for insight in insights if insight.is_news]


def for_a_person(insights: Iterable[Insight]) -> list[Insight]:
    """The insights, with one line that says where to find it in place of an option table (MAN-1)."""
    return [_without_table(insight) for insight in insights]


def _without_table(insight: Insight) -> Insight:
    head, newline, _ = insight.message.partition("\n")
    if not newline or not head.startswith(OPTIONS_FOR):
        return insight
    base = head.removeprefix(OPTIONS_FOR).removesuffix(":")
    return attrs.evolve(insight, message=f"{head} zsh-ls explain '{base}'")


def still_news(before: Iterable[Insight], run: CompletedRun, past: CommandHistory) -> list[Insight]:
    """The insights before a run that ended by itself; those that its end has overtaken are no news.

    "Different approach?" helps nobody whose run has just succeeded, "Usually takes" nobody who waits no more.
    `past` is what was known before the run.
    """
    return [
        attrs.evolve(insight, is_news=insight.is_news and not _is_overtaken(insight, run, past))
        for insight in before
    ]


def with_news_marked(after: Iterable[Insight], run: CompletedRun) -> list[Insight]:
    """The insights after a run; those that its output says already are no news."""
    end = run.output_end[-SHORT_END:]
    return [
        attrs.evolve(insight, is_news=insight.is_news and not _says_it(end, insight.rule))
        for insight in after
    ]


def _is_overtaken(insight: Insight, run: CompletedRun, past: CommandHistory) -> bool:
    if insight.rule in _FOR_WHO_WAITS:
        return True
    if insight.rule == _EXPECT_NO_CONNECTION:
        return run.exit != CONNECTION_FAILED
    if (
        insight.rule not in _EXPECT_FAILURE
        or run.outcome is not Outcome.SUCCESS
        or run.hides_failure
    ):
        return False
    # A mixed past ("2/4 succeeded") is news where this success followed a failure: it may be flaky. After
    # a success it says what its reader has seen: it failed, was mended, and has passed since.
    return not _is_mixed_retry(insight) or past.last_retry_succeeded


def _is_mixed_retry(insight: Insight) -> bool:
    return insight.rule == "retry" and insight.level is Level.INFO


def _says_it(output_end: str, rule: str) -> bool:
    said = _SAID_BY_OUTPUT.get(rule)
    return said is not None and said.search(output_end) is not None
