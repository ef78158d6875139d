"""Rule `similar-command`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=2)
def similar_command(past: CommandHistory) -> Iterator[Insight]:
    """Other commands of the same template ran in the last 15 minutes of this session.

    Up to the five latest of them are counted.

        $ git push origin one       #= 0
        $ git push origin two       #= 1
        $ git push origin three
        #< info: Similar to 'git push origin *' - 1/2 succeeded recently.

    The same command once more is a retry instead:

        $ git push origin one       #= 0
        $ git push origin one
    """
    alike = past.similar
    if alike.total and not past.retries.total:
        share = f"{alike.succeeded}/{alike.total}"
        message = f"Similar to '{past.template}' - {share} succeeded recently."
        yield Insight(Level.INFO, message, is_news=False)
