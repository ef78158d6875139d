"""Rule `lost-loop-variable`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel, variable
from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Pipeline, Role, SegmentKind
from zsh_ls.model.words import Level

ARITHMETIC_STEP = re.compile(
    r"(?<![\w$])([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/]?=(?!=))|(?:\+\+|--)([A-Za-z_]\w*)"
)
LOOPS = {SegmentKind.WHILE, SegmentKind.UNTIL}


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def lost_loop_variable(model: ScriptModel) -> Iterator[Insight]:
    """In bash a loop behind a pipe runs in a process of its own, and what it sets is lost.

        #!/bin/bash
        count=0
        ls | while read -r file; do
          count=$((count + 1))
        # ^^^^^^^^^^^^^^^^^^^^ warning: count is set in a process of its own, and is as before behind the loop
        done
        echo "$count files"

    zsh runs the last command of a pipeline in the script's own process, and so
    does bash with `shopt -s lastpipe`; `while …; done < <(ls)` works in both:

        #!/bin/zsh
        count=0
        ls | while read -r file; do
          count=$((count + 1))
        done
        echo "$count files"
    """
    in_process = model.dialect is Dialect.ZSH or model.mentions(r"\blastpipe\b")
    # So does ksh.
    if in_process or "ksh" in model.shebang or (model.dialect is Dialect.SH and not model.shebang):
        return
    for place in model.piped:
        last = place.pipeline.segments[-1]
        if last.kind in LOOPS:
            inside = [
                pipeline
                for body in last.bodies
                if body.role is Role.BODY
                for pipeline in body.pipelines
            ]
            yield from _lost(model, place, inside)


def _lost(model: ScriptModel, place: PipelinePlace, inside: list[Pipeline]) -> Iterator[Insight]:
    reported: set[str] = set()
    for pipeline in inside:
        for name, span in _set_by(model, pipeline):
            if name not in reported and _is_read_behind(model, place, name):
                reported.add(name)
                yield Insight(
                    Level.WARNING,
                    f"{name} is set in a process of its own, and is as before behind the loop",
                    span=span,
                )


def _set_by(model: ScriptModel, pipeline: Pipeline) -> Iterator[tuple[str, Span]]:
    for segment in pipeline.segments if len(pipeline.segments) == 1 else ():
        if segment.kind is SegmentKind.SIMPLE and not segment.words:
            yield from ((one.name, one.span) for one in segment.assignments)
        elif segment.kind is SegmentKind.ARITHMETIC:
            for found in ARITHMETIC_STEP.finditer(model.source(segment.span)):
                yield found[1] or found[2], segment.span
        for body in segment.bodies if segment.kind in COMPOUND else ():
            for inner in body.pipelines:
                yield from _set_by(model, inner)


def _set_by_a_loop(pipeline: Pipeline, model: ScriptModel) -> Iterator[tuple[str, Span]]:
    """What the loop behind a pipe sets, where the pipeline ends in one."""
    last = pipeline.segments[-1]
    if len(pipeline.segments) > 1 and last.kind in LOOPS:
        for body in last.bodies:
            for inner in body.pipelines:
                yield from _set_by(model, inner)


def _is_read_by_the_script(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether a function's loop sets what the script itself begins, and reads outside of functions."""
    function = place.function
    if function is None or not model.mentions(rf"(?m)^{name}="):
        return False
    if model.mentions(rf"\b(?:local|declare|typeset)\b[^\n]*\b{name}\b", *function.span):
        return False
    read = re.compile(variable(name))
    return any(
        read.search(model.source(other.span))
        for other in model.places
        if not other.around and other.pipeline.segments[0].kind is not SegmentKind.FUNCTION
    )


COMPOUND = {
    SegmentKind.IF,
    SegmentKind.CASE,
    SegmentKind.FOR,
    SegmentKind.GROUP,
    SegmentKind.WHILE,
    SegmentKind.UNTIL,
}


def _is_read_behind(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether the script reads `$name` behind the loop, in its list, before it is set anew."""
    if _is_read_by_the_script(model, place, name):
        return True
    if not place.after or not model.mentions(rf"(?<![\w$]){name}=", end=place.span.start):
        return False
    start, end = place.after[0].span.start, place.after[-1].span.end
    read = re.compile(variable(name)).search(model.text, start, end)
    set_anew = re.compile(rf"(?<![\w$]){name}=|\b(?:for|read|local)\b[^\n;]*\b{name}\b").search(
        model.text, start, end
    )
    if read is None or (set_anew is not None and set_anew.start() <= read.start()):
        return False
    # A later loop of the same kind counts for itself.
    reader = next(one for one in place.after if read.start() < one.span.end)
    return name not in {found for found, _ in _set_by_a_loop(reader, model)}
