"""Commands whose words hold no code, as most commands, read by one regular expression.

The general grammar would read each of them too, word by word, with the same
result; these patterns take a fraction of the time. About half of all commands hold
no code. Of the others two of three were arrays on lines of their own and the ends of
lists: a pattern for those took parsing zsh's functions from 89,000 to 105,000 lines/s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import cast

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Assignment,
    Body,
    Connector,
    Pipeline,
    Redirection,
    Segment,
    SegmentKind,
    Substitution,
)
from zsh_ls.shell.syntax._regex import compiled

from .lexer import Lexer

_Fields = tuple[
    SegmentKind,
    Span,
    str,
    tuple[Span, ...],
    tuple[Assignment, ...],
    tuple[Redirection, ...],
    tuple[Body, ...],
    tuple[Substitution, ...],
]
# Without the Python code of the constructor: almost every line needs one of each.
segment_of = cast("Callable[[_Fields], Segment]", partial(tuple.__new__, Segment))
pipeline_of = cast("Callable[[tuple[object, ...]], Pipeline]", partial(tuple.__new__, Pipeline))


def lone(segment: Segment) -> Pipeline:
    """A pipeline of one segment, with nothing before or after it."""
    return pipeline_of((segment[1], (segment,), (), False, False, False, Connector.NONE, ""))


def assigning(assignment: Assignment) -> Segment:
    """A segment of one assignment and nothing else."""
    return segment_of((SegmentKind.SIMPLE, assignment.span, "", (), (assignment,), (), (), ()))


# One command whose words have no character with a meaning of its own. It is tried first and alone: the
# patterns of `word_patterns` take longer to compile than all else that the run of a short command needs.
_BARE = compiled(r"[A-Za-z0-9_./@%][A-Za-z0-9_./@%:,+-]*+(?: [A-Za-z0-9_./@%:,+-]++)*+")
_BARE_WORD = compiled(r"[^ ]++")

# The last groups of `WordPatterns.command`.
MORE_FOLLOWS, GOES_ON = 4, 5


def bare_command(lexer: Lexer, not_plain: Collection[str]) -> Segment | None:
    """Pass a command that is all of the text; None, and nothing passed, where it is anything else."""
    if _BARE.fullmatch(lexer.text, lexer.pos, lexer.end) is None:
        return None
    words = _BARE_WORD.finditer(lexer.text, lexer.pos, lexer.end)
    spans = tuple([span_of(word.span()) for word in words])
    command_word = lexer.written(spans[0])
    if command_word in not_plain:
        return None
    lexer.pos = lexer.token_end = lexer.end
    span = span_of((spans[0].start, lexer.end))
    return segment_of((SegmentKind.SIMPLE, span, command_word, spans, (), (), (), ()))


def plain_lines(
    lexer: Lexer, pipelines: list[Pipeline], not_plain: Collection[str], closers: Collection[str]
) -> bool:
    """Add the commands that end with their lines; True before one of `closers`.

    Words in `not_plain` begin no simple command, so reading stops before them.
    """
    if lexer.pos == 0 and (segment := bare_command(lexer, not_plain)) is not None:
        pipelines.append(lone(segment))
        return False
    match = lexer.plain.command.match
    # A pending here-document begins at the next line end, which these patterns would pass over.
    while not lexer.pending:
        line = match(lexer.text, lexer.pos, lexer.end)
        if line is None:
            if plain_array(lexer, pipelines):
                continue
            lexer.looked_at, lexer.seen = lexer.pos, None
            return False
        word = line[2]
        if word in not_plain:
            lexer.looked_at, lexer.seen = lexer.pos, None
            return word in closers
        last = line.lastindex
        if last == GOES_ON:
            lexer.looked_at, lexer.seen = lexer.pos, line
            return False
        segment = plain_assignment(lexer, line) if "=" in word else plain_segment(lexer, line)
        if segment is None:
            return False
        pipelines.append(lone(segment))
        lexer.pos = line.end()
        if last == MORE_FOLLOWS:
            lexer.separators()
    return False


def plain_array(lexer: Lexer, pipelines: list[Pipeline]) -> bool:
    """Add the assignment of an array that ends with its line; False where none is here."""
    found = lexer.plain.array_line.match(lexer.text, lexer.pos, lexer.end)
    if found is None:
        return False
    lexer.token_end = found.end(1)
    span, value = span_of(found.span(1)), span_of(found.span(4))
    pipelines.append(lone(assigning(Assignment(span, found[2], value, True, bool(found[3])))))
    lexer.pos = found.end()
    if found[5]:
        lexer.separators()
    return True


def plain_command(lexer: Lexer, not_plain: Collection[str]) -> Segment | None:
    """Pass a command that `|`, `&` or the like follows; None, and nothing passed, where none is here."""
    if lexer.looked_at == lexer.pos:
        found, lexer.looked_at = lexer.seen, -1
    else:
        found = lexer.plain.command.match(lexer.text, lexer.pos, lexer.end)
    if found is None or found[2] in not_plain or "=" in found[2]:
        return None
    segment = plain_segment(lexer, found)
    if segment is not None:
        lexer.pos = found.end(3)
    return segment


def plain_segment(lexer: Lexer, found: re.Match[str]) -> Segment | None:
    """The command of the words in group 1; None where the first of them may assign."""
    if "[" in found[2]:
        return None
    words = lexer.plain.argument.finditer(lexer.text, *found.span(1))
    spans = tuple([span_of(word.span(1)) for word in words])
    span = span_of((found.start(1), found.end(1)))
    lexer.token_end = span.end
    command_word = lexer.written(spans[0])
    return segment_of((SegmentKind.SIMPLE, span, command_word, spans, (), (), (), ()))


def plain_assignment(lexer: Lexer, found: re.Match[str]) -> Segment | None:
    """The assignment that is all of group 1; None where that is anything else."""
    start, end = found.span(1)
    match = lexer.plain.assignment.match(lexer.text, start, end)
    if match is None or match.end() < end:
        return None
    lexer.token_end = end
    value = span_of(match.span(3))
    return assigning(Assignment(span_of((start, end)), match[1], value, False, bool(match[2])))
