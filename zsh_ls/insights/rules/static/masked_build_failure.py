"""Rule `masked-build-failure`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.builds import builds_or_tests
from zsh_ls.insights.place import PipelinePlace
from zsh_ls.insights.reading import ScriptModel
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

ONLOOKERS = frozenset({"tee", "tail", "head", "cat", "ts"})


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def masked_build_failure(reading: ScriptModel) -> Iterator[Insight]:
    """A test or a build piped into `tee`, `tail` or `head` succeeds even when it fails.

    The pipeline's exit is that of its last command, and an onlooker never fails.

        #!/bin/bash
        make test | tee test.log
        #^^^^^^^^ warning: a failure of 'make test' is lost: the exit is that of tee

    With `pipefail`, or a look at `PIPESTATUS`, nothing is lost:

        #!/bin/bash
        set -o pipefail
        make test | tee test.log
    """
    for place in reading.piped:
        first, *others = place.pipeline.segments
        onlookers = [reading.command(one) for one in others]
        if not ONLOOKERS.issuperset(onlookers) or not _is_lost(reading, place):
            continue
        if builds_or_tests(reading.command(first), reading.words(first)):
            text = reading.first_line(first.span)
            yield Insight(
                Level.WARNING,
                f"a failure of '{text}' is lost: the exit is that of {onlookers[-1]}",
                span=first.span,
            )


def _is_lost(reading: ScriptModel, place: PipelinePlace) -> bool:
    return (
        place.substitution is None
        and reading.controls_own_options
        and place.context.pipefail is Setting.OFF
        and not reads_pipestatus(reading, place)
    )


def reads_pipestatus(reading: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next thing in the list looks at the exits of this pipeline's segments."""
    end = place.after[0].span.end if place.after else place.span.end
    return reading.mentions(r"(?i)pipestatus", place.span.start, end)
