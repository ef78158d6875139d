"""Finds what is at an offset of a script: the pipeline, the simple command, the word and its role.

Also how far a command extends where heredocs, whose lines follow it, belong to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TypeVar

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Body, Pipeline, Script, Segment, SegmentKind, Substitution
from zsh_ls.shell.manpages.page import UNDASHED_OPTIONS, own_words
from zsh_ls.shell.template.slots import sub_commands
from zsh_ls.shell.template.template import program_name
from zsh_ls.shell.words.words import Word, read
from zsh_ls.shell.words.wrappers import base_name, last_simple

Spanned = TypeVar("Spanned", Pipeline, Segment)


class WordRole(StrEnum):
    """The role of a word in its command."""

    COMMAND = "command"
    FLAG = "flag"
    ARGUMENT = "argument"


class PlacedWord(NamedTuple):
    """A word of a simple command, with its role and its span in the script."""

    part: WordRole
    word: Word
    span: Span


def pipeline_at(script: Script, offset: int) -> Pipeline | None:
    """The innermost pipeline around an offset, None if there is none."""
    return next(reversed([pipeline for pipeline, _ in _enclosing(script, offset)]), None)


def command_at(script: Script, offset: int) -> Segment | None:
    """The innermost simple command around an offset, None if there is none."""
    found = [segment for _, segment in _enclosing(script, offset) if segment is not None]
    last = found[-1] if found else None
    return last if last is not None and last.kind is SegmentKind.SIMPLE else None


def word_at(script: Script, segment: Segment, offset: int) -> PlacedWord | None:
    """The word of a simple command at an offset; wrappers such as sudo and sub-commands are COMMAND."""
    start = segment.span.start
    reading = read(script.source(segment.span))
    last = last_simple(reading.script.pipelines)
    if last is None:
        return None
    words = reading.commands[last.span].words
    own = own_words(reading.commands[last.span])
    # The indexes of sub-commands in `own`: `git -C x push` has options between its names.
    names = sub_commands(program_name(own[0]), own[1:]) if own else []
    named = set()
    for at, word in enumerate(own[1:], 1):
        if names and word.text == names[0]:
            named.add(at)
            names = names[1:]
    is_operand = False
    for at, word in enumerate(words, len(own) - len(words)):
        is_operand = is_operand or (at > 0 and word.text == "--")
        if word.span.start <= offset - start <= word.span.end:
            role = WordRole.ARGUMENT
            is_flag = word.text.startswith("-") and not is_operand
            if is_flag or (at == 1 and _is_undashed_cluster(own)):
                role = WordRole.FLAG
            elif at <= 0 or at in named:
                role = WordRole.COMMAND
            return PlacedWord(role, word, word.span.shifted(start))
    return None


def _is_undashed_cluster(words: Sequence[Word]) -> bool:
    """Whether the first argument is a cluster of options without a dash: `tar xzf`, `ps aux`."""
    return (
        len(words) > 1
        and base_name(words[0].text) in UNDASHED_OPTIONS
        and words[1].text.isascii()
        and words[1].text.isalpha()
    )


def _enclosing(script: Script, offset: int) -> Iterator[tuple[Pipeline, Segment | None]]:
    """The pipelines around an offset, outermost first, each with its segment at the offset."""
    pipeline = _first_at(script.pipelines, offset)
    for heredoc in script.heredocs:
        if _has(heredoc.body, offset):
            pipeline = _within(heredoc.substitutions, offset)
    while pipeline is not None:
        segment = _first_at(pipeline.segments, offset)
        yield pipeline, segment
        if segment is None:
            return
        pipeline = _within((*segment.substitutions, *segment.bodies), offset)


def _within(parts: Iterable[Body | Substitution], offset: int) -> Pipeline | None:
    """The first pipeline of `parts` that contains an offset."""
    found = (_first_at(part.pipelines, offset) for part in parts)
    return next((pipeline for pipeline in found if pipeline is not None), None)


def _first_at(ordered: Sequence[Spanned], offset: int) -> Spanned | None:
    """The first of sorted items that contains an offset, by bisection: a script may have 100,000."""
    first = bisect_left(ordered, offset, key=lambda one: one.span.end)
    found = ordered[first] if first < len(ordered) else None
    return found if found is not None and _has(found.span, offset) else None


def _has(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def with_heredocs(script: Script, spans: Iterable[Span]) -> list[Span]:
    """The ranges of commands, each extended to the last line of its heredocs."""
    heredocs = sorted(script.heredocs, key=lambda it: it.redirection)
    opened = [heredoc.redirection.start for heredoc in heredocs]
    grown = []
    for span in spans:
        own = heredocs[bisect_left(opened, span.start) : bisect_left(opened, span.end)]
        # Without the line end after the delimiter.
        ends = [it.span.end - script.text.endswith("\n", *it.span) for it in own]
        grown.append(Span(span.start, max([span.end, *ends])))
    return grown


def heredoc_opening(script: Script, offset: int) -> int:
    """The offset where the heredoc around `offset` is opened; `offset` itself if it is in none."""
    for heredoc in script.heredocs:
        if heredoc.span.start <= offset < heredoc.span.end:
            return heredoc.redirection.start
    return offset
