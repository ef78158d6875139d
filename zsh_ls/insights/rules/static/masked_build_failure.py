"""Rule `masked-build-failure`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.facts import Trait, has_trait, names
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import has_flag, has_glob, operands
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind
from zsh_ls.model.words import Level

COPIES = frozenset({"cp", "mv", "install"})

# They make files or images, but for these of their targets.
RESULTS = frozenset({"install", "test", "check", "publish", "verify", "deploy"})
MAKES_FILES = frozenset({"make", "gmake", "ninja", "cmake", "docker", "podman"})
SHOWS = (Trait.SAYS, Trait.READS, Trait.SURE)


@rule(RuleKind.STATIC, Level.WARNING, judged="6 of 13")
def masked_build_failure(model: ScriptModel) -> Iterator[Insight]:
    """A test or a build piped into `tee`, `tail` or `head` succeeds even when it fails.

    The pipeline's exit is that of its last command, and an onlooker never fails:
    what looks at it (`errexit`, `||`, who called the script) sees a success.

        #!/bin/bash
        make test | tee test.log
        #^^^^^^^^ warning: a failure of 'make test' is lost: the exit is that of tee

    With `pipefail`, or a look at `PIPESTATUS`, nothing is lost:

        #!/bin/bash
        set -o pipefail
        make test | tee test.log

    Nor is it where the next command under `errexit` builds on, or copies what
    was built: that one stops the script.

        #!/bin/bash
        set -e
        make | tee make.log
        make install
    """
    for place in model.piped:
        segment, *others = place.pipeline.segments
        first = _deciding(segment)
        command, words = model.command(first), model.words(first)
        if not (
            has_trait(Trait.BUILDS, command, words) or has_trait(Trait.APPLIES, command, words)
        ):
            continue
        onlookers = [model.command(one) for one in others]
        looks_on = all(
            has_trait(Trait.ONLOOKER, command, model.words(one))
            for command, one in zip(onlookers, others, strict=True)
        )
        if (
            looks_on
            and not _is_only_looked_at(command, words)
            and is_masked(model, place, first)
            and not stops_without(model, first, place.after)
            and _is_relied_on(model, place, first)
        ):
            text = model.first_line(first.span)
            message = f"a failure of '{text}' is lost: the exit is that of {onlookers[-1]}"
            message += model.goes_on(first)
            yield model.warning(message, first.span, first)


def _is_only_looked_at(command: str, words: Sequence[str]) -> bool:
    """Whether it is `make -k check`: told to go on where a test fails, for its log to be read."""
    goes_on = has_flag(words, "k", "--keep-going") and command in {"make", "gmake"}
    return goes_on and not {"check", "test"}.isdisjoint(words)


def _is_relied_on(model: ScriptModel, place: PipelinePlace, build: Segment) -> bool:
    """Whether more comes of a build than that its log is shown: only then does a lost failure harm.

    A test or an installation is a result of its own, and so is what the script ends with.
    """
    asked = not place.is_unchecked or model.status_read(place.next) is not None
    makes_files = model.command(build) in MAKES_FILES and RESULTS.isdisjoint(model.words(build))
    if asked or not makes_files:
        return True
    behind = [one for one in model.places if one.span.start >= place.span.end]
    return not behind or any(
        not any(has_trait(trait, model.command(it), model.words(it)) for trait in SHOWS)
        for one in behind
        for it in one.pipeline.segments
        if it.kind is SegmentKind.SIMPLE
    )


def _deciding(segment: Segment) -> Segment:
    """The command whose exit a segment has: the last one of `( … )` and `{ … }`."""
    while segment.kind in {SegmentKind.SUBSHELL, SegmentKind.GROUP}:
        pipelines = segment.bodies[-1].pipelines if segment.bodies else ()
        if not pipelines or len(pipelines[-1].segments) > 1:
            break
        segment = pipelines[-1].segments[0]
    return segment


def is_masked(model: ScriptModel, place: PipelinePlace, segment: Segment) -> bool:
    """Whether something learns of the exit of a pipeline, and so not of that of this segment."""
    if reads_pipestatus(model, place) or place.is_forgiven or not model.controls_options_at(place):
        return False
    if place.context.pipefail is not Setting.OFF:
        return False
    return model.is_unnoticed(segment) and model.is_noticed(place.pipeline.segments[-1])


def stops_without(model: ScriptModel, build: Segment, following: Sequence[Pipeline]) -> bool:
    """Whether what follows needs what a build makes, and stops the script where that is missing.

    The same builder tries again what failed (`make install` behind `make`), and `cp` names the file.
    What cannot fail in between, makes a folder, or loses its own failure as the build does, is passed over.
    """
    builder = model.command(build)
    for pipeline in following:
        first, last = pipeline.segments[0], pipeline.segments[-1]
        command, words = model.command(first), model.words(first)
        if command in names(Trait.SAYS) or command == "mkdir":
            continue
        if command == builder and len(pipeline.segments) > 1 and model.is_unnoticed(first):
            continue
        copies = command in COPIES and not any(map(has_glob, operands(words)))
        return (command == builder or copies) and first is last and model.stops(first)
    return False


def reads_pipestatus(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next thing in the list looks at the exits of this pipeline's segments."""
    end = place.after[0].span.end if place.after else place.span.end
    return model.mentions(r"(?i)pipestatus", place.span.start, end)
