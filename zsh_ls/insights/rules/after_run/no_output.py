"""Rule `no-output`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.display import NO_OUTPUT_PRODUCED
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.AFTER_RUN, Level.INFO, order=1)
def no_output(run: CompletedRun) -> Iterator[Insight]:
    """The command succeeded and printed nothing but white space.

    Said so that nobody waits for output that will not come. It is in the
    result and never on a line of a script.

        true            #= 0
        #< info: No output produced.

    A silent failure is not silent: the failure is the signal.

        false           #= 1
    """
    if run.exit == 0 and run.output_is_blank:
        yield Insight(Level.INFO, NO_OUTPUT_PRODUCED, is_news=False)
