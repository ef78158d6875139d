"""Rule `errexit-on-normal-exit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.facts import Trait, has_trait, names
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import (
    COMMAND_SUBSTITUTIONS,
    PipelinePlace,
    ScriptModel,
    checks_if_empty,
    made_of,
    tests_variable,
    variable,
)
from zsh_ls.insights.script_words import has_flag, operands, unquoted
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Role, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import FILES_DIFFER, NO_MATCH, normal_meaning

ONLY_REAL_FAILURES = " || [ $? -eq 1 ]"

# Texts of which something is always found: the script's own, the kernel's, those of a fixed form.
# A file that the project keeps beside the script, by its suffix.
SOURCES = re.compile(
    r"(?:^|/)[\w./-]*(?:\.(?:c|cc|cpp|h|hpp|go|mod|work|rs|py|rb|js|ts|java|kt|swift|php|lua|twig|"
    r"nix|toml|lock|conf|cfg|ini|options|ya?ml|json|xml|gradle|properties|cmake|in|am|ac|md|rst|adoc|sh|bash|zsh)"
    r"|Makefile|CMakeLists\.txt|(?:^|/)\.[\w-]+)$"
)
VARIABLE = re.compile(r"(?<!\\)(?:\$[\w{(]|`)")
GIVES_UP = r"\b(?:exit|return)\b"
ERR_TRAP = r"\btrap\b[^\n]*\s(?:ERR|ZERR)\b|\bTRAPZ?ERR\b"
COMPARERS = {"diff", "cmp"}
# What takes one value out of the lines that were found.
FIELD = re.compile(r"(?:head|tail)\s+(?:-n\s*)?-?1\b|cut\s|g?awk\s[^|]*\bprint\s+\$[1-9]")
# A count, and what two files do not have in common.
MAY_BE_NOTHING = re.compile(r"\|\s*wc\b|\bgrep\s+-\w*c|\bdiff\s")
WAITS = r"\bsleep\b"
# A value and no text around it.
ANSWER = re.compile(r"(?:echo|printf\s+[\"']%s(?:\\n)?[\"'])\s+\"?\$\{?\w+\}?\"?")
# The script itself, and no file beside it.
ITSELF = re.compile(r'"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?')
SURE_SOURCES = (
    "MAKEFILE_LIST",
    "/etc/os-release",
    " version",
    "<<<",
    "/proc/",
    "/sys/",
    "Dockerfile",
    "--version",
    " -V ",
)


@rule(RuleKind.STATIC, Level.WARNING)
def errexit_on_normal_exit(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, an answer that is no failure ends the script.

    grep exits 1 when nothing matches. Where its output is what is wanted, an
    empty answer ends the script without a word.

        #!/bin/bash
        set -e
        users=$(grep '^web' /etc/passwd)
        #       ^^^^^^^^^^^^^^^^^^^^^^^ warning: grep exits 1 for "no match", and errexit ends the script
        echo "$users"

    The fix lets 1 pass and still stops for 2, which is trouble. A search whose
    output nobody takes is an assertion, and is meant to stop; so is one for a
    single value (`grep -o`, or with `head -n 1` or `cut` behind), or in what was just
    downloaded, unless the script looks whether it found nothing, and every one of a test suite:

        #!/bin/bash
        set -e
        users=$(grep '^web' /etc/passwd || true)
        grep -q '^root' /etc/passwd
        echo "$users"
    """
    if model.is_test_suite:
        return
    for place in model.fatal:
        if place.pipeline.negated or place.is_last_of_script or _is_for_an_answer(model, place):
            continue
        found = _first_answer(model, place) or _answer_asked_for(model, place)
        if found is not None and model.stops(found[0]):
            segment, meaning = found
            kept = model.status_read(place.next) is not None
            yield model.warning(
                f'{model.command(segment)} exits 1 for "{meaning}", and errexit ends the script'
                f"{_consequence(model, place, meaning)}",
                segment.span,
                segment,
                # What reads `$?` behind would read that of the fix.
                None if kept else model.appended(place, ONLY_REAL_FAILURES, "Let exit 1 pass"),
            )


def _is_for_an_answer(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether it is in a function that nobody calls here, and that ends by printing what it was asked for.

    Others call it in `$(…)`, where bash has no errexit.
    """
    function = place.function
    if function is None or model.dialect is Dialect.ZSH or not function.bodies:
        return False
    names_of_it = {model.source(word) for word in function.words}
    if not names_of_it.isdisjoint(model.called):
        return False
    ends = list(_ends_of(function.bodies[-1].pipelines))
    return any(
        model.command(end.segments[0]) in {"echo", "printf"}
        and ANSWER.fullmatch(model.source(end.span)) is not None
        for end in ends
    )


def _ends_of(pipelines: Sequence[Pipeline]) -> Iterator[Pipeline]:
    """What a list may end with, in whichever branch."""
    for last in pipelines[-1:]:
        segment = last.segments[-1]
        if segment.kind is not SegmentKind.IF:
            yield last
        for body in segment.bodies:
            if segment.kind is SegmentKind.IF and body.role is Role.BODY:
                yield from _ends_of(body.pipelines)


def _is_among_assertions(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether tests stand alone on lines beside it: under errexit they are what is to be so."""
    tests = [
        one
        for one in (*place.before, *place.after)
        if one.connector is Connector.NONE
        and not one.negated
        and one.segments[0].command_word in {"[", "test", "[["}
    ]
    return len(tests) > 1


def _consequence(model: ScriptModel, place: PipelinePlace, meaning: str) -> str:
    """What the script was to do with no match, and does not come to; else that it says nothing."""
    only = place.only
    if meaning != NO_MATCH or only is None or not only.assignments:
        return ""
    name = only.assignments[-1].name
    for one in place.after:
        if checks_if_empty(model, (one,), name):
            line = model.text.count("\n", 0, one.span.start) + 1
            return f": the look for an empty {name} on line {line} is never reached"
    # Its trap may say where the script ended.
    return "" if model.mentions(ERR_TRAP) else " without a word"


def _first_answer(model: ScriptModel, place: PipelinePlace) -> tuple[Segment, str] | None:
    """The first segment that may answer with 1, where its exit decides, and what 1 means of it."""
    only = place.only
    if only is None or only.words:
        return _shown_or_kept(model, place)
    pipeline = _assigned(only)
    if pipeline is None or pipeline.negated or _is_known_to_match(model, place):
        return None
    if _is_asserted_above(model, place, pipeline):
        return None
    deciding = pipeline.segments
    if place.context.pipefail is not Setting.ON:
        deciding = deciding[-1:]
    name = only.assignments[-1].name
    if _stops_for_nothing(model, place, name):
        return None
    expects_nothing = checks_if_empty(model, place.after, name)
    if not expects_nothing and (
        _has_surely_a_match(model, pipeline)
        or _is_fetched(model, pipeline.segments[0])
        or (_takes_one_value(model, pipeline) and not _is_asked_again(model, place))
        or not _may_be_nothing(model, place, name)
    ):
        return None
    answers = (_answer(model, segment) for segment in deciding)
    return next((answer for answer in answers if answer is not None), None)


def _answer_asked_for(model: ScriptModel, place: PipelinePlace) -> tuple[Segment, str] | None:
    """A command whose exit the next one reads, which then runs for one answer only: `cmp -s a b; same=$?`."""
    only = place.only
    if only is None or not only.words or model.status_read(place.next) is None:
        return None
    meaning = normal_meaning(model.command(only), 1)
    return (only, meaning) if meaning in {NO_MATCH, FILES_DIFFER} else None


def _shown_or_kept(model: ScriptModel, place: PipelinePlace) -> tuple[Segment, str] | None:
    """A search on the script's own way whose lines are for a reader or a file: not told to stop by none."""
    # With nothing but `exit` behind it, its answer is the script's own.
    only_leaves = all(one.segments[0].command_word == "exit" for one in place.after)
    if place.around or only_leaves or _has_surely_a_match(model, place.pipeline):
        return None
    if _is_among_assertions(model, place):
        return None
    first, last = place.pipeline.segments[0], place.pipeline.segments[-1]
    if not any(">" in one.operator for one in last.redirections):
        # What is shown of a program's answer is an assertion as a rule: `kubectl get pods | grep web`.
        asserts = first is not last and model.command(first) not in names(Trait.VIEWS)
        if asserts or model.command(last) in COMPARERS or _is_written_above(model, place, last):
            return None
    return _answer(model, last)


def _is_written_above(model: ScriptModel, place: PipelinePlace, search: Segment) -> bool:
    """Whether the script itself wrote the file that is searched: a test looks at what it got."""
    return any(
        model.mentions(rf"(?:>|\btee\b(?: -a)?)\s*{re.escape(file)}", end=place.span.start)
        for file in operands(model.words(search))
    )


def _assigned(segment: Segment) -> Pipeline | None:
    """The pipeline whose exit an assignment takes over: that of its last substitution."""
    substitutions = [one for one in segment.substitutions if one.kind in COMMAND_SUBSTITUTIONS]
    if not segment.assignments or not substitutions or not substitutions[-1].pipelines:
        return None
    return substitutions[-1].pipelines[-1]


def _answer(model: ScriptModel, segment: Segment) -> tuple[Segment, str] | None:
    meaning = normal_meaning(model.command(segment), 1)
    if meaning not in {NO_MATCH, FILES_DIFFER}:
        return None
    # Where only the exit is wanted, 1 is meant to stop.
    targets = {model.source(one.target) for one in segment.redirections if one.operator != "<"}
    is_quiet = (
        "/dev/null" in targets
        or model.command(segment) == "cmp"
        or has_flag(model.words(segment), "q", "--quiet", "--silent", "--brief")
    )
    return None if is_quiet else (segment, meaning)


def _has_surely_a_match(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether the text is the script's own, its project's or the kernel's, or what is left over is wanted."""
    first = pipeline.segments[0]
    command = model.command(first)
    is_own = has_trait(Trait.TELLS, command, model.words(first)) or (
        len(pipeline.segments) > 1 and command not in names(Trait.VARIES)
    )
    text = model.source(pipeline.span)
    known = any(source in text for source in SURE_SOURCES)
    known = known or any(map(ITSELF.fullmatch, model.words(first)[1:]))
    in_sources = any(_is_in_the_sources(model, one) for one in pipeline.segments)
    inverted = any(has_flag(model.words(one), "v", "--invert-match") for one in pipeline.segments)
    return is_own or inverted or known or in_sources


def _is_fetched(model: ScriptModel, segment: Segment) -> bool:
    """Whether the text that is searched comes from a server: without what is wanted, none can go on."""
    return has_trait(Trait.DOWNLOADS, model.command(segment), model.words(segment))


def _takes_one_value(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether one field is taken out of what is found: without it the script cannot go on, as a rule."""
    searches = [one for one in pipeline.segments if _answer(model, one) is not None]
    if any(has_flag(model.words(one), "c", "--count") for one in searches):
        return False
    only_the_match = any(has_flag(model.words(one), "o", "--only-matching") for one in searches)
    return only_the_match or any(
        FIELD.match(model.source(one.span)) for one in pipeline.segments[1:]
    )


def _may_be_nothing(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether the first that is done with a value works for none as well: a loop, a message, a count.

    What a command needs as an operand is to be found, and the script is meant to stop without it.
    """
    if place.only is not None and MAY_BE_NOTHING.search(model.source(place.only.span)):
        return True
    if any(tests_variable(model, place.after[:3], it) for it in made_of(model, place.after, name)):
        return True
    behind = (one for one in model.places if one.span.start >= place.span.end)
    used = next((one for one in behind if model.mentions(variable(name), *one.span)), None)
    if used is None:
        return False
    first = used.pipeline.segments[0]
    said = len(used.pipeline.segments) == 1 and has_trait(
        Trait.SAYS, model.command(first), model.words(first)
    )
    # `eval ""` does nothing.
    said = said or model.command(first) == "eval"
    return said or first.kind in {
        SegmentKind.FOR,
        SegmentKind.WHILE,
        SegmentKind.IF,
        SegmentKind.CASE,
    }


def _is_asked_again(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a loop around it waits, and asks again in its next turn."""
    return any(
        one.kind in {SegmentKind.FOR, SegmentKind.WHILE, SegmentKind.UNTIL}
        and model.mentions(WAITS, *one.span)
        for one in place.around
    )


def _is_known_to_match(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a condition around it, or an `&&` before it, has looked for a match already."""
    before = place.before[-1] if place.before else None
    if before is not None and before.connector is Connector.AND:
        return model.mentions(r"\bgrep\b", *before.span)
    return any(
        model.mentions(r"\bgrep\b", one.span.start, place.span.start)
        for one in place.around
        if one.kind is SegmentKind.IF
    )


def _is_asserted_above(model: ScriptModel, place: PipelinePlace, pipeline: Pipeline) -> bool:
    """Whether the script ended already unless a test above found the very text that is searched for."""
    wanted = [
        unquoted(words[0])
        for segment in pipeline.segments
        if (words := operands(model.words(segment))) and _answer(model, segment) is not None
    ]
    fixed = [word for word in wanted if not VARIABLE.search(word)]
    if not fixed or len(fixed) < len(wanted):
        return False
    for at, before in enumerate(place.before):
        last = before.segments[-1]
        tests = last.kind is SegmentKind.CONDITION or has_trait(
            Trait.TEST, model.command(last), model.words(last)
        )
        gives_up = False
        link = before
        for behind in (*place.before[at + 1 :], place.pipeline):
            if link.connector is not Connector.OR:
                break
            gives_up = gives_up or model.mentions(GIVES_UP, *behind.span)
            link = behind
        if tests and gives_up and not before.negated:
            text = model.source(last.span)
            if all(re.search(rf"(?<![\w@-]){re.escape(word)}(?![\w-])", text) for word in fixed):
                return True
    return False


def _stops_for_nothing(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether the next command is a test of the variable at which the script would end as well.

    Nothing is said there either: the test stands alone, or with nothing but `exit` behind it.
    """
    only = None if place.next is None or len(place.next.segments) > 1 else place.next.segments[0]
    if only is None or place.next is None:
        return False
    if place.next.connector is not Connector.NONE:
        then = place.after[1].segments[0].command_word if len(place.after) > 1 else ""
        if then not in {"exit", "return"} or place.after[1].connector is not Connector.NONE:
            return False
    tests = only.kind is SegmentKind.CONDITION or model.command(only) in {"test", "["}
    return tests and model.mentions(variable(name), *only.span)


def _is_in_the_sources(model: ScriptModel, segment: Segment) -> bool:
    """Whether a fixed text is looked for in a source file of the project, which has it."""
    *wanted, file = operands(model.words(segment)) or [""]
    fixed = not any(VARIABLE.search(word) for word in model.words(segment)[1:-1])
    return bool(wanted) and fixed and SOURCES.search(unquoted(file)) is not None
