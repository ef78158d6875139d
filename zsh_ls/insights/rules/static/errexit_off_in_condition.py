"""Rule `errexit-off-in-condition`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Pipeline, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

# Steps that change something, and whose failure is meant to stop what follows.
STEPS = word_set(
    "false cp mv install chown chmod ln tar unzip gunzip patch curl wget scp rsync ssh mount umount mkfs dd "
    "docker podman kubectl helm kind terraform gcloud aws az systemctl service useradd userdel usermod "
    "groupadd dpkg rpm apt apt-get apk dnf yum pacman zypper brew snap pip pip3 npm yarn pnpm make cmake "
    "go cargo pwconv grpconv pwunconv grpunconv sha256sum gpg openssl psql mysql createdb dropdb"
)
# Names that ask: their functions answer, whatever happens on the way.
QUESTION = re.compile(r"(?:^|[_-])(?:is|has|can|should|needs|supports)[_-]|(?:able|exists)$")
GIT_STEPS = word_set("add am apply checkout clone commit fetch merge pull push rebase reset tag")


@rule(RuleKind.STATIC, Level.WARNING)
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
    for place in model.places:
        function = _called_in_condition(model, place)
        if function is not None:
            risk = _passed_over(model, function)
            if risk:
                name = model.source(place.pipeline.segments[0].words[0])
                yield Insight(
                    Level.WARNING,
                    f"errexit is off inside {name} here: a failing '{risk}' does not stop it",
                    span=place.pipeline.segments[0].span,
                )


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
    if place.is_forgiven:
        return None
    return model.functions.get(model.source(only.words[0]))


def _passed_over(model: ScriptModel, function: Segment) -> str | None:
    """The first command of a function's own list whose failure would have stopped it."""
    if function.kind is not SegmentKind.FUNCTION or not function.bodies:
        return None
    pipelines = function.bodies[-1].pipelines
    for index, pipeline in enumerate(pipelines[:-1]):
        joined = pipeline.connector is not Connector.NONE or (
            index > 0 and pipelines[index - 1].connector is not Connector.NONE
        )
        looked_at = model.mentions(r"\$\?", pipeline.span.end, pipelines[index + 1].span.end)
        if not joined and not looked_at and _is_risky(model, pipeline):
            return model.first_line(pipeline.span)
    return None


def _is_risky(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether it is one step of work, whose failure nothing looks at."""
    if len(pipeline.segments) > 1 or pipeline.negated or pipeline.background:
        return False
    command, words = model.command(pipeline.segments[0]), model.words(pipeline.segments[0])
    if command == "git":
        return any(word in GIT_STEPS for word in words[1:3])
    return command in STEPS or (bool(words) and words[0].startswith("./"))
