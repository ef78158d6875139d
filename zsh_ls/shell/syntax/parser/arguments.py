"""What a simple command is made of: redirections, assignments and words.

zshmisc(1), REDIRECTION and SIMPLE COMMANDS & PIPELINES; zshparam(1). Redirections
announce here-documents, which the lexer reads at the end of the line.
"""

from __future__ import annotations

from zsh_ls.lazy import re
from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Assignment, Dialect, Redirection
from zsh_ls.shell.syntax._regex import compiled

from .lexer import NUMBER_RANGE, Lexer
from .scanner import PendingHeredoc
from .word_patterns import NAME

_ZSH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>[|!]?|&>[|!]?|>>&[|!]?|>>[|!]|>>|>&[|!]|>&|>[|!]|>"
_BASH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>&|>\||>"
ZSH_REDIRECTION = compiled(rf"(\d|\{{[^\W\d]\w*+\}})?({_ZSH_OPERATORS})")
SH_REDIRECTION = compiled(r"(\d++)?(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)")
BASH_REDIRECTION = compiled(rf"(\d++|\{{[^\W\d]\w*+\}})?({_BASH_OPERATORS})")
OPERATORS = {
    Dialect.ZSH: ZSH_REDIRECTION,
    Dialect.BASH: BASH_REDIRECTION,
    Dialect.SH: SH_REDIRECTION,
}
MAY_BEGIN_REDIRECTION = frozenset("<>&{0123456789")
QUOTES = re.compile(r"\$(?=['\"])|['\"]|\\(.)", re.DOTALL)


def read_redirection(lexer: Lexer) -> Redirection | None:
    """`[descriptor] operator word`; None, and nothing passed, where none begins here."""
    if lexer.char() not in MAY_BEGIN_REDIRECTION:
        return None
    match = OPERATORS[lexer.dialect].match(lexer.text, lexer.pos, lexer.end)
    if match is None:
        return None
    operator, descriptor = match[2], match[1] or ""
    before_parenthesis = lexer.text.startswith("(", match.end(), lexer.end)
    if not descriptor:
        # These begin a word: `<(…)`, `>(…)`, and zsh's `<1-9>`.
        if before_parenthesis and operator in {"<", ">"}:
            return None
        if lexer.zsh and NUMBER_RANGE.match(lexer.text, lexer.pos, lexer.end):
            return None
    if before_parenthesis and operator in {">>", "<<"}:
        # `> >(…)` and `< <(…)` without the blank: the target is a substitution.
        operator = operator[0]
    start = lexer.pos
    lexer.pos = match.start(2) + len(operator)
    lexer.blanks()
    target = lexer.word()
    if target is None:
        lexer.note(start, lexer.pos, "redirection without a word")
        end = start + len(lexer.text[start : lexer.pos].rstrip(" \t"))
        target = Span(end, end)
    redirection = Redirection(Span(start, target.end), operator, target, descriptor)
    if operator in {"<<", "<<-"}:
        word = lexer.text[slice(*target)]
        # Any quote in the word, such as `E\OF`, keeps the lines literal; the delimiter is without it.
        delimiter = QUOTES.sub(lambda quote: quote[1] or "", word)
        quoted = any(sign in word for sign in "'\"\\")
        heredoc = PendingHeredoc(redirection.span, delimiter, quoted, operator == "<<-")
        lexer.pending.append(heredoc)
    return redirection


def read_redirections(lexer: Lexer) -> list[Redirection]:
    """The redirections that follow a compound command."""
    found = []
    while lexer.char_after_blanks() in MAY_BEGIN_REDIRECTION and (
        redirection := read_redirection(lexer)
    ):
        found.append(redirection)
        lexer.token_end = lexer.pos
    return found


ASSIGNMENT = compiled(rf"{NAME}(?:(\[)|(\+?=))")
ASSIGNS = compiled(r"\+?=")
INERT_IN_SUBSCRIPT = compiled(r"[^] \t\n'\"$`\\(){}|&;<>[]++")
DECLARATIONS = frozenset(
    {"declare", "export", "float", "integer", "local", "private", "readonly", "typeset"}
)
# Where an argument may be `name=(…)` too: bash reads it so for more builtins than those that declare.
BASH_DECLARATIONS = DECLARATIONS | {"alias", "eval", "let"}
# `name=(` of an array, or zsh's `name==(`, in group 1 up to the code.
DECLARED_VALUE = compiled(r"""([^\W\d]\w*+(?:\[[^] \t\n'"$`\\(){}|&;<>[]++\])?\+?=)=?\(""")
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
    if match[2]:
        # A guess: `a[…]` is a word where no `=` follows, such as a pattern for file names.
        mark = lexer.mark()._replace(pos=start)
        closed = lexer.fuel > 0 and pass_brackets(lexer)
        if not closed or not ASSIGNS.match(lexer.text, lexer.pos, lexer.end):
            lexer.rewind(mark)
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
    declaring = DECLARATIONS if lexer.zsh else BASH_DECLARATIONS
    if not words or lexer.text[slice(*words[0])] not in declaring:
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
        if not lexer.zsh:
            # The word goes on in bash: `let x=(78-3)/2`.
            lexer.word(is_value=True)
    else:
        lexer.word(is_value=True)
    return Span(start, lexer.pos)
