"""Rule `lost-substitution`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from zsh_ls.insights.facts import (
    SHELLS,
    Trait,
    has_trait,
    is_silent,
    names,
    refuses_a_wrong_address,
)
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import COMMAND_SUBSTITUTIONS, PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import DECLARES, has_flag, operands
from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Segment, SegmentKind, Substitution
from zsh_ls.model.words import Level

# A function that only tells something, by its name.
MESSAGE = re.compile(
    r"(?i)(?:log|print|echo|info|warn|err(?:or)?|debug|msg|message|say|die|fail|note|ok|success|"
    r"title|header|status|verbose|assert)"
)
INTERPRETERS = SHELLS | {"ruby", "python", "python3", "perl", "eval"}
# A test that a program is not there; how many commands behind it are looked at.
LACKS = re.compile(r"if\s+!\s*(?:command\s+-v|which|type|hash)\s+([\w.-]+)")
SOON = 5
HOME = re.compile(r"\"?(?:~|\$HOME|\$\{HOME\})/")


@rule(RuleKind.STATIC, Level.WARNING, unproven=True, judged="7 of 8")
def lost_substitution(model: ScriptModel) -> Iterator[Insight]:
    """In `cmd "$(other)"` nothing sees the exit of `other`, and `cmd` runs with what it printed.

    Only an assignment takes the exit of a substitution over. A loop over
    nothing is no failure either.

        #!/bin/bash
        set -e
        docker push "$(docker build -q .)"
        #              ^^^^^^^^^^^^^^^^^ warning: the exit of 'docker build -q .' is lost: docker runs
        for host in $(./hosts --all); do
        #             ^^^^^^^^^^^^^ warning: the exit of './hosts --all' is lost: the loop has nothing to do
          ssh "$host" reboot
        done

    Assigned first, a failure stops the script:

        #!/bin/bash
        set -e
        image=$(docker build -q .)
        docker push "$image"
    """
    for place in model.places:
        for segment in place.pipeline.segments:
            if not segment.substitutions or not segment.words or place.is_forgiven:
                continue
            if segment.kind is SegmentKind.FOR and place.ends_the_script:
                yield from _in_a_loops_head(model, segment)
            command = model.command(segment)
            is_said = segment.kind is not SegmentKind.SIMPLE or command in names(Trait.SAYS)
            if (
                is_said
                or MESSAGE.search(command)
                or command in DECLARES
                or command in names(Trait.TEST)
            ):
                continue
            for substitution in segment.substitutions:
                lost = _lost(model, place, segment, substitution)
                if lost is not None:
                    text = model.first_line(lost.span)
                    message = f"the exit of '{text}' is lost: {command} runs all the same"
                    if command in INTERPRETERS:
                        message += ", with nothing to do, and that succeeds"
                    yield model.warning(message, lost.span, lost)


def _in_a_loops_head(model: ScriptModel, loop: Segment) -> Iterator[Insight]:
    """Of what lists the words of a loop: what is fetched, or a program of the script's own."""
    for substitution in loop.substitutions:
        inner = _only_command(substitution)
        if inner is None:
            continue
        words = model.words(inner)
        is_own = words[:1] and words[0].startswith("./")
        if (is_own or has_trait(Trait.FETCHES, model.command(inner), words)) and model.is_unnoticed(
            inner
        ):
            text = model.first_line(inner.span)
            message = f"the exit of '{text}' is lost: the loop has nothing to do, and that succeeds"
            yield model.warning(message, inner.span, inner)


def _only_command(substitution: Substitution) -> Segment | None:
    """The command of a `$(…)` that is one simple command and no list."""
    inside = substitution.pipelines
    if substitution.kind not in COMMAND_SUBSTITUTIONS or len(inside) != 1:
        return None
    if inside[0].connector is not Connector.NONE or len(inside[0].segments) > 1:
        return None
    inner = inside[0].segments[0]
    return inner if inner.kind is SegmentKind.SIMPLE else None


def _is_own(model: ScriptModel, segment: Segment) -> bool:
    """Whether it is a program beside the script: `./version.sh`."""
    return "".join(model.words(segment)[:1]).startswith("./")


def _is_looked_for_next(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the program that a test around did not find is run, or looked for again, soon behind."""
    around = place.around[-1] if place.around else None
    if around is None or around.kind is not SegmentKind.IF:
        return False
    missing = LACKS.match(model.source(around.span))
    if missing is None:
        return False
    behind = (
        one
        for one in model.places
        if one.span.start >= around.span.end
        and one.around == place.around[:-1]
        and one.substitution is None
    )
    for one in islice(behind, SOON):
        first = one.pipeline.segments[0]
        found = LACKS.match(model.source(first.span)) if first.kind is SegmentKind.IF else None
        if found is not None and found[1] == missing[1]:
            return True
        if model.command(first) == missing[1] and model.stops(first):
            return True
    return False


def _is_moved_next(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next command takes what an installer makes in the home folder, or stops the script."""
    only = None if place.next is None or len(place.next.segments) > 1 else place.next.segments[0]
    if only is None or model.command(only) not in {"mv", "cp", "cd", "ln", "chmod"}:
        return False
    made = any(HOME.match(word) for word in operands(model.words(only))[:1])
    return made and model.stops(only)


def _names_a_release(model: ScriptModel, segment: Segment) -> bool:
    """Whether a command makes or finds a version, and fails where there is none."""
    words = model.words(segment)
    if _is_own(model, segment):
        return True
    named = " ".join(words[:2])
    return named in {"git describe", "npm version"} and "--always" not in words


def _is_handed_on(model: ScriptModel, segment: Segment) -> bool:
    """Whether a function is given a shell to run: `run_cmd bash -c "$(curl …)"`."""
    return any(word.rpartition("/")[2] in SHELLS for word in model.words(segment)[1:])


def _lost(
    model: ScriptModel, place: PipelinePlace, segment: Segment, substitution: Substitution
) -> Segment | None:
    """The command of a substitution whose failure nothing sees, where the outer one's is seen."""
    inner = _only_command(substitution)
    if inner is None:
        return None
    command, words = model.command(inner), model.words(inner)
    matters = has_trait(Trait.BUILDS, command, words) or has_trait(Trait.FETCHES, command, words)
    # What is published goes by a name that a failure leaves out.
    publishes = any(
        has_trait(one, model.command(segment), model.words(segment))
        for one in (Trait.PUBLISHES, Trait.APPLIES)
    )
    matters = matters or (publishes and _names_a_release(model, inner))
    # `read` takes what comes, and nothing as well.
    matters = matters or (model.command(segment) == "read" and _is_own(model, inner))
    # `rm -rf "$(cmd)/build"` is `rm -rf /build` then.
    follows = model.text[substitution.span.end : substitution.span.end + 1] == "/"
    removes = model.command(segment) == "rm" and has_flag(
        model.words(segment), "r", "-R", "--recursive"
    )
    # A function of a library that only prints a path is called like this.
    is_program = command not in names(Trait.SURE) and "_" not in command
    destroys = removes and follows and is_program and not model.reads_a_library
    if not (matters or destroys):
        return None
    # Without its version an address has no page, and a download that sees this ends the script.
    outer = model.command(segment)
    if refuses_a_wrong_address(outer, model.words(segment)) and model.stops(segment):
        return None
    runs_it = outer in INTERPRETERS
    # Installers are run like this everywhere, and a download says that it failed, unless it is silent.
    tells = has_trait(Trait.DOWNLOADS, command, words) and not is_silent(words)
    if tells and (runs_it or _is_handed_on(model, segment)):
        return None
    if runs_it and (_is_looked_for_next(model, place) or _is_moved_next(model, place)):
        return None
    asked = destroys or (model.asks_to_stop(place, segment) and model.is_noticed(segment))
    return inner if asked and model.is_unnoticed(inner) else None
