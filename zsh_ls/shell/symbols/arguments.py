"""The arguments that a script reads: `$1`, `${2:-prod}`, `$@`, outside of its functions.

What a function reads is given by its caller; what `set -- …` has given before is no argument of the script.
"""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import attrs, re
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script, Segment, SegmentKind, pipelines_within

from .symbols import FILE, Names

LARGEST_NUMBER = 99
_ALL = frozenset({"@", "*", "argv"})
_TAKING = frozenset({"shift", "getopts", "zparseopts"})
_NUMBER = re.compile(r"[1-9]\d?")
# A default that is a plain text: what else stands there is not known before the script runs.
_DEFAULT = re.compile(r":?[-=]([^{}$`\\\n]{0,200})\}")


@attrs.frozen
class Argument:
    """`$number`, first read on a line (from 0); its default, where that is a plain text."""

    number: int
    line: int
    default: str | None = None


@attrs.frozen
class Arguments:
    """What a script reads by number, in order, and whether it takes any number of arguments."""

    numbered: tuple[Argument, ...] = ()
    takes_more: bool = False


def arguments_of(names: Names, within: Span | None = None) -> Arguments:
    """The arguments that the script with these names reads, or what stands in a range of it."""
    script, text = names.script, names.script.text
    within = within or Span(0, len(text))
    given_at, takes_more = _commands(script, within)
    found: dict[int, Argument] = {}
    for mention in names.occurrences:
        is_within = within.start <= mention.span.start < within.end
        if mention.scope != FILE or mention.span.start > given_at or not is_within:
            continue
        takes_more |= mention.name in _ALL
        if _NUMBER.fullmatch(mention.name):
            start, end = mention.span
            default = _DEFAULT.match(text, end) if text[start - 1] == "{" else None
            number = int(mention.name)
            before = found.get(number)
            if before is None or before.default is None:
                line = before.line if before else text.count("\n", 0, start)
                found[number] = Argument(number, line, _plain(default[1]) if default else None)
    return Arguments(tuple(found[number] for number in sorted(found)), takes_more)


def _plain(written: str) -> str:
    """A default without the quotes around it."""
    is_quoted = len(written) > 1 and written[0] == written[-1] and written[0] in "\"'"
    return written[1:-1] if is_quoted else written


def _commands(script: Script, within: Span) -> tuple[int, bool]:
    """Where the script gives itself other arguments, and whether it takes one after the other in a range."""
    given_at, takes_more = len(script.text), False
    for segment in _own_commands(script):
        words = [script.source(span) for span in segment.words]
        if words[:2] == ["set", "--"] and len(words) > 2 and not {"$@", '"$@"'} & set(words):
            given_at = min(given_at, segment.span.end)
        elif words and words[0] in _TAKING and segment.span.start <= given_at:
            takes_more |= within.start <= segment.span.start < within.end
    return given_at, takes_more


def _own_commands(script: Script) -> Iterator[Segment]:
    """The simple commands outside of functions, in the order of the text."""
    inside = [segment.span for segment in script.functions]
    for pipeline in pipelines_within(script.pipelines):
        for segment in pipeline.segments:
            if segment.kind is SegmentKind.SIMPLE and not any(
                span.start <= segment.span.start < span.end for span in inside
            ):
                yield segment
