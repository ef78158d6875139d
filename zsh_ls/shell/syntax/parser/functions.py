"""Function definitions and anonymous functions (zshmisc(1), FUNCTIONS)."""

from __future__ import annotations

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Body, BodyForm, Pipeline, Redirection, Role, Segment, SegmentKind
from zsh_ls.shell.syntax._regex import compiled

from .arguments import read_arguments
from .grammar import Grammar, braced_body, short_body
from .lexer import MAX_DEPTH, Lexer
from .redirections import read_redirections

EMPTY_PARENTHESES = compiled(r"\([ \t]*+\)")


def function_command(parser: Grammar, opening: int) -> Segment:
    """`function [-T] { word } [ () ] body`, with the keyword passed already."""
    lexer = parser.lexer
    mark = len(lexer.substitutions)
    names = function_names(lexer)
    pass_parentheses(lexer)
    return function(parser, opening, mark, names, takes_sublist=lexer.zsh)


def function_names(lexer: Lexer) -> list[Span]:
    """The words after `function`, without its options."""
    names: list[Span] = []
    lexer.blanks()
    while not lexer.at_word("{") and (word := lexer.word()):
        if names or lexer.text[slice(*word)] not in {"-T", "--"}:
            names.append(word)
        lexer.blanks()
    return names


def pass_parentheses(lexer: Lexer) -> bool:
    """Pass the `()` that makes a function of the words before it; False where it is missing."""
    match = EMPTY_PARENTHESES.match(lexer.text, lexer.pos, lexer.end)
    if match:
        lexer.pos = match.end()
    return match is not None


def function(
    parser: Grammar, start: int, mark: int, names: list[Span], *, takes_sublist: bool = False
) -> Segment:
    """The function that began at `start`; its body comes next.

    Without a name it runs at once, with the words that follow the body.
    """
    lexer = parser.lexer
    anonymous = not names
    lexer.token_end = lexer.pos
    lexer.separators()
    body = body_within_depth(parser, takes_sublist)
    redirections: list[Redirection] = []
    if anonymous:
        lexer.token_end = read_arguments(lexer, names, redirections)
    else:
        redirections = read_redirections(lexer)
    segment = Segment(
        SegmentKind.FUNCTION,
        Span(start, lexer.token_end),
        "()" if anonymous else "",
        tuple(names),
        redirections=tuple(redirections),
        bodies=(body,),
        substitutions=lexer.substitutions_since(mark),
    )
    lexer.functions.append(segment)
    return segment


def body_within_depth(parser: Grammar, takes_sublist: bool) -> Body:
    """The body one level deeper; beyond MAX_DEPTH the rest of the line is skipped."""
    lexer = parser.lexer
    if lexer.depth >= MAX_DEPTH:
        lexer.too_deep()
        return Body(Role.BODY, BodyForm.SHORT, ())
    lexer.depth += 1
    body = function_body(parser, takes_sublist)
    lexer.depth -= 1
    return body


def function_body(parser: Grammar, takes_sublist: bool) -> Body:
    """`{ list }`, or one command; after zsh's `function` a sublist."""
    lexer = parser.lexer
    if lexer.char() == "{" and (lexer.zsh or lexer.at_word("{")):
        return braced_body(parser)
    if takes_sublist:
        return short_body(parser)
    command = parser.command()
    if command is None:
        lexer.note(lexer.pos, lexer.pos, "function without a body")
        return Body(Role.BODY, BodyForm.SHORT, ())
    return Body(Role.BODY, BodyForm.SHORT, (Pipeline(command.span, (command,)),))
