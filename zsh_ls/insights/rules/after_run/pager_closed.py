"""Rule `pager-closed`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.segments import normal_exit
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import PAGER_CLOSED


@rule(RuleKind.AFTER_RUN, Level.INFO, order=10)
def pager_closed(run: CompletedRun) -> Iterator[Insight]:
    """A pager was left before git had shown everything: exit 141 of git is no failure.

    `git log` starts a pager by itself on a terminal, and dies of SIGPIPE when that is left with more to
    show. The shell then reports 141. Here a command of git dies of that signal:

        git -c alias.log-all='!kill -s PIPE $$' log-all     #= 141
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info: git exit 141 = pager closed (normal)

    git's own failures have other exits:

        git log --no-such-option        #= 128
    """
    yield from normal_exit(run, PAGER_CLOSED)
