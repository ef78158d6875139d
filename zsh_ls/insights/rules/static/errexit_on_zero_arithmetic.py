"""Rule `errexit-on-zero-arithmetic`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Pipeline, Role, Segment, SegmentKind
from zsh_ls.model.words import Level

ARITHMETIC = {SegmentKind.ARITHMETIC, SegmentKind.SIMPLE}
ZERO = re.compile(r"\(\(\s*(?:\w+\s*=\s*)?0\s*\)\)|let\s+[\"']?\w+=0[\"']?")
STEP = re.compile(r"\(\(\s*(\w+)(?:\+\+|--)\s*\)\)|let\s+[\"']?(\w+)(?:\+\+|--)[\"']?")


@rule(RuleKind.STATIC, Level.WARNING)
def errexit_on_zero_arithmetic(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, counting up from 0 ends the script.

    An arithmetic command exits 1 when its value is 0, and `n++` has the value
    from before the step.

        #!/bin/bash
        set -e
        n=0
        for file in *.txt; do
          (( n++ ))
        # ^^^^^^^^^ warning: '(( n++ ))' exits 1 when n is 0, and errexit ends the script
        done

    So does `n=$(expr $n - 1)`. The fix lets that exit pass. `(( ++n ))` and an
    assignment have no such trouble:

        #!/bin/bash
        set -e
        n=0
        for file in *.txt; do
          n=$(( n + 1 ))
        done
    """
    for place in model.fatal:
        only = place.only
        if only is None or only.kind not in ARITHMETIC:
            continue
        text = model.source(only.span)
        condition = _when_zero(model, place, text)
        expression = None if condition is not None else _expression(model, only)
        witness = only
        if expression is not None:
            witness, text, condition = expression, "expr", " when its result is 0"
        if condition is not None and model.stops(witness):
            yield model.warning(
                f"'{text}' exits 1{condition}, and errexit ends the script",
                place.span,
                witness,
                model.appended(place, " || true", "Let the exit pass"),
            )


def _expression(model: ScriptModel, segment: Segment) -> Segment | None:
    """The `expr a - b` whose exit an assignment takes over, and which exits 1 for 0."""
    if not segment.assignments or segment.words or not segment.substitutions:
        return None
    inside = segment.substitutions[-1].pipelines
    if len(inside) != 1 or len(inside[0].segments) != 1 or inside[0].negated:
        return None
    expr = inside[0].segments[0]
    words = model.words(expr)
    return expr if words[:1] == ("expr",) and len(words) == 4 and words[2] in {"-", "%"} else None


def _when_zero(model: ScriptModel, place: PipelinePlace, text: str) -> str | None:
    """In which case the value is 0: `""` always, None where it is not known to be."""
    if ZERO.fullmatch(text):
        return ""
    found = STEP.fullmatch(text)
    if found is None:
        return None
    name = found[1] or found[2]
    begins = model.first_at(rf"(?<![\w$]){name}=[\"']?0[\"']?(?![\w.])") < place.span.start
    # Set to something else in between, it may be meant to fail where that was not done.
    set_anew = rf"(?<![\w$]){name}=(?![\"']?0[\"']?(?![\w.]))"
    if model.mentions(set_anew, end=place.span.start):
        return None
    if _is_counted_above(model, place, name) or _ends_anyway(model, place):
        return None
    on_its_own = model.shebang and place.function is None
    # A library may have counted before, but not the first failure of all.
    if model.reads_a_library and not _counts_the_rest(model, place, name):
        on_its_own = False
    never_set = on_its_own and model.first_at(rf"\b{name}\b") >= place.span.start
    return f" when {name} is 0" if begins or never_set else None


def _ends_anyway(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next command gives up with an exit of its own that is not 0."""
    only = None if place.next is None or len(place.next.segments) > 1 else place.next.segments[0]
    if only is None or only.command_word not in {"exit", "return"} or len(only.words) != 2:
        return False
    return re.fullmatch(r"[1-9]\d*", model.source(only.words[1])) is not None


def _has_counted_above(
    model: ScriptModel, place: PipelinePlace, above: PipelinePlace, name: str
) -> bool:
    """Whether `above` counts it up already, whatever came of that: it steps, or calls what does."""
    only = above.only
    if only is None or above.is_after_and_or:
        return False
    found = STEP.fullmatch(model.source(only.span))
    if found is not None:
        return (found[1] or found[2]) == name
    called = model.functions.get(only.command_word)
    if called is None or only.kind is not SegmentKind.SIMPLE or called is place.function:
        return False
    return any(
        inner.function is called
        and _counts(model, (inner.pipeline,), name)
        and all(_is_the_healthy_way(model, one, inner) for one in inner.around)
        for inner in model.places
    )


def _is_the_healthy_way(model: ScriptModel, around: Segment, place: PipelinePlace) -> bool:
    """Whether a run in which all goes well comes to `place` in the function or the `if` around it."""
    if around.kind is not SegmentKind.IF:
        return around.kind is SegmentKind.FUNCTION
    first = next((one for one in around.bodies if one.role is Role.BODY), None)
    negated = re.match(r"if\s+!", model.source(around.span)) is not None
    return (
        first is not None
        and not negated
        and any(one.span.start <= place.span.start < one.span.end for one in first.pipelines)
    )


def _is_counted_above(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether each way here counts it up once: above, or in all branches of an `if` that do not give up."""
    for above in model.places:
        only = above.only
        if above.span.start >= place.span.start:
            break
        if above.span.end >= place.span.start:
            continue  # it is around
        if only is None or above.substitution is not None:
            continue
        # In another branch of what is around both, it may not run.
        if not any(
            one.span.start <= place.span.start < one.span.end
            for one in above.siblings[above.position :]
        ):
            continue
        # A function may be called before what stands above it runs.
        if above.function is not place.function:
            continue
        again = rf"(?<![\w$]){name}(?:=|--)"
        if _has_counted_above(model, place, above, name) and not model.mentions(
            again, above.span.end, place.span.start
        ):
            return True
        if only.kind is not SegmentKind.IF:
            continue
        branches = [one.pipelines for one in only.bodies if one.role is Role.BODY]
        has_else = len(branches) > sum(one.role is Role.CONDITION for one in only.bodies)
        if (
            has_else
            and all(_counts(model, each, name) or _gives_up(model, each) for each in branches)
            and any(_counts(model, each, name) for each in branches)
            and not model.mentions(again, above.span.start, place.span.end)
        ):
            return True
    return False


def _counts(model: ScriptModel, pipelines: Sequence[Pipeline], name: str) -> bool:
    steps = (STEP.fullmatch(model.source(one.span)) for one in pipelines)
    return any(found is not None and (found[1] or found[2]) == name for found in steps)


def _gives_up(model: ScriptModel, pipelines: Sequence[Pipeline]) -> bool:
    return bool(pipelines) and pipelines[-1].segments[0].command_word in {"exit", "return"}


def _counts_the_rest(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether it is in the `else` of an `if` whose first branch counts something else up."""
    if not place.around or place.around[-1].kind is not SegmentKind.IF:
        return False
    branches = [one for one in place.around[-1].bodies if one.role is Role.BODY]
    if len(branches) < 2 or place.pipeline not in branches[-1].pipelines:
        return False
    steps = (STEP.fullmatch(model.source(one.span)) for one in branches[0].pipelines)
    return any(found is not None and (found[1] or found[2]) != name for found in steps)
