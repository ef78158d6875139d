"""Regular expressions of words and commands that hold no code, as most of them.

All repetitions are possessive: no pattern ever backtracks, so matching takes
time linear in the text it passes. Blanks are space and tab only, as in the shells.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

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
_LINE_END = r"(?:\n|;(?![;&|]))[ \t\n]*+(?:(?=([#;\\]))|)"
# Before what goes on with its line: `|`, `&`, a closing word.
_GOES_ON = r"(?=[\n;|)]|&(?!>)|\Z)()"


class WordPatterns:
    """Words of one dialect that are made of pieces alone; each pattern is compiled when it is first used."""

    def __init__(self, piece: str) -> None:
        self._piece = piece
        self._word = f"{piece}++"
        self._command = rf"((?![({{])({_PIECE}++)(?:{_JOINED_BLANKS}++(?!\#){self._word})*+)[ \t]*+"
        self._elements = rf"(?:[ \t\n]++|(?!\#){self._word}(?=[ \t\n)]))*+"

    @cached_property
    def pieces(self) -> re.Pattern[str]:
        """Any number of pieces."""
        return compiled(f"{self._piece}*+")

    @cached_property
    def word(self) -> re.Pattern[str]:
        """A whole word."""
        return compiled(self._word + _WORD_END)

    @cached_property
    def first(self) -> re.Pattern[str]:
        """A word that may begin a command."""
        return compiled(rf"(?![({{]){self._word}{_WORD_END}")

    @cached_property
    def argument(self) -> re.Pattern[str]:
        """A word that follows others, in group 1."""
        return compiled(rf"{_JOINED_BLANKS}*+(?!\#)({self._word}){_WORD_END}")

    @cached_property
    def command(self) -> re.Pattern[str]:
        """A command of such words: group 1, its first word 2, the blanks behind it end where 3 is.

        Where it ends with its line that is passed as well, and group 4 is where more than blanks
        may come next; else group 5 is there.
        """
        return compiled(rf"{self._command}()(?:{_LINE_END}|{_GOES_ON})")

    @cached_property
    def assignment(self) -> re.Pattern[str]:
        """`name=value`: name, `+` and value are groups."""
        return compiled(rf"{NAME}(\+?)=(?!\()((?:{self._word})?+){_WORD_END}[ \t]*+")

    @cached_property
    def array_line(self) -> re.Pattern[str]:
        """An array that ends with its line: all of it in group 1, then as `assignment` and `line`."""
        return compiled(rf"({NAME}(\+?)=(\({self._elements}\)))[ \t]*+{_LINE_END}")

    @cached_property
    def elements(self) -> re.Pattern[str]:
        """The words of an array."""
        return compiled(self._elements)

    @cached_property
    def test(self) -> re.Pattern[str]:
        """The rest of a `[[`."""
        word = self._word
        return compiled(
            rf"(?:[ \t]++(?:(?!\#|\]\]){word}(?=[ \t])|&&|\|\|))*+[ \t]++\]\]{_WORD_END}"
        )

    @cached_property
    def test_token(self) -> re.Pattern[str]:
        """A token of a `[[`, in group 1."""
        return compiled(rf"[ \t]*+({self._word}(?=[ \t])|&&|\|\|)")


@cache
def word_patterns(dialect: Dialect) -> WordPatterns:
    """The patterns of a dialect."""
    return WordPatterns(_ZSH_PIECE if dialect is Dialect.ZSH else _PIECE)


PLAIN_ARITHMETIC = compiled(_ARITHMETIC)
