"""Where the value of a variable goes, and whether what takes it looks whether there is one.

A failure that leaves a variable empty is seen where the value, or one that is made of it, is tested before
anything is done with it. What only shows it does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Connector, Segment, SegmentKind

from .facts import Trait, has_trait
from .script_model import PipelinePlace, ScriptModel, variable
from .script_words import DECLARES

# A function that only tells something, by its name.
MESSAGE = re.compile(r"(?i)(?:\b|_)(?:log|print|info|warn|debug|msg|message|say|note|title|status)")
TESTS = frozenset({"test", "[", "[["})
SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg"})
ONE_TEXT = re.compile(r"\s==?\s+\"?\w")
# A comparison in another language: `php -r "… === '$x'"`.
COMPARED = re.compile(r"[!=]==?\s*(?:\\?[\"'])+\$")
# So many calls are followed from function to function.
DEEPEST = 3


def is_looked_at(
    model: ScriptModel, place: PipelinePlace, name: str, *, for_one_text: bool = False
) -> bool:
    """Whether what runs behind a place tests `$name` before it does anything with it.

    With `for_one_text` it has to be a test for one text, which none passes: `[[ $name == dirty ]]`.
    """
    function = place.function
    end = len(model.text) if function is None else function.span.end
    behind = (
        one
        for one in model.places
        if place.span.end <= one.span.start < end and one.function is function
    )
    return _is_looked_at(model, behind, {name}, DEEPEST, for_one_text)


def _is_looked_at(
    model: ScriptModel,
    places: Iterable[PipelinePlace],
    names: Set[str],
    depth: int,
    for_one_text: bool,
) -> bool:
    known = set(names)
    read = _reads(known)
    for place in places:
        for segment in place.pipeline.segments:
            text = _own_text(model, segment)
            if not read.search(text):
                continue
            if _is_test(model, segment) and for_one_text:
                # `[[ $? -ne 0 ]] && [[ $x == *no* ]]` is not for that text alone.
                return not place.is_after_and_or and ONE_TEXT.search(text) is not None
            if not for_one_text and (
                segment.kind is SegmentKind.CASE
                or _has_another_for_none(known, text)
                or _is_test(model, segment)
                or _is_searched(model, place, segment)
                or COMPARED.search(text)
            ):
                return True
            made = _made_of(model, segment, read)
            if made:
                known |= made
                read = _reads(known)
                continue
            if _only_says(model, segment) or place.is_forgiven:
                continue
            called = model.functions.get(segment.command_word)
            if called is None or depth == 0 or segment.kind is not SegmentKind.SIMPLE:
                return False
            given = {
                str(at) for at, word in enumerate(model.words(segment)) if at and read.search(word)
            }
            inside = (one for one in model.places if one.function is called)
            return bool(given) and _is_looked_at(model, inside, given, depth - 1, for_one_text)
    return False


def _reads(names: Set[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(variable, sorted(names))))


def _own_text(model: ScriptModel, segment: Segment) -> str:
    """The text of a command; of one with a body its first line, as the body's commands come by themselves."""
    text = model.source(segment.span)
    if segment.kind in {SegmentKind.FOR, SegmentKind.CASE}:
        return text.partition("\n")[0]
    return "" if segment.bodies else text


def _has_another_for_none(names: Set[str], text: str) -> bool:
    """Whether another value is taken for an empty one, or none is refused: `${x:-y}`, `${x:?}`."""
    return any(re.search(rf"\$\{{{re.escape(name)}:?[-=?+]", text) for name in names)


def _is_test(model: ScriptModel, segment: Segment) -> bool:
    return segment.kind in {SegmentKind.CONDITION, SegmentKind.ARITHMETIC} or (
        model.command(segment) in TESTS
    )


def _is_searched(model: ScriptModel, place: PipelinePlace, segment: Segment) -> bool:
    """Whether a text is shown to a search, whose exit is asked for: `if echo "$x" | grep -q y`."""
    last = place.pipeline.segments[-1]
    shown = last is not segment and _only_says(model, segment)
    asked = place.pipeline.connector is not Connector.NONE or place.is_asked_last
    return shown and asked and model.command(last) in SEARCHES


def _made_of(model: ScriptModel, segment: Segment, read: re.Pattern[str]) -> set[str]:
    """The variables that a command does nothing but set to a text with the value in it."""
    made = {one.name for one in segment.assignments if read.search(model.source(one.value))}
    if segment.words and model.command(segment) not in DECLARES:
        return set()
    for word in model.words(segment)[1:]:
        name, sign, value = word.partition("=")
        if sign and read.search(value):
            made.add(name.removesuffix("+"))
    return made


def _only_says(model: ScriptModel, segment: Segment) -> bool:
    words = model.words(segment)
    if segment.kind is not SegmentKind.SIMPLE or not words:
        return False
    return has_trait(Trait.SAYS, model.command(segment), words) or (
        MESSAGE.search(words[0]) is not None
    )
