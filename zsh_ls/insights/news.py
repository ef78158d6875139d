"""Which insights are news: others are left out of texts for agents, terminals and editors (ALAN-16, CLI-20).

Each rule says of its insights whether they are. What the run's own end has overtaken, or its output says
already, is none any more.
"""

from __future__ import annotations

from collections.abc import Iterable

from zsh_ls.lazy import attrs, re
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level, Outcome
from zsh_ls.shell.status.exit_codes import is_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.completed_run import CompletedRun

OPTIONS_FOR = "Options for "
# What the words of the command line and of agents are in an editor.
_IN_AN_EDITOR = (
    (
        ", or run it with shell=bash",
        ", or let bash run it (#!/bin/bash as the first line, or the setting shell)",
    ),
    ("Run it with `pty`.", "Run it in a terminal."),
)
SHORT_END = 1_000
"""How much of a failed run's last output is looked at, in characters."""

# Rule → what the output says in its own words.
_SAID_BY_OUTPUT = {
    "command-not-found": re.compile("not found|no such file", re.IGNORECASE),
    "permission-denied": re.compile("permission denied", re.IGNORECASE),
    "ssh-connection-failed": re.compile(
        "ssh: |connection (?:closed|refused|reset|timed out)", re.IGNORECASE
    ),
    "files-differ": re.compile(r"\bdiffer"),
}
_FAILURES = re.compile("fail|error|panic|fatal|broken", re.IGNORECASE)
"""What somebody searches an output for who knows that it may tell of failures."""
# Rules whose insight expects a failure, of the run or of something in it.
_EXPECT_FAILURE = frozenset({"new-here", "failing-remote-command"})
# Rules whose insight is for who waits: how long it may take, that it may not end.
_FOR_WHO_WAITS = frozenset({"frequent-timeouts", "usual-duration"})
_EXPECT_NO_CONNECTION = "flaky-host"
CONNECTION_FAILED = 255


def only_news(insights: Iterable[Insight]) -> list[Insight]:
    """The insights that are news."""
    return [insight for insight in insights if insight.is_news]


def for_a_person(insights: Iterable[Insight], *, in_an_editor: bool = False) -> list[Insight]:
    """The insights, with one line that says where to find it in place of an option table (MAN-1).

    What there is to do is said as a person at a terminal does it, or in an editor (POLL-9).
    """
    return [_in_words_for_a_person(insight, in_an_editor) for insight in insights]


def _in_words_for_a_person(insight: Insight, in_an_editor: bool) -> Insight:
    message = insight.message
    head, newline, _ = message.partition("\n")
    if newline and head.startswith(OPTIONS_FOR):
        base = head.removeprefix(OPTIONS_FOR).removesuffix(":")
        message = f"{head} " + (
            "Explain this command" if in_an_editor else f"zsh-ls explain '{base}'"
        )
    if in_an_editor:
        for words, instead in _IN_AN_EDITOR:
            message = message.replace(words, instead)
    return insight if message == insight.message else attrs.evolve(insight, message=message)


def still_news(before: Iterable[Insight], run: CompletedRun) -> list[Insight]:
    """The insights before a run that ended by itself; those that its end has overtaken are no news.

    "Different approach?" helps nobody whose run has just succeeded, "Usually takes" nobody who waits no more.
    """
    return [
        attrs.evolve(insight, is_news=insight.is_news and not _is_overtaken(insight, run))
        for insight in before
    ]


def asks_for_another_approach(insights: Iterable[Insight]) -> bool:
    """Whether one of them says that the same has failed again and again, and is news."""
    return any(
        insight.is_news and insight.rule == "retry" and insight.level is Level.WARNING
        for insight in insights
    )


def after_an_edit(before: Iterable[Insight]) -> list[Insight]:
    """The insights before a run whose project was changed since it last failed: that is another approach."""
    return [
        attrs.evolve(insight, is_news=insight.is_news and not _asks_for_another_approach(insight))
        for insight in before
    ]


def with_news_marked(after: Iterable[Insight], run: CompletedRun) -> list[Insight]:
    """The insights after a run; those that its output says already are no news."""
    end = run.output_end[-SHORT_END:]
    found_failures = _found_failures(run)
    return [
        attrs.evolve(
            insight,
            is_news=insight.is_news
            and not _says_it(end, insight.rule)
            and not (insight.rule == "masked-pipe-failure" and found_failures),
        )
        for insight in after
    ]


def _found_failures(run: CompletedRun) -> bool:
    """Whether the run searched an output for failures and found some: `make test | grep FAIL`."""
    last = run.last
    return (
        last is not None
        and last.exit == 0
        and is_search(last.command)
        and any(map(_FAILURES.search, last.words))
    )


def _is_overtaken(insight: Insight, run: CompletedRun) -> bool:
    if insight.rule in _FOR_WHO_WAITS:
        return True
    if insight.rule == _EXPECT_NO_CONNECTION:
        return run.exit != CONNECTION_FAILED
    is_disproved = run.outcome is Outcome.SUCCESS and not run.hides_failure
    return is_disproved and (_asks_for_another_approach(insight) or insight.rule in _EXPECT_FAILURE)


def _asks_for_another_approach(insight: Insight) -> bool:
    """Whether it does, as runs that all failed do; retries of which some passed do not."""
    is_failed_retry = insight.rule == "retry" and insight.level is Level.WARNING
    return is_failed_retry or insight.rule == "failing-streak"


def _says_it(output_end: str, rule: str) -> bool:
    said = _SAID_BY_OUTPUT.get(rule)
    return said is not None and said.search(output_end) is not None
