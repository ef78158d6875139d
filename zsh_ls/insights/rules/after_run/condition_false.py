"""Rule `condition-false`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.segments import normal_exit
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import CONDITION_FALSE


@rule(RuleKind.AFTER_RUN, Level.INFO, order=7)
def condition_false(run: CompletedRun) -> Iterator[Insight]:
    """The condition is false: exit 1 of `test`, `[` and `[[` is an answer, not a failure.

    Only 2 and above says that the condition could not be worked out.

        test -e /nonexistent            #= 1
        #^^^^^^^^^^^^^^^^^^^ info: test exit 1 = condition false (normal)

    `false` has no such excuse:

        false                           #= 1
    """
    yield from normal_exit(run, CONDITION_FALSE)
