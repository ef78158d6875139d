"""Rule `masked-build-failure`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import builds_or_tests
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

ONLOOKERS = frozenset({"tee", "tail", "head", "cat", "ts"})


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def masked_build_failure(model: ScriptModel) -> Iterator[Insight]:
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
    for place in model.piped:
        first, *others = place.pipeline.segments
        onlookers = [model.command(one) for one in others]
        if not ONLOOKERS.issuperset(onlookers) or not _is_lost(model, place):
            continue
        if builds_or_tests(model.command(first), model.words(first)):
            text = model.first_line(first.span)
            yield Insight(
                Level.WARNING,
                f"a failure of '{text}' is lost: the exit is that of {onlookers[-1]}",
                span=first.span,
            )


def _is_lost(model: ScriptModel, place: PipelinePlace) -> bool:
    return (
        place.substitution is None
        and model.controls_own_options
        and place.context.pipefail is Setting.OFF
        and not reads_pipestatus(model, place)
    )


def reads_pipestatus(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next thing in the list looks at the exits of this pipeline's segments."""
    end = place.after[0].span.end if place.after else place.span.end
    return model.mentions(r"(?i)pipestatus", place.span.start, end)
