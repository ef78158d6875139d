"""Rule `files-differ`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.segments import normal_exit
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import FILES_DIFFER


@rule(RuleKind.AFTER_RUN, Level.INFO, order=6)
def files_differ(run: CompletedRun) -> Iterator[Insight]:
    """The files differ: exit 1 of diff and cmp is an answer, not a failure.

    Both keep 2 for trouble, such as a file that cannot be read.

        diff -q /etc/passwd /etc/hostname    #= 1
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info: diff exit 1 = files differ (normal)

    The same file twice differs in nothing, and a missing one is trouble:

        diff /etc/passwd /etc/passwd         #= 0
        diff /etc/passwd /nonexistent        #= 2
    """
    yield from normal_exit(run, FILES_DIFFER)
