"""Regular expressions of words and commands that hold no code, as most of them.

All repetitions are possessive: no pattern ever backtracks, so matching takes
time linear in the text it passes. Blanks are space and tab only, as in the shells.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax._regex import compiled

# Quotes and `${…}` without code; they may nest in one another, to a small depth.
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

# One piece of a word, without code inside.
_PIECE = rf"(?:{_PLAIN}++|{_QUOTED}|{_PARAMETER}|\$(?![({{\['])|\${_ARITHMETIC}|\\[\s\S]|\{{{_PLAIN}*+\}})"
# zsh takes parentheses within a word for a pattern, but `=(…)` at its beginning for code.
_ZSH_PIECE = rf"(?:{_PIECE}|(?<!=)\((?!\))(?:{_PLAIN}|\|)*+\))"
_WORD_END = r"(?=[ \t\n;|&)]|\Z)"
NAME = r"([^\W\d]\w*+|\d++)"
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
    # The rest of a `[[`, and its tokens in group 1.
    test: re.Pattern[str]
    test_token: re.Pattern[str]


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
        compiled(rf"{NAME}(\+?)=(?!\()((?:{word})?+){_WORD_END}[ \t]*+"),
        compiled(rf"({NAME}(\+?)=(\({elements}\)))[ \t]*+{line_end}"),
        compiled(elements),
        compiled(rf"(?:[ \t]++(?:(?!\#|\]\]){word}(?=[ \t])|&&|\|\|))*+[ \t]++\]\]{_WORD_END}"),
        compiled(rf"[ \t]*+({word}(?=[ \t])|&&|\|\|)"),
    )


@cache
def word_patterns(dialect: Dialect) -> WordPatterns:
    """The patterns of a dialect, compiled on first use, since that takes a while."""
    return _word_patterns(_ZSH_PIECE if dialect is Dialect.ZSH else _PIECE)


PLAIN_ARITHMETIC = compiled(_ARITHMETIC)
