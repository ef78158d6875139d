"""The characters and words of the shells' grammars, as regular expressions and tables.

All repetitions are possessive: no pattern ever goes back, so matching is linear
in what it passes. Blanks are space and tab alone, as in the shells.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zsh_ls.model.syntax import Dialect

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
_ARITHMETIC = rf"\$\(\((?:{_IN_ARITHMETIC}|\((?:{_IN_ARITHMETIC})*+\))*+\)\)"

# One piece of a word that needs no look inside.
_PIECE = (
    rf"(?:{_PLAIN}++|{_QUOTED}|{_PARAMETER}|\$(?![({{\['])|{_ARITHMETIC}|\\[\s\S]|\{{{_PLAIN}*+\}})"
)
# zsh takes parentheses within a word for a pattern, but `=(…)` at its beginning for code.
_ZSH_PIECE = rf"(?:{_PIECE}|(?<!=)\((?!\))(?:{_PLAIN}|\|)*+\))"
_WORD_END = r"(?=[ \t\n;|&)]|\Z)"
_JOINED_BLANKS = r"(?:[ \t]|\\\n)"


class WordPatterns(NamedTuple):
    """Words of one dialect that are made of pieces alone."""

    word: re.Pattern[str]
    # A word that may begin a command, and one that follows others, in group 1.
    first: re.Pattern[str]
    argument: re.Pattern[str]
    # A command of such words (group 1, its first word in 2) with what follows on its line,
    # and one that ends with its line; group 3 where more than blanks may come next.
    command: re.Pattern[str]
    line: re.Pattern[str]
    assignment: re.Pattern[str]
    elements: re.Pattern[str]
    test: re.Pattern[str]


def _word_patterns(piece: str) -> WordPatterns:
    word = f"{piece}++"
    command = rf"((?![({{])({_PIECE}++)(?:{_JOINED_BLANKS}++(?!\#){word})*+)[ \t]*+"
    return WordPatterns(
        re.compile(word + _WORD_END),
        re.compile(rf"(?![({{]){word}{_WORD_END}"),
        re.compile(rf"{_JOINED_BLANKS}*+(?!\#)({word}){_WORD_END}"),
        re.compile(rf"{command}(?=[\n;|)]|&(?!>)|\Z)"),
        re.compile(rf"{command}(?:\n|;(?![;&|]))[ \t\n]*+(?:(?=([#;\\]))|)"),
        re.compile(rf"([^\W\d]\w*+|\d++)(\+?)=(?!\()((?:{word})?+){_WORD_END}[ \t]*+"),
        re.compile(rf"(?:[ \t\n]++|(?!\#){word}(?=[ \t\n)]))*+"),
        re.compile(rf"(?:[ \t]++(?:(?!\#|\]\]){word}(?=[ \t])|&&|\|\|))*+[ \t]++\]\]{_WORD_END}"),
    )


_SH_WORDS = _word_patterns(_PIECE)
WORD_PATTERNS = {
    Dialect.ZSH: _word_patterns(_ZSH_PIECE),
    Dialect.BASH: _SH_WORDS,
    Dialect.SH: _SH_WORDS,
}
PIECES = {
    Dialect.ZSH: re.compile(f"{_ZSH_PIECE}*+"),
    Dialect.BASH: re.compile(f"{_PIECE}*+"),
    Dialect.SH: re.compile(f"{_PIECE}*+"),
}

BLANKS = re.compile(r"(?:[ \t]++|\\\n)*+(#[^\n]*+)?")
SEPARATORS = re.compile(r"(?:[ \t\n]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
SEPARATORS_ON_LINE = re.compile(r"(?:[ \t]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
COMMENT = re.compile(r"#[^\n]*+")

# What dquote_parse of zsh's lex.c passes over, by the closing character.
INERT = {
    '"': re.compile(r'(?:[^"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+'),
    ")": re.compile(r"(?:[^)(\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
    "]": re.compile(r"(?:[^]\[\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
}
INERT_IN_SUBSCRIPT = re.compile(r"[^] \t\n'\"$`\\(){}|&;<>[]++")
ASSIGNS = re.compile(r"\+?=")
INERT_IN_BRACES = re.compile(r"(?:[^{}'\"\\$`]++|\\[\s\S])*+")
ANSI_QUOTED = re.compile(r"\$'(?:[^'\\]++|\\[\s\S])*+'")
ESCAPED_BACKQUOTE = re.compile(r"\\\\|\\`")
BACKQUOTED = re.compile(r"`(?:[^`\\]++|\\[\s\S])*+`")

NUMBER_RANGE = re.compile(r"<\d*+-\d*+>")
BRACE_END = re.compile(r"\}(?=\}{0,9}(?:[ \t\n;|&()<>]|\\\n|\Z))")
EMPTY_PARENTHESES = re.compile(r"\([ \t]*+\)")
IDENTIFIER = re.compile(r"(?:[^\W\d]\w*+|\d++)(?=[ \t\n;|&()<>]|\\\n|\Z)")
ASSIGNMENT = re.compile(r"([^\W\d]\w*+|\d++)(?:(\[)|(\+?=))")
ARRAY_ARGUMENT = re.compile(r"([^\W\d]\w*+)(\+?=)\(")

_ZSH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>[|!]?|&>[|!]?|>>&[|!]?|>>[|!]|>>|>&[|!]|>&|>[|!]|>"
_BASH_OPERATORS = r"<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>&|>\||>"
ZSH_REDIRECTION = re.compile(rf"(\d|\{{[^\W\d]\w*+\}})?({_ZSH_OPERATORS})")
SH_REDIRECTION = re.compile(r"(\d++)?(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)")
BASH_REDIRECTION = re.compile(rf"(\d++|\{{[^\W\d]\w*+\}})?({_BASH_OPERATORS})")

PIPELINE_PREFIXES = frozenset({"!", "time", "coproc"})
PIPELINE_PREFIX = re.compile(r"(!|time|coproc)(?=[ \t\n;|&()<>]|\\\n|\Z)")
TIME_OPTION = re.compile(r"-p(?=[ \t\n;|&)]|\Z)")
COPROC_NAME = re.compile(
    r"[^\W\d]\w*+(?=[ \t]++(?:[{(]|(?:if|while|until|for|case|select|\[\[)(?=[ \t\n])))"
)

DECLARATIONS = frozenset(
    {"declare", "export", "float", "integer", "local", "private", "readonly", "typeset"}
)
WORD_BOUNDARY = re.compile(r"[ \t\n;|&()<>]|\\\n|\Z")
# In zsh a last `}` that closes nothing is a word of its own: `{ if a; then b; fi}`.
ZSH_WORD_BOUNDARY = re.compile(r"\}{0,9}(?:[ \t\n;|&()]|[<>](?!\()|\\\n|\Z)")
RESERVED_WORD = re.compile(r"[a-z]++|\[\[")
CLOSING_WORDS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
ALWAYS = re.compile(r"always(?=[ \t\n]|\\\n)")
ARM_END = re.compile(r";;&|;;|;&|;\|")
CLOSING_TOKEN = re.compile(r";;&|;[;&|]|&&|\|\||[|&]&?|[a-z]++|[\s\S]")
