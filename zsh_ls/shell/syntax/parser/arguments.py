"""The words of a simple command, and the assignments before it (zshmisc(1), zshparam(1))."""

from __future__ import annotations

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Assignment, Redirection
from zsh_ls.shell.syntax._regex import compiled

from .lexer import Lexer
from .redirections import read_redirection
from .word_patterns import NAME

ASSIGNMENT = compiled(rf"{NAME}(?:(\[)|(\+?=))")
ASSIGNS = compiled(r"\+?=")
INERT_IN_SUBSCRIPT = compiled(r"[^] \t\n'\"$`\\(){}|&;<>[]++")
DECLARATIONS = frozenset(
    {"declare", "export", "float", "integer", "local", "private", "readonly", "typeset"}
)
# `name=(` of an array, or zsh's `name==(`, in group 1 up to the code.
DECLARED_VALUE = compiled(r"([^\W\d]\w*+\+?=)=?\(")
COMMAND_ENDS = frozenset("\n;|)")


def leading_assignments(lexer: Lexer, redirections: list[Redirection]) -> list[Assignment]:
    """The assignments before a command, with redirections between them."""
    found = []
    while True:
        if assignment := read_assignment(lexer):
            found.append(assignment)
        elif redirection := read_redirection(lexer):
            redirections.append(redirection)
        else:
            return found
        lexer.token_end = lexer.pos
        lexer.blanks()


def read_assignment(lexer: Lexer) -> Assignment | None:
    """`name=value`, `name+=value`, `name[subscript]=value`, `name=(array)`."""
    match = ASSIGNMENT.match(lexer.text, lexer.pos, lexer.end)
    if match is None:
        return None
    start = lexer.pos
    lexer.pos = match.start(2) if match[2] else match.start(3)
    if match[2] and not pass_subscript(lexer, start):
        return None
    appends = lexer.char() == "+"
    lexer.pos += 1 + appends
    value_start = lexer.pos
    is_array = lexer.char() == "("
    if is_array:
        read_array(lexer)
    else:
        lexer.word(is_value=True)
    value = Span(value_start, lexer.pos)
    return Assignment(Span(start, lexer.pos), match[1], value, is_array, appends)


def pass_subscript(lexer: Lexer, start: int) -> bool:
    """Pass `[…]` before a `=` or `+=`; where none is, go back to `start`."""
    mark = lexer.mark()._replace(pos=start)
    if lexer.fuel > 0 and pass_brackets(lexer) and ASSIGNS.match(lexer.text, lexer.pos, lexer.end):
        return True
    lexer.rewind(mark)
    return False


def pass_brackets(lexer: Lexer) -> bool:
    """Pass a balanced `[…]`; False where it does not end before the word (bash: the line) does."""
    brackets = parentheses = 0
    while True:
        lexer.skip(INERT_IN_SUBSCRIPT)
        char = lexer.char()
        if not char or char in "\n;" or (char in " \t|&<>" and lexer.zsh and not parentheses):
            return False
        brackets += (char == "[") - (char == "]")
        parentheses += (char == "(") - (char == ")")
        lexer.quoted_part(char)
        if not brackets:
            return True


def read_array(lexer: Lexer) -> None:
    """`( word … )`, over any number of lines."""
    opening = lexer.pos
    lexer.pos += 1
    pass_elements(lexer)
    while lexer.word():
        pass_elements(lexer)
    lexer.close(")", opening, "(")


def pass_elements(lexer: Lexer) -> None:
    """Pass what may stand before an element that holds code: others, line ends, comments."""
    if not lexer.pending:
        lexer.skip(lexer.plain.elements)
    lexer.separators()


def read_arguments(lexer: Lexer, words: list[Span], redirections: list[Redirection]) -> int:
    """Pass words and redirections to the end of the command; returns where the last token ends."""
    end = lexer.token_end
    match = lexer.plain.argument.match
    while True:
        easy = match(lexer.text, lexer.pos, lexer.end)
        if easy:
            words.append(span_of(easy.span(1)))
            lexer.pos = end = easy.end()
        elif read_argument(lexer, words, redirections):
            end = lexer.pos
        else:
            return end


def read_argument(lexer: Lexer, words: list[Span], redirections: list[Redirection]) -> bool:
    """Pass one word or redirection that is no plain word; False at the end of the command."""
    char = lexer.char_after_blanks()
    if not char or char in COMMAND_ENDS or (char == "}" and lexer.at_group_end()):
        return False
    redirection = read_redirection(lexer)
    if redirection:
        redirections.append(redirection)
        return True
    word = declared_value(lexer, words) or lexer.word()
    if word:
        words.append(word)
    return word is not None


def declared_value(lexer: Lexer, words: list[Span]) -> Span | None:
    """`name=(…)`, and zsh's `name==(…)`, as an argument of `local` and its like."""
    if not words or lexer.text[slice(*words[0])] not in DECLARATIONS:
        return None
    match = DECLARED_VALUE.match(lexer.text, lexer.pos, lexer.end)
    if match is None:
        return None
    start, is_array = lexer.pos, match.end() - match.end(1) == 1
    if not (is_array or lexer.zsh):
        return None
    lexer.pos = match.end(1)
    if is_array:
        read_array(lexer)
    else:
        lexer.word(is_value=True)
    return Span(start, lexer.pos)
