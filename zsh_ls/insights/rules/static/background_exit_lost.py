"""Rule `background-exit-lost`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, SegmentKind
from zsh_ls.model.words import Level

# The script keeps the job's id, asks for the jobs, or gives one up on purpose.
KEEPS_JOBS = r"\$!|\$\{!\}|\bdisown\b|\bjobs\b|\bwait[ \t]+[-\w$\"'%{]"

# A redirection into a file that is none of the shell's own.
INTO_FILE = r"(?<![0-9&<])>>?\|?\s*(?!/dev/|&)[\w$\"'./]"

ENDLESS = re.compile(r"while\s+(?:true|:|\(\(\s*1\s*\)\)|\[\s+1\s+\])\s*[;\n]")

NEVER_FAILS = (Trait.SAYS, Trait.SURE, Trait.TEST)


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def background_exit_lost(model: ScriptModel) -> Iterator[Insight]:
    """Work in the background fails without anyone knowing where no `wait` asks for its exit.

    Not even `errexit` sees it, and a bare `wait` exits 0 whatever happened.

        #!/bin/bash
        set -e
        make docs &
        #^^^^^^^^ warning: no wait asks for the exit of 'make docs': its failure is never seen
        make all
        wait

    `wait` with the job's id has its exit. A comment beside it that says why is
    taken for a reason:

        #!/bin/bash
        set -e
        make docs & docs=$!
        make all
        wait $docs
        make clean &  # nobody needs the old files
    """
    behind = [place for place in model.places if place.pipeline.background == "&"]
    if not behind or model.mentions(KEEPS_JOBS):
        return
    for place in behind:
        last = place.pipeline.segments[-1]
        if place.context.errexit is not Setting.ON or last.kind is not SegmentKind.SIMPLE:
            continue
        command, words = model.command(last), model.words(last)
        works = has_trait(Trait.BUILDS, command, words) or has_trait(Trait.COPIES, command, words)
        works = works or _is_awaited_at_once(model, place, command, words)
        works = works or (_is_own(model, command, words) and _is_waited_for(model, place))
        if (
            works
            and not _is_done_again(model, place)
            and not _has_a_reason(model, place)
            and model.is_unnoticed(last)
        ):
            text = model.first_line(place.span)
            message = f"no wait asks for the exit of '{text}': its failure is never seen"
            yield model.warning(message, place.span, last)


def _is_own(model: ScriptModel, command: str, words: Sequence[str]) -> bool:
    """Whether it runs a function or a script of the project itself; what goes into a file tells of it."""
    function = model.functions.get(command)
    if function is not None:
        return not model.mentions(INTO_FILE, *function.span)
    return bool(words and words[0].startswith("./"))


def _is_awaited_at_once(
    model: ScriptModel, place: PipelinePlace, command: str, words: Sequence[str]
) -> bool:
    """Whether jobs and a bare `wait` are one line, `a & b & wait`: all of them are to be done then."""
    line_end = model.text.find("\n", place.span.end)
    for pipeline in place.after:
        if line_end >= 0 and pipeline.span.start > line_end:
            return False
        only = pipeline.segments[0]
        if only.command_word == "wait" and len(only.words) == 1:
            return not any(has_trait(one, command, words) for one in NEVER_FAILS)
        if not pipeline.background:
            return False
    return False


def _is_waited_for(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a bare `wait` lets it end, behind which the script goes on with what it made."""
    if place.pipeline.connector is not Connector.NONE:
        return False
    for at, pipeline in enumerate(place.after[:-1]):
        only = pipeline.segments[0]
        if only.command_word == "wait" and len(only.words) == 1:
            return place.after[at + 1].segments[0].command_word != "exit"
        if not pipeline.background:
            return False
    return False


def _is_done_again(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a loop without an end, which sleeps in between, does it again in its next turn."""
    around = place.around[-1] if place.around else None
    return (
        around is not None
        and ENDLESS.match(model.source(around.span)) is not None
        and model.mentions(r"\bsleep\b", *around.span)
    )


def _has_a_reason(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a comment stands beside it."""
    line_end = model.text.find("\n", place.span.end)
    end = len(model.text) if line_end < 0 else line_end
    return any(place.span.end <= comment.start < end for comment in model.script.comments)
