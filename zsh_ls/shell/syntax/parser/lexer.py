"""The lexer's lowest layer: character classes, a position in the text, and what lies between commands.

All repetitions are possessive: no pattern ever goes back, so matching is linear
in what it passes. Blanks are space and tab alone, as in the shells.

Layers stand on each other by inheritance, in the modules `lexer`, `words`,
`fast_path`, `simple`, `commands` and `parser`. A layer calls only what is below
it, but for the few methods that are abstract here: nested code needs commands
and lists everywhere. No layer raises. What is wrong is noted as a Problem, and
parsing goes on as if the missing text were there.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Dialect, Heredoc, Pipeline, Problem, Segment, Substitution
from zsh_ls.shell.syntax._regex import compiled

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


MAX_DEPTH = 150
MAY_BEGIN_BLANKS = frozenset({" ", "\t", "\\", "#"})
# Characters that may be read a second time after a wrong guess, per character of the text.
# It keeps hostile texts linear; real ones use next to nothing of it.
FUEL_PER_CHARACTER = 1
FUEL_AT_LEAST = 20_000
COST_OF_REWIND = 20


class Checkpoint(NamedTuple):
    """A state to come back to when a guess was wrong."""

    pos: int
    comments: int
    heredocs: int
    functions: int
    problems: int
    substitutions: int
    pending: int


class PendingHeredoc(NamedTuple):
    """A here-document whose lines begin after the next line end."""

    redirection: Span
    delimiter: str
    quoted: bool
    strips_tabs: bool


class Scanner(ABC):
    """A position in the text, and the lists that parsing fills."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.source = text
        self.crlf = "\r\n" in text
        # A line end stays one character at the same offset whichever way it is written.
        self.text = text.replace("\r\n", "\n ") if self.crlf else text
        self.pos = 0
        self.end = len(text)
        self.token_end = 0
        self.dialect = dialect
        self.zsh = dialect is Dialect.ZSH
        self.boundary = ZSH_WORD_BOUNDARY if self.zsh else WORD_BOUNDARY
        self.plain = word_patterns(dialect)
        self.pieces = self.plain.pieces
        self.depth = 0
        self.fuel = FUEL_AT_LEAST + FUEL_PER_CHARACTER * len(text)
        self.comments: list[Span] = []
        self.heredocs: list[Heredoc] = []
        self.functions: list[Segment] = []
        self.problems: list[Problem] = []
        self.guesses: list[Span] = []
        self.substitutions: list[Substitution] = []
        self.pending: list[PendingHeredoc] = []
        self.awaited: list[Collection[str]] = []
        self.not_arithmetic: set[int] = set()
        # Within `${ …; }`, which may end in the middle of a word: `"${ a; }"`.
        self.any_brace_ends = False

    @abstractmethod
    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """A list up to one of `closers`, which is left to be read."""

    @abstractmethod
    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """Add the pipelines of one sublist; False, and nothing passed, where none begins here."""

    @abstractmethod
    def command(self) -> Segment | None:
        """One command; None, and nothing passed, where none begins here."""

    @abstractmethod
    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""

    @abstractmethod
    def read_heredocs(self) -> None:
        """Read the here-documents that are pending, at the beginning of a line."""

    def char(self, ahead: int = 0) -> str:
        """The character at the position, `""` at the end."""
        at = self.pos + ahead
        return self.text[at] if at < self.end else ""

    def at(self, token: str) -> bool:
        """Whether `token` stands at the position."""
        return self.text.startswith(token, self.pos, self.end)

    def at_word(self, word: str) -> bool:
        """Whether `word` stands at the position, and ends there."""
        end = self.pos + len(word)
        return self.at(word) and self.boundary.match(self.text, end, self.end) is not None

    def take(self, word: str) -> bool:
        """Pass `word` if it stands at the position."""
        if not self.at_word(word):
            return False
        self.pos += len(word)
        self.token_end = self.pos
        return True

    def written(self, word: Span) -> str:
        """A word as it stands in the text, its lines joined."""
        text = self.source[word.start : word.end]
        return text.replace("\\\n", "") if "\\" in text else text

    def note(self, start: int, end: int, message: str, *, fatal: bool = True) -> None:
        """Note a problem."""
        self.problems.append(Problem(Span(start, max(start, end)), message, fatal))

    def mark(self) -> Checkpoint:
        """The state now."""
        return Checkpoint(
            self.pos,
            len(self.comments),
            len(self.heredocs),
            len(self.functions),
            len(self.problems),
            len(self.substitutions),
            len(self.pending),
        )

    def rewind(self, mark: Checkpoint) -> bool:
        """Back to `mark`, forgetting what was found since.

        False, and nothing done, once too much of the text was read again.
        """
        self.guesses.append(Span(mark.pos, self.pos))
        self.fuel -= self.pos - mark.pos + COST_OF_REWIND
        if self.fuel <= 0:
            return False
        self.pos = mark.pos
        del self.comments[mark.comments :]
        del self.heredocs[mark.heredocs :]
        del self.functions[mark.functions :]
        del self.problems[mark.problems :]
        del self.substitutions[mark.substitutions :]
        del self.pending[mark.pending :]
        return True

    def substitutions_since(self, mark: int) -> tuple[Substitution, ...]:
        """Take the substitutions found since there were `mark`."""
        if len(self.substitutions) == mark:
            return ()
        found = tuple(self.substitutions[mark:])
        del self.substitutions[mark:]
        return found

    def line_end(self, start: int) -> int:
        """Where the line of `start` ends, its line end not counted."""
        found = self.text.find("\n", start, self.end)
        return self.end if found < 0 else found

    def skip(self, pattern: re.Pattern[str]) -> None:
        """Pass what `pattern` matches here, if anything."""
        match = pattern.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()

    def blanks(self) -> None:
        """Pass blanks, joined lines and a comment: what may stand before a token."""
        match = BLANKS.match(self.text, self.pos, self.end)
        assert match is not None
        self.pos = match.end()
        if match.lastindex:
            self.comments.append(span_of(match.span(1)))

    def char_after_blanks(self) -> str:
        """Pass what may stand before a token; gives the character after it, `""` at the end."""
        char = self.char()
        if char in MAY_BEGIN_BLANKS:
            self.blanks()
            char = self.char()
        return char

    def separators(self) -> None:
        """Pass all that may stand between two commands: blanks, line ends, `;`, comments."""
        while self.pending:
            self._pass_separators(SEPARATORS_ON_LINE)
            if self.char() != "\n":
                return
            self.newline()
        self._pass_separators(SEPARATORS)

    def _pass_separators(self, pattern: re.Pattern[str]) -> None:
        start, match = self.pos, pattern.match(self.text, self.pos, self.end)
        assert match is not None
        self.pos = end = match.end()
        if end - start > 1 and self.text.find("#", start, end) >= 0:
            found = COMMENT.finditer(self.text, start, end)
            self.comments += [span_of(comment.span()) for comment in found]

    def newline(self) -> None:
        """Pass the line end at the position, and the here-documents after it."""
        self.pos += 1
        if self.pending:
            self.read_heredocs()
