"""Rule `masked-pipe-failure`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

SIGPIPE = 141


@rule(RuleKind.AFTER_RUN, Level.WARNING, Level.INFO, order=8)
def masked_pipe_failure(run: CompletedRun) -> Iterator[Insight]:
    """A command failed inside a pipeline, where its exit is easily lost.

    A pipeline's exit is that of its last command, unless `pipefail` is set.

        false | cat                     #= 1|0
        #^^^^ warning: pipe segment 1 exited 1 (masked by downstream)

    With `pipefail` nothing is masked, the segment decides the exit:

        set -o pipefail; false | cat    #= 1|0
        #                ^^^^^ warning: pipe segment 1 exited 1 (pipefail)

    An exit that is a normal answer is only mentioned:

        echo a | grep b | cat           #= 0|1|0
        #        ^^^^^^ info: pipe segment 2 exited 1 (masked by downstream)

    A writer whose reader had enough dies of SIGPIPE (141). That is how pipes
    end early, and nothing is said:

        yes | head -n 1                 #= 141|0
    """
    why = "pipefail" if _has_pipefail(run) else "masked by downstream"
    for number, segment in enumerate(run.segments[:-1], 1):
        if segment.exit not in (0, SIGPIPE):
            level = Level.INFO if segment.normal_meaning else Level.WARNING
            message = f"pipe segment {number} exited {segment.exit} ({why})"
            yield Insight(level, message, span=segment.span, is_news=level is Level.WARNING)


def _has_pipefail(run: CompletedRun) -> bool:
    """Whether the text sets `pipefail`, or the exit is not the last segment's (ALAN-15)."""
    if run.pipefail or (run.pipeline is not None and run.pipeline.negated):
        return run.pipefail
    return run.exit != run.segments[-1].exit
