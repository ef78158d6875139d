"""Rule `declaration-masks-exit`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.facts import Trait, has_trait, names
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import (
    COMMAND_SUBSTITUTIONS,
    PipelinePlace,
    ScriptModel,
    checks_if_empty,
    variable,
)
from zsh_ls.insights.script_words import DECLARES
from zsh_ls.insights.value_flow import MESSAGE, is_looked_at
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Role, Segment, SegmentKind
from zsh_ls.model.words import Level

from .masked_segment import is_in_an_address

# A program by its path, which no system brings.
OWN_PROGRAM = re.compile(r"(?!/(?:usr/)?s?bin/)\S*/")
# A commit or a branch that the caller names may not be there.
ASKS_FOR_A_GIVEN_NAME = re.compile(r"git\s+rev-parse\s[^|]*\$\{?\d")
# What goes far for its answer, or makes something.
WORKS = (Trait.UNLOCKS, Trait.FETCHES, Trait.BUILDS, Trait.APPLIES, Trait.STEP, Trait.PACKS)
EXPORTS = frozenset({"export", "readonly"})
SHOWS = frozenset({"echo", "print", "printf", "cat"})
ASKS_VERSION = frozenset({"-v", "-V", "version", "--version"})
WAITS = r"\bsleep\b"
READ = re.compile(r"\$\w+|\$\{[^}]*\}")
VALUE = re.compile(r"(?P<name>[A-Za-z_]\w*)\+?=(?P<quote>\"?)(?:\$\(|`)")
SHOWN = re.compile(r"(?:echo|print)\s+\"?\$\{?\w+\}?\"?")
# How libraries name their functions, and hardly any program is called.
FUNCTION_LIKE = re.compile(r"\w*_\w+|[\w.:-]*::[\w.:-]+|(?:fn|get)-[\w-]+")
COMPOUND = {
    SegmentKind.IF,
    SegmentKind.CASE,
    SegmentKind.GROUP,
    SegmentKind.FOR,
    SegmentKind.WHILE,
    SegmentKind.UNTIL,
}


@rule(RuleKind.STATIC, Level.WARNING)
def declaration_masks_exit(model: ScriptModel) -> Iterator[Insight]:
    """`local x=$(cmd)` succeeds whatever `cmd` does, though something relies on its exit.

    The exit is that of `local` (or `export`, `typeset`, `readonly`): a following
    `||` or `$?` sees a success, and `errexit` goes on.

        #!/bin/bash
        version() {
          local tag=$(git describe) || return 1
        #       ^^^^^^^^^^^^^^^^^^^ warning: the exit of 'git describe' is lost: that of local counts
          echo "$tag"
        }

    The fix declares first and assigns then. Where nothing looks at the exit,
    nothing is lost and nothing is said, nor where `errexit` alone would, and 1
    is an answer (grep, diff): a healthy run would end there. `errexit` alone is
    not enough either where a file is only read, or the value is compared behind.

        #!/bin/bash
        version() {
          local tag=$(git describe)
          echo "$tag"
        }
    """
    for place in model.places:
        only = place.only
        if only is None or not only.substitutions or model.command(only) not in DECLARES:
            continue
        asked = _is_asked_for(model, place)
        if not asked and not model.asks_to_stop(place, only):
            continue
        for word in only.words[1:]:
            masked = _masked(model, only, word)
            if masked is None or not _may_decide(model, place, masked):
                continue
            hidden = masked.segments[-1]
            if not asked and not _fails_unawares(model, place, masked, word):
                continue
            if hidden.kind is not SegmentKind.SIMPLE or model.is_unnoticed(hidden):
                yield model.warning(
                    f"the exit of '{model.first_line(masked.span)}' is lost: "
                    f"that of {model.words(only)[0]} counts, {_consequence(model, place, word)}",
                    word,
                    hidden,
                    _fix(model, only, word),
                )


def _consequence(model: ScriptModel, place: PipelinePlace, word: Span) -> str:
    """What comes of a failure that is lost."""
    if place.pipeline.connector is Connector.OR:
        return f"and '|| {model.first_line(place.after[0].span, 20)}' never runs"
    source = model.source(word)
    name = VALUE.match(source)
    if name is None:
        return "and it goes on"
    # A value may have other text beside the substitution, and so is not empty without it.
    inside = [one.span.end for one in place.pipeline.segments[0].substitutions]
    is_all = word.end - len(name["quote"]) in inside and "+=" not in name[0]
    return (
        f"and it goes on with {name['name']} empty"
        if is_all
        else f"and {name['name']} is set without it"
    )


def _is_asked_for(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether `||`, `&&`, a condition or a read of `$?` right behind looks at the exit, and nothing else."""
    declared = None if place.only is None else VALUE.match(model.source(place.only.words[-1]))
    name = "" if declared is None else declared["name"]
    if place.pipeline.connector is not Connector.NONE:
        led = _leads_to_a_count(place) or _only_leads_to_a_message(model, place, name)
        return not place.is_forgiven and not led and not is_looked_at(model, place, name)
    if place.context.checked is StatusCheck.CONDITION and place.is_asked_last:
        return True
    if model.status_read(place.next) is None or _is_asked_if_empty(model, place):
        return False
    return not is_looked_at(model, place, name, for_one_text=True)


def _leads_to_a_count(place: PipelinePlace) -> bool:
    """Whether `&&` only guards the assignment of a text or a number."""
    guarded = place.after[0].segments[0] if place.after else None
    return (
        place.pipeline.connector is Connector.AND
        and guarded is not None
        and bool(guarded.assignments)
        and not guarded.words
        and not any(one.kind in COMMAND_SUBSTITUTIONS for one in guarded.substitutions)
    )


def _only_leads_to_a_message(model: ScriptModel, place: PipelinePlace, name: str) -> bool:
    """Whether all that `&&` leads to in the end is that the value is shown."""
    for pipeline in place.after if place.pipeline.connector is Connector.AND else ():
        if pipeline.connector is Connector.NONE:
            text = model.source(pipeline.span)
            return SHOWN.fullmatch(text) is not None and re.search(variable(name), text) is not None
        if pipeline.connector is not Connector.AND:
            return False
    return False


def _is_asked_if_empty(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether what reads `$?` looks for an empty value as well, which a failure leaves."""
    name = None if place.only is None else VALUE.match(model.source(place.only.words[-1]))
    if name is None:
        return False
    # `[[ $? != 0 ]] || [[ $answer != "true" ]]`: an empty one is not the answer either.
    differs = rf"(?:\[\[?|\btest)\s+\"?{variable(name['name'])}\"?\s+!=\s+[\"']?\w"
    first = "" if place.next is None else model.source(place.next.span).partition("\n")[0]
    return re.search(differs, first) is not None or checks_if_empty(
        model, place.after[:6], name["name"]
    )


def _masked(model: ScriptModel, segment: Segment, word: Span) -> Pipeline | None:
    """The pipeline whose exit a declared value hides, if any."""
    if not VALUE.match(model.source(word)):
        return None
    inside = [
        one
        for one in segment.substitutions
        if one.kind in COMMAND_SUBSTITUTIONS and word.start <= one.span.start < word.end
    ]
    if len(inside) != 1 or not inside[0].pipelines:
        return None
    forgiven = any(one.connector is Connector.OR for one in inside[0].pipelines)
    return None if forgiven else inside[0].pipelines[-1]


def _may_decide(model: ScriptModel, place: PipelinePlace, masked: Pipeline) -> bool:
    """Whether a command that may fail has a say in the exit of the masked pipeline."""
    if _is_there(model, place, masked) or _ran_already(model, place, masked):
        return False
    if any(model.command(one) in names(Trait.CHOOSES) for one in masked.segments):
        return False
    deciding = masked.segments
    if place.context.pipefail is not Setting.ON:
        deciding = deciding[-1:]
    return any(_may_fail(model, segment) for segment in deciding)


def _is_there(model: ScriptModel, place: PipelinePlace, masked: Pipeline) -> bool:
    """Whether `cat` shows a file for which the `if` around, or the test before `&&`, has looked."""
    first = masked.segments[0]
    words = model.words(first)
    if len(masked.segments) > 1 or model.command(first) != "cat" or len(words) != 2:
        return False
    looks = rf"(?:if\s+)?(?:\[\[?|test)\s+-[efrs]\s+{re.escape(words[1])}\s*(?:\]|;|&|$)"
    at = place.position
    while at and place.siblings[at - 1].connector is Connector.AND:
        at -= 1
        if re.match(looks, f"{model.source(place.siblings[at].span)} "):
            return True
    return any(
        one.kind is SegmentKind.IF and re.match(looks, model.line_at(one.span.start).strip())
        for one in place.around
    )


def _ran_already(model: ScriptModel, place: PipelinePlace, masked: Pipeline) -> bool:
    """Whether the `if` around has run the very command, for what it printed."""
    text = model.source(masked.span)
    return any(
        one.kind is SegmentKind.IF and model.text.find(text, one.span.start, place.span.start) >= 0
        for one in place.around
    )


def _fails_unawares(model: ScriptModel, place: PipelinePlace, masked: Pipeline, word: Span) -> bool:
    """Whether `errexit` is all that would see a failure: no look for an empty value follows."""
    name = VALUE.match(model.source(word))
    if name is None or is_looked_at(model, place, name["name"]) or _is_asked_again(model, place):
        return False
    if _is_only_shown(model, place, word, name["name"]):
        return False
    if len(masked.segments) > 1:
        # It is the pipeline that hides who came first, and without the declaration it does so too.
        if place.context.pipefail is not Setting.ON:
            return False
        if not _is_used(model, place, word, name["name"]):
            return False
    if _is_elsewhere(model, masked):
        return False
    if is_in_an_address(model, place.after, name["name"]):
        return False
    return _does_work(model, place, masked)


def _is_asked_again(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a loop around it waits, and asks again in its next turn."""
    loops = {SegmentKind.FOR, SegmentKind.WHILE, SegmentKind.UNTIL}
    return any(one.kind in loops and model.mentions(WAITS, *one.span) for one in place.around)


def _is_only_shown(model: ScriptModel, place: PipelinePlace, word: Span, name: str) -> bool:
    """Whether a value of a function is for its messages alone, and so a reader sees that there is none."""
    function = place.function
    if function is None or model.source(place.pipeline.segments[0].words[0]) in EXPORTS:
        return False
    uses = [
        one
        for one in model.places
        if word.end < one.span.start < function.span.end
        and one.only is not None
        and one.only.kind is SegmentKind.SIMPLE
        and one.function is function
    ]
    ranges = [(one, *_whole(model, one.span)) for one in uses]
    total = len(re.findall(variable(name), model.text[word.end : function.span.end]))
    seen = 0
    for one, start, end in ranges:
        only = one.pipeline.segments[0]
        text = model.text[start:end]
        found = len(re.findall(variable(name), text))
        if not found:
            continue
        if model.command(only) not in SHOWS and not MESSAGE.search(only.command_word):
            return False
        # A text that is nothing but values is what the function answers with.
        said = READ.sub("", text[len(only.command_word) :])
        if not re.search(r"[^\W\d_]{3}", said):
            return False
        seen += found
    return 0 < total == seen


def _whole(model: ScriptModel, span: Span) -> tuple[int, int]:
    """The range of a command with its here-documents."""
    bodies = [
        one.body.end
        for one in model.script.heredocs
        if span.start <= one.redirection.start < span.end
    ]
    return span.start, max([span.end, *bodies])


def _does_work(model: ScriptModel, place: PipelinePlace, masked: Pipeline) -> bool:
    """Whether a command that decides goes far for its answer, or makes something, and so may fail.

    What asks the machine, a repository or a file that the script brings answers in practice.
    """
    deciding = masked.segments if place.context.pipefail is Setting.ON else masked.segments[-1:]
    for segment in deciding:
        function = model.functions.get(segment.command_word)
        if function is None:
            ends = [segment]
        else:
            last = function.bodies[-1].pipelines[-1:] if function.bodies else ()
            ends = [pipeline.segments[-1] for pipeline in last]
        works = any(
            has_trait(trait, model.command(end), model.words(end))
            for end in ends
            for trait in WORKS
        )
        own = OWN_PROGRAM.match(segment.command_word) is not None
        if works or own or ASKS_FOR_A_GIVEN_NAME.match(model.source(segment.span)):
            return not any(word in ASKS_VERSION for word in model.words(segment)[1:2])
    return False


def _is_used(model: ScriptModel, place: PipelinePlace, word: Span, name: str) -> bool:
    """Whether anything behind reads a text; what is exported, or no function's own, is for others."""
    function = place.function
    declares = model.source(place.pipeline.segments[0].words[0])
    if function is None or declares in {"export", "readonly"}:
        return True
    return model.mentions(rf"\b{name}\b", word.end, function.span.end)


def _is_elsewhere(model: ScriptModel, masked: Pipeline) -> bool:
    """Whether a library that the script reads has it, perhaps, as a function that only prints.

    One for bash or sh that has no such function may have it from what sources the script.
    """
    word = masked.segments[-1].command_word
    library = model.reads_a_library or not model.shebang
    sourced = model.dialect is not Dialect.ZSH and len(masked.segments) == 1
    named_like_one = FUNCTION_LIKE.fullmatch(word) is not None and word not in model.functions
    return (named_like_one and (library or sourced)) or word in model.functions_of_files


def _may_fail(model: ScriptModel, segment: Segment) -> bool:
    """Whether a command fails for more than the machine's sake; a function does as its last command."""
    if model.command(segment) == "cat" and len(segment.words) == 1:
        return False
    function = model.functions.get(segment.command_word)
    if function is None or not function.bodies or not function.bodies[-1].pipelines:
        return model.command(segment) not in names(Trait.SURE)
    return not _ends_well(function.bodies[-1].pipelines[-1])


def _ends_well(pipeline: Pipeline) -> bool:
    """Whether what a function ends with does not fail, in whichever branch."""
    last = pipeline.segments[-1]
    if last.kind in COMPOUND:
        ends = [one.pipelines[-1] for one in last.bodies if one.role is Role.BODY and one.pipelines]
        return all(_ends_well(end) for end in ends)
    return last.command_word in {*names(Trait.SURE), "return", "cd"}


def _fix(model: ScriptModel, segment: Segment, word: Span) -> Fix | None:
    """`local x=; x=$(cmd)`: only where one plain variable is declared, and is not made read-only."""
    words = model.words(segment)
    if words[0] != "local" or len(words) != 2 or model.text[word.start : word.end].find("+=") > 0:
        return None
    name = VALUE.match(model.source(word))
    if name is None:
        return None
    declared = f"{words[0]} {name['name']}=; "
    return Fix(
        "Declare first, assign then", (Replacement(Span(segment.span.start, word.start), declared),)
    )
