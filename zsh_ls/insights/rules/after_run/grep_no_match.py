"""Rule `grep-no-match`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.segments import normal_exit
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import NO_MATCH


@rule(RuleKind.AFTER_RUN, Level.INFO, order=5)
def grep_no_match(run: CompletedRun) -> Iterator[Insight]:
    """A search found nothing: exit 1 of grep and its like is an answer, not a failure.

    grep keeps 2 and above for real errors, so an exit of exactly 1 says that no
    line matched and that the command worked.

        echo hello | grep nothing       #= 0|1
        #            ^^^^^^^^^^^^ info: grep exit 1 = no match (normal)
        env LC_ALL=C /usr/bin/grep nothing /etc/hostname    #= 1
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info: grep exit 1 = no match (normal)

    A file that is not there is a real error:

        grep nothing /nonexistent       #= 2
    """
    yield from normal_exit(run, NO_MATCH)
