"""Rule `late-status`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Role, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

STATUS = re.compile(r"\$\?(?!\w)|\$\{\?\}")
SEGMENTS = re.compile(r"\$\{?(?:pipestatus|PIPESTATUS)\b[^\s\"']*")
# Their own exit says nothing: they always succeed, or nobody asks.
SAY_NOTHING = word_set("echo print printf : true unset shift sleep")
LOOPS = frozenset({SegmentKind.FOR, SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.REPEAT})
TESTS = frozenset({"[", "test", "[["})


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def late_status(model: ScriptModel) -> Iterator[Insight]:
    """`$?` is the exit of the last command, and here that is not the one that is meant.

    A message printed in between, or the test of `$?` itself, has an exit of its
    own.

        #!/bin/bash
        make install
        echo "make is done"
        if [ $? -ne 0 ]; then
        #    ^^ warning: $? is the exit of echo here
          exit 1
        fi

    Read it at once, or keep it:

        #!/bin/bash
        make install
        status=$?
        echo "make is done"
        if [ $status -ne 0 ]; then
          exit 1
        fi
    """
    if not STATUS.search(model.text):
        return
    for place in model.places:
        previous = place.before[-1] if place.before else None
        if previous is not None and previous.connector is Connector.NONE:
            yield from _after_a_message(model, place, previous)
        yield from _after_its_own_test(model, place)


def _after_a_message(
    model: ScriptModel, place: PipelinePlace, previous: Pipeline
) -> Iterator[Insight]:
    """`cmd; echo …; [ $? … ]`: the status of echo is read."""
    between = previous.segments[-1]
    command = model.command(between)
    elsewhere = bool(between.redirections) or "-u" in model.words(between)
    alone = len(place.before) > 1 and not previous.negated and not elsewhere
    if not alone or command not in SAY_NOTHING or previous.background:
        return
    meant = place.before[-2]
    if meant.background or meant.connector is not Connector.NONE or not _has_a_say(model, meant):
        return
    found = _first_read(model, place.pipeline)
    if found is not None:
        yield Insight(Level.WARNING, f"$? is the exit of {command} here", span=found)


def _has_a_say(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether its exit is worth knowing: it is no loop, nor a command that always succeeds."""
    last = pipeline.segments[-1]
    if last.kind is SegmentKind.SIMPLE and not last.words:
        return bool(last.substitutions)
    return last.kind not in LOOPS and model.command(last) not in SAY_NOTHING


def _after_its_own_test(model: ScriptModel, place: PipelinePlace) -> Iterator[Insight]:
    """`[ $? -ne 0 ] && exit $?`, `if [ $? -ne 0 ]; then exit $?`: the status of the test is read."""
    following: Pipeline | None = None
    only = place.only
    if only is not None and only.kind is SegmentKind.IF and len(only.bodies) > 1:
        test = only.bodies[0].pipelines[-1] if only.bodies[0].pipelines else None
        then = only.bodies[1]
        if then.role is Role.BODY and then.pipelines:
            following = then.pipelines[0]
    else:
        test = place.pipeline
        if place.pipeline.connector is not Connector.NONE and place.after:
            following = place.after[0]
    if test is None or following is None or not _tests_status(model, test):
        return
    found = _first_read(model, following)
    if found is not None:
        yield Insight(Level.WARNING, "$? is the exit of the test here", span=found)


def _tests_status(model: ScriptModel, pipeline: Pipeline) -> bool:
    segment = pipeline.segments[0]
    is_test = segment.kind is SegmentKind.CONDITION or model.command(segment) in TESTS
    return (
        is_test
        and len(pipeline.segments) == 1
        and STATUS.search(model.source(segment.span)) is not None
    )


def _first_read(model: ScriptModel, pipeline: Pipeline) -> Span | None:
    """Where the first command of a pipeline reads `$?`, outside single quotes."""
    first = model.first_simple(pipeline)
    if first is None:
        return None
    for word in (*first.words, *(one.value for one in first.assignments)):
        text = model.source(word)
        found = None if text.startswith("'") else STATUS.search(text)
        if found is None:
            continue
        at = Span(word.start + found.start(), word.start + found.end())
        if not any(one.span.start <= at.start < one.span.end for one in first.substitutions):
            return at
    return None
