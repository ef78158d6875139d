"""Which insights are news: what is left out of texts for those who see the output anyway (CLI-20)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from zsh_ls.insights.rules.after_run.no_output import NO_OUTPUT_PRODUCED

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


def news_of(insights: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
    """The messages of each level that are news, in order; levels without any are absent."""
    told = {
        level: [message for message in messages if not _NO_NEWS.match(message)]
        for level, messages in (insights or {}).items()
    }
    return {level: messages for level, messages in told.items() if messages}
