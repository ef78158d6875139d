"""Rule `errexit-off-in-condition`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.place import Place
from zsh_ls.insights.reading import Reading
from zsh_ls.insights.registry import Kind, rule
from zsh_ls.model.context import Checked, Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Pipeline, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.word_set import word_set

# Commands whose failure nobody fears, or whose exit is a question.
HARMLESS = word_set(
    "echo printf print : true false [ [[ test return exit local declare typeset readonly "
    "export unset shift set shopt setopt unsetopt trap read let eval cd pushd popd type command which "
    "hash sleep kill wait log info warn warning error debug die fail usage"
)


@rule(Kind.STATIC, Level.WARNING)
def errexit_off_in_condition(reading: Reading) -> Iterator[Insight]:
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
    for place in reading.places:
        function = _called_in_condition(reading, place)
        if function is not None:
            risk = _passed_over(reading, function)
            if risk:
                name = reading.source(place.pipeline.segments[0].words[0])
                yield Insight(
                    Level.WARNING,
                    f"errexit is off inside {name} here: a failing '{risk}' does not stop it",
                    span=place.pipeline.segments[0].span,
                )


def _called_in_condition(reading: Reading, place: Place) -> Segment | None:
    only = place.only
    if only is None or not only.words or place.context.errexit is not Setting.ON:
        return None
    if place.context.checked not in {Checked.CONDITION, Checked.AND, Checked.OR, Checked.NEGATED}:
        return None
    if place.pipeline.connector is Connector.OR and _gives_up(reading, place.after[0]):
        return None
    return reading.functions.get(reading.source(only.words[0]))


def _gives_up(reading: Reading, fallback: Pipeline) -> bool:
    """Whether the failure is ignored on purpose: `|| true`, `|| :`."""
    return reading.source(fallback.span) in {"true", ":"}


def _passed_over(reading: Reading, function: Segment) -> str | None:
    """The first command of a function's own list whose failure would have stopped it."""
    if function.kind is not SegmentKind.FUNCTION or not function.bodies:
        return None
    pipelines = function.bodies[-1].pipelines
    for index, pipeline in enumerate(pipelines[:-1]):
        joined = pipeline.connector is not Connector.NONE or (
            index > 0 and pipelines[index - 1].connector is not Connector.NONE
        )
        looked_at = reading.mentions(r"\$\?", pipeline.span.end, pipelines[index + 1].span.end)
        if not joined and not looked_at and _is_risky(reading, pipeline):
            return reading.first_line(pipeline.span)
    return None


def _is_risky(reading: Reading, pipeline: Pipeline) -> bool:
    command = reading.command(pipeline.segments[-1])
    is_own = command in reading.functions
    plain = not pipeline.negated and not pipeline.background
    return bool(command) and plain and not is_own and command not in HARMLESS
