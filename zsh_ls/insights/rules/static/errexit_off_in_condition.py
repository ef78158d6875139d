"""Rule `errexit-off-in-condition`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Pipeline, Segment, SegmentKind
from zsh_ls.model.words import Level

# Names that ask: their functions answer, whatever happens on the way.
QUESTION = re.compile(r"(?:^|[_-])(?:is|has|can|should|needs|supports)[_-]|(?:able|exists)$")

# They work on files that are there.
LOCAL = frozenset({"cp", "mv", "ln", "install", "chown"})
SERVICES = frozenset({"systemctl", "service", "rc-service"})


@rule(RuleKind.STATIC, Level.WARNING, judged="9 of 13")
def errexit_off_in_condition(model: ScriptModel) -> Iterator[Insight]:
    """A function called in a condition runs without `errexit`, to its last line.

    In `if f`, `f && …`, `f || …` and `! f` the shell ignores `errexit` in all of
    `f`, even where `f` sets it: a command that fails in the middle is passed over.

        #!/bin/bash
        set -e
        deploy() {
          cp app.conf /etc/app.conf
          systemctl restart app
        }
        deploy || exit 1
        #^^^^^ warning: errexit is off inside deploy here: a failing 'cp app.conf

    A function of one command has nothing behind it that could run on:

        #!/bin/bash
        set -e
        restart() {
          systemctl restart app
        }
        restart || exit 1
    """
    told: set[tuple[str, int]] = set()
    for place in () if model.is_test_suite else model.places:
        function = _called_in_condition(model, place)
        # Tried again in the same list, it is told once.
        around = (place.only.command_word if place.only else "", place.list_start)
        if function is None or around in told:
            continue
        told.add(around)
        named = (
            place.context.checked in {StatusCheck.AND, StatusCheck.OR} and not place.is_asked_last
        )
        risk = passed_over(model, function, is_result_told=named)
        if risk is not None:
            name = model.source(place.pipeline.segments[0].words[0])
            text = model.first_line(risk.span)
            message = f"errexit is off inside {name} here: a failing '{text}' does not stop it"
            message += model.goes_on(risk)
            yield model.warning(message, place.pipeline.segments[0].span, risk)


def _called_in_condition(model: ScriptModel, place: PipelinePlace) -> Segment | None:
    if place.context.errexit is not Setting.ON:
        return None
    only = place.only
    if only is None or not only.words:
        return None
    if place.context.checked not in {
        StatusCheck.CONDITION,
        StatusCheck.AND,
        StatusCheck.OR,
        StatusCheck.NEGATED,
    }:
        return None
    if QUESTION.search(model.source(only.words[0])):
        return None
    if place.is_forgiven or _repairs(model, place):
        return None
    return model.functions.get(model.source(only.words[0]))


def _repairs(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether it only runs where something failed, to mend that: `build || { clean && build; }`."""
    inside = place.around[-1] if place.around else None
    if inside is None or inside.kind is not SegmentKind.GROUP:
        return False
    return any(
        one.position > 0
        and one.siblings[one.position - 1].connector is Connector.OR
        and any(each is inside for each in one.pipeline.segments)
        for one in model.places
    )


def passed_over(
    model: ScriptModel, function: Segment, *, is_result_told: bool = False
) -> Segment | None:
    """The first step in a function's own list whose failure nothing learns of where it is called.

    To copy or link files on this machine fails with the machine: that counts where the script says
    what becomes of the function's failure (`f || warn …`), or what follows relies on it for others.
    """
    if function.kind is not SegmentKind.FUNCTION or not function.bodies:
        return None
    pipelines = function.bodies[-1].pipelines
    for pipeline in pipelines[:-1]:
        segment = pipeline.segments[0]
        # What a function passes over by its own `set +e` is meant.
        if model.errexit_at(pipeline) is Setting.OFF:
            continue
        if pipeline.negated or pipeline.background or len(pipeline.segments) > 1:
            continue
        step = has_trait(Trait.STEP, model.command(segment), model.words(segment))
        own = model.words(segment)[:1] and model.words(segment)[0].startswith("./")
        if _is_looked_at(model, segment, pipelines[pipelines.index(pipeline) + 1]):
            continue
        local = model.command(segment) in LOCAL and not is_result_told
        if local and not _serves_others(model, pipelines[pipelines.index(pipeline) + 1 :]):
            continue
        if (step or own) and not _has_or(pipelines, pipeline) and model.is_unnoticed(segment):
            return segment
    return None


def _is_looked_at(model: ScriptModel, step: Segment, behind: Pipeline) -> bool:
    """Whether the next command is a test of the file that a step wrote."""
    test = behind.segments[0]
    written = [
        model.source(one.target) for one in step.redirections if one.operator in {">", ">|", ">>"}
    ]
    tests = test.kind is SegmentKind.CONDITION or has_trait(
        Trait.TEST, model.command(test), model.words(test)
    )
    text = model.source(test.span)
    return tests and any(file in text for file in written)


def _serves_others(model: ScriptModel, following: Sequence[Pipeline]) -> bool:
    """Whether one of them publishes, removes data or brings a service to what was changed."""
    return any(
        model.command(segment) in SERVICES
        or has_trait(Trait.PUBLISHES, model.command(segment), model.words(segment))
        or has_trait(Trait.DESTROYS, model.command(segment), model.words(segment))
        for pipeline in following
        for segment in pipeline.segments
    )


def _has_or(pipelines: tuple[Pipeline, ...], pipeline: Pipeline) -> bool:
    """Whether the list says what to do if it fails: `|| return 1`, `|| true`."""
    for one in pipelines[pipelines.index(pipeline) :]:
        if one.connector is Connector.OR:
            return True
        if one.connector is Connector.NONE:
            break
    return False
