"""Rule `late-status`."""

from __future__ import annotations

from collections.abc import Iterator, Set

from zsh_ls.insights.facts import Trait, names
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import STATUS, PipelinePlace, ScriptModel, variable
from zsh_ls.insights.script_words import DECLARES
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Role, SegmentKind
from zsh_ls.model.words import Level

LOOPS = frozenset({SegmentKind.FOR, SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.REPEAT})
# A comment that is a command: an assignment, a keyword, a program with an option or a variable.
COMMENTED_OUT = re.compile(
    r"#\s*(?:\w+=|(?:fi|done)\s*$|if\s+!?\s*\[|(?:sudo\s+)?[\w./-]+\s+(?:-\w|\"?\$[\w{]))"
)
KEEPS = re.compile(
    r"\s*(?P<exports>export\s+)?(?:(?:local|typeset|declare)\s+)?(?P<name>\w+)=\"?\$\{?\?\}?\"?\s*"
)
RESETS_TRAP = re.compile(r"\s*trap\s+(?:--\s+)?(?:''|\"\"|-)\s+(?:0|EXIT)\b")
COMPLETER = re.compile(r"(?:function\s+)?([\w-]+)")
COMPLETE = re.compile(r"\bcomplete\b[^\n;]*")
FUNCTION_OPTION = re.compile(r"\s-F")
OPTION_VALUE = re.compile(r"\s*([\w-]+)")
TESTS = frozenset({"[", "test", "[["})
LONGEST_MEANT = 40
HANDS_ON = re.compile(r"\s*(?:return|exit)\s+\"?\$\{?\?\}?\"?\s*(?:;.*|\}\s*)?")


@rule(RuleKind.STATIC, Level.WARNING)
def late_status(model: ScriptModel) -> Iterator[Insight]:
    """`$?` is the exit of the last command, and here that is not the one that is meant.

    A message printed in between, or the test of `$?` itself, has an exit of its
    own; after `cmd || true` and in `if ! cmd; then` it is 0.

        #!/bin/bash
        make install
        echo "make is done"
        if [ $? -ne 0 ]; then
        #    ^^ warning: $? is the exit of echo here: 0, whatever 'make install'
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
    for found in _late(model):
        if found.span is None or not _reads_in_vain(model, found.span):
            yield found


def _late(model: ScriptModel) -> Iterator[Insight]:
    completers = _completers(model.text)
    for place in model.places:
        if _completes(model, place, completers):
            continue
        previous = place.before[-1] if place.before else None
        if previous is not None and previous.connector is Connector.NONE:
            yield from _after_a_message(model, place, previous)
        yield from _after_its_own_test(model, place)
        yield from _after_a_forgiven_failure(model, place)
        yield from _after_not(model, place)


def _reads_in_vain(model: ScriptModel, read: Span) -> bool:
    """Whether a status is kept for nobody, or for the exit while the EXIT trap is taken away."""
    kept, end = _kept(model, read)
    if kept is None:
        return False
    if RESETS_TRAP.match(model.text, end + 1):
        return True
    return len(re.findall(rf"\b{kept['name']}\b", model.text)) == 1 and not kept["exports"]


def _kept(model: ScriptModel, read: Span) -> tuple[re.Match[str] | None, int]:
    """The line that does nothing but keep the status in a variable, if it does, and its end."""
    end = model.text.find("\n", read.end)
    end = len(model.text) if end < 0 else end
    start = model.text.rfind("\n", 0, read.start) + 1
    return KEEPS.fullmatch(model.text[start:end]), end


def _is_only_handed_on(model: ScriptModel, place: PipelinePlace, read: Span) -> bool:
    """Whether all that is done with a status is to return it, or to exit with it."""
    start = model.text.rfind("\n", 0, read.start) + 1
    kept, end = _kept(model, read)
    if kept is None:
        within = max(start, place.span.start)
        return HANDS_ON.search(model.text[within:end]) is not None
    function = place.function
    last = len(model.text) if function is None else function.span.end
    uses = re.findall(rf"\b{kept['name']}\b", model.text[end:last])
    returned = rf"\b(?:return|exit)\s+\"?{variable(kept['name'])}\}}?\"?\s*(?:[;}}]|$)"
    return len(uses) == 1 and re.search(f"(?m){returned}", model.text[end:last]) is not None


def _is_in_a_widget(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the function is one of zsh's editor, whose status makes a beep at most."""
    function = place.function
    return (
        model.dialect is Dialect.ZSH
        and function is not None
        and model.mentions(r"(?m)^\s*zle\s", *function.span)
    )


def _completes(model: ScriptModel, place: PipelinePlace, completers: Set[str]) -> bool:
    """Whether it is in a function that completes words, whose status nobody reads."""
    function = place.function
    if function is None or not completers:
        return False
    name = COMPLETER.match(model.source(function.span))
    return name is not None and name[1] in completers


def _completers(text: str) -> frozenset[str]:
    """The functions that `complete … -F NAME` names somewhere, found in one pass over the text."""
    found: set[str] = set()
    for command in COMPLETE.finditer(text):
        # The option may stand at the beginning of the next line.
        for option in FUNCTION_OPTION.finditer(text, command.start(), command.end() + len("\n-F")):
            name = OPTION_VALUE.match(text, option.end())
            found.update(name.groups() if name else ())
    return frozenset(found)


def _after_a_message(
    model: ScriptModel, place: PipelinePlace, previous: Pipeline
) -> Iterator[Insight]:
    """`cmd; echo …; [ $? … ]`: the status of echo is read."""
    between = previous.segments[-1]
    command = model.command(between)
    elsewhere = bool(between.redirections) or "-u" in model.words(between)
    # `sudo echo` asks for a password, and fails without one.
    wrapped = model.words(between)[:1] != (command,)
    alone = len(place.before) > 1 and not previous.negated and not elsewhere and not wrapped
    if not alone or command not in names(Trait.SAYS) or previous.background:
        return
    meant = place.before[-2]
    if meant.background or meant.connector is not Connector.NONE or not _has_a_say(model, meant):
        return
    first = model.first_simple(place.pipeline)
    # In the text of a trap it is worked out when that is set, which is a trouble of its own.
    if first is None or model.command(first) == "trap":
        return
    found = model.status_read(place.pipeline)
    if found is None or _lines_are_commented_out(model, previous.span.end, found.start):
        return
    # Where errexit ends the script at the one that is meant, nobody gets here with its failure.
    if model.stops(meant.segments[-1]):
        return
    if _is_in_a_widget(model, place) and _is_only_handed_on(model, place, found):
        return
    if model.reads_only(found, previous.span):
        what = f"0, whatever '{model.first_line(meant.span, LONGEST_MEANT)}' came to"
        yield Insight(Level.WARNING, f"$? is the exit of {command} here: {what}", span=found)


def _lines_are_commented_out(model: ScriptModel, start: int, end: int) -> bool:
    """Whether comments in a range hold commands: whose status is meant returns with them."""
    return any(
        start <= comment.start < end and COMMENTED_OUT.match(model.source(comment))
        for comment in model.script.comments
    )


def _has_a_say(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether its exit is worth knowing: it is no loop, nor a command that always succeeds."""
    last = pipeline.segments[-1]
    if last.kind is SegmentKind.SIMPLE and (not last.words or model.command(last) in DECLARES):
        return bool(last.substitutions)
    return last.kind not in LOOPS and model.command(last) not in names(Trait.SAYS)


def _after_its_own_test(model: ScriptModel, place: PipelinePlace) -> Iterator[Insight]:
    """`[ $? -ne 0 ] && exit $?`, `if [ $? -ne 0 ]; then exit $?`: the status of the test is read."""
    following: Pipeline | None = None
    always = 0
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
            always = int(place.pipeline.connector is Connector.OR)
    if test is None or following is None or not _tests_status(model, test):
        return
    # Where errexit ends the script at what is tested, nobody gets here with its failure.
    is_fatal = place.context.errexit is Setting.ON and place.before
    if is_fatal and model.stops(place.before[-1].segments[-1]):
        return
    found = model.status_read(following)
    # Handed on, a failure is a failure, by whichever number.
    if found is not None and always and _is_only_handed_on(model, place, found):
        return
    if found is not None and model.reads_only(found, test.span):
        what = f"always {always}, and not what it tested"
        yield Insight(Level.WARNING, f"$? is the exit of the test here: {what}", span=found)


def _tests_status(model: ScriptModel, pipeline: Pipeline) -> bool:
    segment = pipeline.segments[0]
    is_test = segment.kind is SegmentKind.CONDITION or model.command(segment) in TESTS
    return (
        is_test
        and len(pipeline.segments) == 1
        and STATUS.search(model.source(segment.span)) is not None
    )


def _after_a_forgiven_failure(model: ScriptModel, place: PipelinePlace) -> Iterator[Insight]:
    """`cmd || true; rc=$?`: always 0."""
    if not place.is_forgiven or len(place.after) < 2:
        return
    forgiving, reader = place.after[:2]
    # A status that is only shown is for a reader, who sees the `|| true` as well.
    if model.source(reader.span).strip() in {"echo $?", 'echo "$?"'}:
        return
    if forgiving.connector is not Connector.NONE or forgiving.background:
        return
    found = model.status_read(reader)
    forgiven = Span(place.span.start, forgiving.span.end)
    if found is not None and model.reads_only(found, forgiven):
        word = forgiving.segments[0].command_word
        witness = place.pipeline.segments[-1]
        yield model.warning(f"$? is 0 here: '|| {word}' hides the exit", found, witness)


def _after_not(model: ScriptModel, place: PipelinePlace) -> Iterator[Insight]:
    """`if ! cmd; then exit $?`: `!` turned the exit into 0."""
    only = place.only
    if only is None or only.kind is not SegmentKind.IF or len(only.bodies) < 2:
        return
    conditions, body = only.bodies[0].pipelines, only.bodies[1].pipelines
    if not conditions or not body or not conditions[-1].negated or body[0].background:
        return
    if len(conditions) > 1 and conditions[-2].connector is not Connector.NONE:
        return
    found = model.status_read(body[0])
    if found is not None and model.reads_only(found, conditions[-1].span):
        witness = conditions[-1].segments[-1]
        why = "the ! before the command made it so"
        if conditions[-1].background:
            # Without the ! it would be 0 as well.
            why = "the job has only begun, and nothing looks at its exit"
        yield model.warning(f"$? is 0 here: {why}", found, witness)
