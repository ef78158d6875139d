"""Simple commands (zshmisc(1), SIMPLE COMMANDS & PIPELINES)."""

from __future__ import annotations

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Redirection, Segment, SegmentKind

from .arguments import leading_assignments, read_arguments
from .functions import function, pass_parentheses
from .grammar import Grammar
from .plain_commands import segment_of


def simple(
    parser: Grammar, start: int, mark: int, words: list[Span], redirections: list[Redirection]
) -> Segment | None:
    """`{ assignment | redirection } { word | redirection }`, or a function `name … () body`.

    `words` and `redirections` are those read since `start`. None where
    nothing is there at all.
    """
    lexer = parser.lexer
    assignments = [] if words else leading_assignments(lexer, redirections)
    # Right after an assignment zsh still takes `{` for a group: `if x=1 { … }`.
    at_group = bool(assignments) and lexer.zsh and lexer.char() == "{"
    end = lexer.token_end if at_group else read_arguments(lexer, words, redirections)
    if words and lexer.char() == "(" and pass_parentheses(lexer):
        return function(parser, start, mark, words)
    if not (words or assignments or redirections):
        return None
    lexer.token_end = end
    command_word = lexer.written(words[0]) if words else ""
    before = (tuple(words), tuple(assignments), tuple(redirections))
    inside = ((), lexer.substitutions_since(mark))
    return segment_of((SegmentKind.SIMPLE, span_of((start, end)), command_word, *before, *inside))
