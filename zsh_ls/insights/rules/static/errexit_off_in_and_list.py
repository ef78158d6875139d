"""Rule `errexit-off-in-and-list`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.facts import Trait, has_trait, names
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import has_flag
from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Pipeline, Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.fates import FateKind

from .masked_build_failure import stops_without
from .unchecked_cd import MAKES

# The project's own scripts that prepare a build.
CONFIGURES = frozenset(
    {"./configure", "./autogen.sh", "./bootstrap", "./bootstrap.sh", "./buildconf"}
)


@rule(RuleKind.STATIC, Level.WARNING)
def errexit_off_in_and_list(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, `make && make install` does not stop where `make` fails.

    `errexit` ignores every command of such a list but the last: the rest of
    the list is left out, and the script goes on.

        #!/bin/bash
        set -e
        make && make install
        #^^^ warning: errexit ignores a failing 'make' before &&: the script goes on without 'make install'
        echo installed

    Commands of their own lines stop the script. So does the list's last place
    in it, and `|| exit` behind it:

        #!/bin/bash
        set -e
        make
        make install
        make docs && make dist || exit 1
        make clean && make check
    """
    for place in model.places:
        segment = place.pipeline.segments[-1]
        if place.context.errexit is not Setting.ON or place.pipeline.connector is not Connector.AND:
            continue
        last = _last_of_and_list(place)
        if last is None or place.context.background or not _is_step(model, place):
            continue
        # What only tells of it may be left out.
        rest = place.siblings[place.position + 1 : last + 1]
        if all(model.command(it.segments[0]) in names(Trait.SAYS) for it in rest):
            continue
        if _loses_nothing(model, segment, rest):
            continue
        behind = place.siblings[last + 1] if last + 1 < len(place.siblings) else None
        final = place.siblings[last]
        if behind is None or model.status_read(behind) is not None:
            continue
        fate = model.fate(segment)
        goes_on = fate is not None and fate.fate in {FateKind.HANDLED, FateKind.UNNOTICED}
        if not goes_on or not model.stops(final.segments[-1]):
            continue
        if _cannot_be_built(model, (place.pipeline, *rest), behind):
            continue
        builds = has_trait(Trait.BUILDS, model.command(segment), model.words(segment))
        if builds and stops_without(model, segment, place.siblings[last + 1 :]):
            continue
        text, left_out = model.first_line(segment.span), model.first_line(place.after[0].span)
        yield model.warning(
            f"errexit ignores a failing '{text}' before &&: the script goes on without '{left_out}'",
            segment.span,
            segment,
        )


def _loses_nothing(model: ScriptModel, segment: Segment, rest: Sequence[Pipeline]) -> bool:
    """Whether nothing is amiss where a command fails and `rest` is left out."""
    command = model.command(segment)
    # They fail with the file system, and so would what follows.
    if command == "ln" and has_flag(model.words(segment), "f", "--force"):
        return True
    only_removes = all(model.command(it.segments[0]) == "rm" for it in rest)
    if only_removes and (command == "rm" or _cleans(model, segment)):
        return True
    if command == "rm" and has_flag(model.words(segment), "f", "--force"):
        cleans = (model.words(it.segments[0])[:2] == ("git", "clean") for it in rest)
        if all(cleans):
            return True
    # With what it removes still there, nothing is left to be made.
    return command == "rm" and all(_makes_a_folder(model, it) for it in rest)


def _cleans(model: ScriptModel, segment: Segment) -> bool:
    """Whether it is `make clean` or the like."""
    return any(word in {"clean", "distclean", "mrproper"} for word in model.words(segment)[1:])


def _cannot_be_built(model: ScriptModel, left: Sequence[Pipeline], behind: Pipeline) -> bool:
    """Whether the next command builds what these prepare, and stops the script without it."""
    builder = behind.segments[0]
    words = model.words(builder)
    own = words[:1] == ("./configure",)
    if len(behind.segments) > 1 or not (own or model.command(builder) in MAKES):
        return False
    if has_flag(words, "C", "f", "--directory", "--file", "--build") or not model.stops(builder):
        return False
    begun = {word for it in left for word in model.words(it.segments[-1])[:1]}
    return not begun.isdisjoint({*CONFIGURES, "cmake", "cd"})


def _makes_a_folder(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether a pipeline is a `mkdir -p`, which does nothing where the folder is there."""
    segment = pipeline.segments[0]
    return model.command(segment) == "mkdir" and has_flag(model.words(segment), "p", "--parents")


def _last_of_and_list(place: PipelinePlace) -> int | None:
    """The position of the list's last pipeline; None where this is not its first, or `||` is in it."""
    at = place.position
    if at and place.siblings[at - 1].connector is not Connector.NONE:
        return None
    if place.context.checked is not StatusCheck.AND:
        return None
    while at < len(place.siblings) and place.siblings[at].connector is Connector.AND:
        at += 1
    is_plain = at < len(place.siblings) and place.siblings[at].connector is Connector.NONE
    return at if is_plain else None


def _is_step(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a command is no question, but work that is meant to be done."""
    segment = place.pipeline.segments[-1]
    command, words = model.command(segment), model.words(segment)
    if place.pipeline.negated or len(place.pipeline.segments) > 1:
        return False
    if words[:1] == ("./configure",):
        return True
    # What only makes the build's own files again is missed by the build.
    if words and words[0] in CONFIGURES:
        return False
    return has_trait(Trait.BUILDS, command, words) or any(
        has_trait(trait, command, words) for trait in (Trait.APPLIES, Trait.CHANGES_FILES)
    )
