"""Rule `errexit-on-false-condition`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.insights.script_words import has_flag
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.fates import FateKind, Rule
from zsh_ls.shell.status.exit_codes import is_search

TESTS = frozenset({"test", "["})
# What ends the script is its exit, and no condition that asks the function.
BY_ERREXIT = frozenset({Rule.ERREXIT, Rule.CALL_FAILS, Rule.ERR_RETURN})


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def errexit_on_false_condition(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, a function that ends in `[[ … ]] && …` ends the script where that is false.

    In the function nothing happens, but its exit is 1, and `errexit` minds
    that of the call.

        #!/bin/bash
        set -e
        note() {
          echo "$1"
          [[ -n $verbose ]] && echo "$2"
        # ^^^^^^^^^^^^^^^^^ warning: where this is false note exits 1, and errexit ends the script
        }
        note "done" "in 3 steps"
        echo "all done"

    The fix writes the opposite before `||`. An `if` exits 0 where its condition
    is false:

        #!/bin/bash
        set -e
        note() {
          echo "$1"
          if [[ -n $verbose ]]; then echo "$2"; fi
        }
        note "done" "in 3 steps"
        echo "all done"
    """
    for function in model.script.functions:
        pipelines = function.bodies[-1].pipelines if function.bodies else ()
        if len(pipelines) < 2 or not function.words:
            continue
        test, last = pipelines[-2:]
        is_list = test.connector is Connector.AND and last.connector is Connector.NONE
        joined = len(pipelines) > 2 and pipelines[-3].connector is not Connector.NONE
        if not is_list or joined or model.errexit_at(test) is Setting.OFF or last.background:
            continue
        # Of tests alone the function makes its answer.
        if len(test.segments) > 1 or not _is_test(model, test) or _is_test(model, last):
            continue
        # Behind the last call nothing is left that would not run.
        if any(one.pipeline is last and model.is_the_end(one) for one in model.places):
            continue
        name = model.source(function.words[0])
        segment = test.segments[0]
        fate = model.fate(segment) if name in model.called else None
        if fate is not None and fate.fate is FateKind.STOPS and fate.rule in BY_ERREXIT:
            yield model.warning(
                f"where this is false {name} exits 1, and errexit ends the script",
                test.span,
                segment,
                _fix(model, test, last),
            )


def _is_test(model: ScriptModel, pipeline: Pipeline) -> bool:
    segment: Segment = pipeline.segments[0]
    command = model.command(segment)
    # It prints nothing: its exit is all that it is for.
    is_quiet_search = is_search(command) and has_flag(
        model.words(segment), "q", "--quiet", "--silent"
    )
    is_condition = segment.kind in {SegmentKind.CONDITION, SegmentKind.ARITHMETIC}
    return len(pipeline.segments) == 1 and (is_condition or command in TESTS or is_quiet_search)


def _fix(model: ScriptModel, test: Pipeline, last: Pipeline) -> Fix | None:
    """`! [[ … ]] || …`: the same, with the exit 0 where nothing is to be done."""
    between = model.text[test.span.end : last.span.start]
    if test.negated or between.strip() != "&&":
        return None
    at = test.span.end + between.index("&&")
    return Fix(
        "Exit 0 where it is false",
        (
            Replacement(Span(test.span.start, test.span.start), "! "),
            Replacement(Span(at, at + 2), "||"),
        ),
    )
