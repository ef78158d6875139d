"""The characters and words of the shells' grammars, as regular expressions and tables.

All repetitions are possessive: no pattern ever goes back, so matching is linear
in what it passes. Blanks are space and tab alone, as in the shells.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.possessive import compiled

# What stands in quotes or `${…}` without code: these hold one another, to a small depth.
_PLAIN = r"[^ \t\n\\'\"$`<>|&;(){}]"
_LONE_DOLLAR = r"\$(?![({\[])"
_QUOTED_PARAMETER = rf"""\$\{{(?![ \t\n|])(?:[^"\\$`}}]++|\\[\s\S]|{_LONE_DOLLAR})*+\}}"""
_QUOTED = rf"""'[^']*+'|"(?:[^"\\$`]++|\\[\s\S]|{_LONE_DOLLAR}|{_QUOTED_PARAMETER})*+\""""


def _parameter(within: str) -> str:
    """`${…}` outside quotes, with what may stand `within` its braces beside quoted text."""
    inert = rf"""[^{{}}'"\\$`]++|\\[\s\S]|\$(?![({{\['])|{_QUOTED}"""
    return rf"\$\{{(?![ \t\n|])(?:{inert}{within})*+\}}"


_PARAMETER = _parameter("|" + _parameter("|" + _parameter("")))
_IN_ARITHMETIC = rf"""[^()"\\$`}}]++|\\[\s\S]|{_LONE_DOLLAR}"""
_ARITHMETIC = rf"\(\((?:{_IN_ARITHMETIC}|\((?:{_IN_ARITHMETIC})*+\))*+\)\)"

# One piece of a word that needs no look inside.
_PIECE = rf"(?:{_PLAIN}++|{_QUOTED}|{_PARAMETER}|\$(?![({{\['])|\${_ARITHMETIC}|\\[\s\S]|\{{{_PLAIN}*+\}})"
# zsh takes parentheses within a word for a pattern, but `=(…)` at its beginning for code.
_ZSH_PIECE = rf"(?:{_PIECE}|(?<!=)\((?!\))(?:{_PLAIN}|\|)*+\))"
_WORD_END = r"(?=[ \t\n;|&)]|\Z)"
_NAME = r"([^\W\d]\w*+|\d++)"
_JOINED_BLANKS = r"(?:[ \t]|\\\n)"


class WordPatterns(NamedTuple):
    """Words of one dialect that are made of pieces alone."""

    pieces: re.Pattern[str]
    word: re.Pattern[str]
    # A word that may begin a command, and one that follows others, in group 1.
    first: re.Pattern[str]
    argument: re.Pattern[str]
    # A command of such words (group 1, its first word in 2) with what follows on its line,
    # and one that ends with its line; group 3 where more than blanks may come next.
    command: re.Pattern[str]
    line: re.Pattern[str]
    # `name=value` (name, `+` and value are groups), and an array that ends with its line: all
    # of it in group 1, then the same, and group 5 where more than blanks may come next.
    assignment: re.Pattern[str]
    array_line: re.Pattern[str]
    elements: re.Pattern[str]
    test: re.Pattern[str]


def _word_patterns(piece: str) -> WordPatterns:
    word = f"{piece}++"
    command = rf"((?![({{])({_PIECE}++)(?:{_JOINED_BLANKS}++(?!\#){word})*+)[ \t]*+"
    line_end = r"(?:\n|;(?![;&|]))[ \t\n]*+(?:(?=([#;\\]))|)"
    elements = rf"(?:[ \t\n]++|(?!\#){word}(?=[ \t\n)]))*+"
    return WordPatterns(
        compiled(f"{piece}*+"),
        compiled(word + _WORD_END),
        compiled(rf"(?![({{]){word}{_WORD_END}"),
        compiled(rf"{_JOINED_BLANKS}*+(?!\#)({word}){_WORD_END}"),
        compiled(rf"{command}(?=[\n;|)]|&(?!>)|\Z)"),
        compiled(command + line_end),
        compiled(rf"{_NAME}(\+?)=(?!\()((?:{word})?+){_WORD_END}[ \t]*+"),
        compiled(rf"({_NAME}(\+?)=(\({elements}\)))[ \t]*+{line_end}"),
        compiled(elements),
        compiled(rf"(?:[ \t]++(?:(?!\#|\]\]){word}(?=[ \t])|&&|\|\|))*+[ \t]++\]\]{_WORD_END}"),
    )


@cache
def word_patterns(dialect: Dialect) -> WordPatterns:
    """The patterns of a dialect, made when its first text comes: they take a while."""
    return _word_patterns(_ZSH_PIECE if dialect is Dialect.ZSH else _PIECE)


BLANKS = compiled(r"(?:[ \t]++|\\\n)*+(#[^\n]*+)?")
SEPARATORS = compiled(r"(?:[ \t\n]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
SEPARATORS_ON_LINE = compiled(r"(?:[ \t]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
COMMENT = compiled(r"#[^\n]*+")

# What dquote_parse of zsh's lex.c passes over, by the closing character.
INERT = {
    '"': compiled(r'(?:[^"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+'),
    ")": compiled(r"(?:[^)(\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
    "]": compiled(r"(?:[^]\[\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
}
INERT_IN_SUBSCRIPT = compiled(r"[^] \t\n'\"$`\\(){}|&;<>[]++")
ASSIGNS = compiled(r"\+?=")
INERT_IN_BRACES = compiled(r"(?:[^{}'\"\\$`]++|\\[\s\S])*+")
ANSI_QUOTED = compiled(r"\$'(?:[^'\\]++|\\[\s\S])*+'")
ESCAPED_BACKQUOTE = compiled(r"\\\\|\\`")
BACKQUOTED = compiled(r"`(?:[^`\\]++|\\[\s\S])*+`")

PLAIN_ARITHMETIC = compiled(_ARITHMETIC)
NUMBER_RANGE = compiled(r"<\d*+-\d*+>")
BRACE_END = compiled(r"\}(?=\}{0,9}(?:[ \t\n;|&()<>]|\\\n|\Z))")
EMPTY_PARENTHESES = compiled(r"\([ \t]*+\)")
IDENTIFIER = compiled(r"(?:[^\W\d]\w*+|\d++)(?=[ \t\n;|&()<>]|\\\n|\Z)")
ASSIGNMENT = compiled(rf"{_NAME}(?:(\[)|(\+?=))")
# `name=(` of an array, or zsh's `name==(`, in group 1 up to the code.
DECLARED_VALUE = compiled(r"([^\W\d]\w*+\+?=)=?\(")

_ZSH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>[|!]?|&>[|!]?|>>&[|!]?|>>[|!]|>>|>&[|!]|>&|>[|!]|>"
_BASH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>&|>\||>"
ZSH_REDIRECTION = compiled(rf"(\d|\{{[^\W\d]\w*+\}})?({_ZSH_OPERATORS})")
SH_REDIRECTION = compiled(r"(\d++)?(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)")
BASH_REDIRECTION = compiled(rf"(\d++|\{{[^\W\d]\w*+\}})?({_BASH_OPERATORS})")

PIPELINE_PREFIXES = frozenset({"!", "time", "coproc"})
PIPELINE_PREFIX = compiled(r"(!|time|coproc)(?=[ \t\n;|&()<>]|\\\n|\Z)")
TIME_OPTION = compiled(r"-p(?=[ \t\n;|&)]|\Z)")
COPROC_NAME = compiled(
    r"[^\W\d]\w*+(?=[ \t]++(?:[{(]|(?:if|while|until|for|case|select|\[\[)(?=[ \t\n])))"
)

DECLARATIONS = frozenset(
    {"declare", "export", "float", "integer", "local", "private", "readonly", "typeset"}
)
WORD_BOUNDARY = compiled(r"[ \t\n;|&()<>]|\\\n|\Z")
# In zsh a last `}` that closes nothing is a word of its own: `{ if a; then b; fi}`.
ZSH_WORD_BOUNDARY = compiled(r"\}{0,9}(?:[ \t\n;|&()]|[<>](?!\()|\\\n|\Z)")
RESERVED_WORD = compiled(r"[a-z]++|\[\[")
CLOSING_WORDS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
ALWAYS = compiled(r"always(?=[ \t\n]|\\\n)")
ARM_END = compiled(r";;&|;;|;&|;\|")
CLOSING_TOKEN = compiled(r";;&|;[;&|]|&&|\|\||[|&]&?|[a-z]++|[\s\S]")
