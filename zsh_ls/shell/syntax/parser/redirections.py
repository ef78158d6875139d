"""Redirections, and the here-documents that they announce (zshmisc(1), REDIRECTION)."""

from __future__ import annotations

import re

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Redirection
from zsh_ls.shell.syntax._regex import compiled

from .lexer import NUMBER_RANGE, Lexer
from .scanner import PendingHeredoc

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
    if match is None or is_word(lexer, match):
        return None
    start, operator = lexer.pos, shortened(lexer, match)
    lexer.pos = match.start(2) + len(operator)
    lexer.blanks()
    target = lexer.word() or missing_target(lexer, start)
    redirection = Redirection(Span(start, target.end), operator, target, match[1] or "")
    if operator in {"<<", "<<-"}:
        lexer.pending.append(heredoc_of(lexer, redirection))
    return redirection


def is_word(lexer: Lexer, match: re.Match[str]) -> bool:
    """Whether what looks like an operator begins a word: `<(…)`, `>(…)`, zsh's `<1-9>`."""
    if match[1]:
        return False
    if match[2] in {"<", ">"} and lexer.text.startswith("(", match.end(), lexer.end):
        return True
    return lexer.zsh and bool(NUMBER_RANGE.match(lexer.text, lexer.pos, lexer.end))


def shortened(lexer: Lexer, match: re.Match[str]) -> str:
    """The operator; `>>(…)` and `<<(…)` redirect to a substitution."""
    operator = match[2]
    before_parenthesis = lexer.text.startswith("(", match.end(), lexer.end)
    return operator[0] if before_parenthesis and operator in {">>", "<<"} else operator


def missing_target(lexer: Lexer, start: int) -> Span:
    """Record that a redirection has no target; returns an empty range behind it."""
    lexer.note(start, lexer.pos, "redirection without a word")
    end = len(lexer.text[start : lexer.pos].rstrip(" \t")) + start
    return Span(end, end)


def heredoc_of(lexer: Lexer, redirection: Redirection) -> PendingHeredoc:
    """The here-document of a redirection: its delimiter without quotes, and whether it had any."""
    word = lexer.text[slice(*redirection.target)]
    delimiter = QUOTES.sub(lambda quote: quote[1] or "", word)
    quoted = any(sign in word for sign in "'\"\\")
    return PendingHeredoc(redirection.span, delimiter, quoted, redirection.operator == "<<-")


def read_redirections(lexer: Lexer) -> list[Redirection]:
    """The redirections that follow a compound command."""
    found = []
    while lexer.char_after_blanks() and (redirection := read_redirection(lexer)):
        found.append(redirection)
        lexer.token_end = lexer.pos
    return found
