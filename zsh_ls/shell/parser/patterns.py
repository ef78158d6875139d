"""The characters and words of the shells' grammars, as regular expressions and tables.

All repetitions are possessive: no pattern ever goes back, so matching is linear
in what it passes. Blanks are space and tab alone, as in the shells.
"""

from __future__ import annotations

import re

# One piece of a word that needs no look inside: plain characters, quotes without code,
# `$name`, an escaped character, a joined line.
_PIECE = r"""(?:
      [^ \t\n\\'"$`<>|&;(){}]++
    | '[^']*+'
    | "(?:[^"\\$`]++ | \\[\s\S] | \$(?![({\[]) | \$\{\w++\})*+"
    | \$\{\w++\}
    | \$(?![({\['])
    | \\[\s\S]
)"""
_WORD_END = r"(?=[ \t\n;|&)]|\Z)"

PIECES = re.compile(f"{_PIECE}*+", re.VERBOSE)
EASY_WORD = re.compile(f"{_PIECE}++{_WORD_END}", re.VERBOSE)
EASY_ARGUMENT = re.compile(rf"(?:[ \t]|\\\n)*+(?!\#)({_PIECE}++){_WORD_END}", re.VERBOSE)

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
