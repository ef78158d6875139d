"""Which insights are news: others are left out of texts for agents (ALAN-16) and in terminals (CLI-20)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.insights.rules.after_run.no_output import NO_OUTPUT_PRODUCED
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

_NO_NEWS = re.compile(
    r"New pattern\. No history yet\.$"
    rf"|{re.escape(NO_OUTPUT_PRODUCED)}$"
    r"|Similar to '"
    r"|Killed after .*s\. Not enough history to classify\.$"
    r"|Retry #\d+\. Previous \d+ succeeded\.$"
    r"|Retry #2\. Previous 1 all failed\."
    r"|Streak: \d+ successes in a row\. Solid\.$"
    r"|Reliable pattern: "
    r"|Host '.*' is reliable: "
    r"|Remote command '.*' reliable across "
    r"|New here\. (?:Elsewhere|Team): (?:[89]\d|100)% "
)
# Of a known normal exit in the middle of a pipeline; a failure there is a warning.
_NORMAL_SEGMENT = re.compile(r"pipe segment \d+ exited ")
_SAID_BY_OUTPUT = {
    "command-not-found": re.compile("not found|no such file", re.IGNORECASE),
    "permission-denied": re.compile("permission denied", re.IGNORECASE),
    "ssh-connection-failed": re.compile(
        "ssh: |connection (?:closed|refused|reset|timed out)", re.IGNORECASE
    ),
}


def news_of(insights: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
    """The messages of each level that are news, in order; levels without any are absent."""
    told = {
        level: [message for message in messages if _is_news(Level(level), message)]
        for level, messages in (insights or {}).items()
    }
    return {level: messages for level, messages in told.items() if messages}


def only_news(insights: Iterable[Insight], output_end: str = "") -> list[Insight]:
    """The insights that are news to who reads the end of the output beside them."""
    return [
        insight
        for insight in insights
        if _is_news(insight.level, insight.message) and not _says_it(output_end, insight.rule)
    ]


def _is_news(level: Level, message: str) -> bool:
    if level is Level.INFO and _NORMAL_SEGMENT.match(message):
        return False
    return not _NO_NEWS.match(message)


def _says_it(output_end: str, rule: str) -> bool:
    said = _SAID_BY_OUTPUT.get(rule)
    return said is not None and said.search(output_end) is not None
