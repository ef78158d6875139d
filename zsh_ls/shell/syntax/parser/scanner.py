"""A position in the text of a script, with the means to return to an earlier one.

Where a guess about the text turns out wrong, the scanner rewinds to a checkpoint
and forgets what was found since. A budget limits how much text is read again,
so that hostile texts are read in linear time too.
"""

from __future__ import annotations

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Heredoc, Problem, Segment, Substitution
from zsh_ls.shell.syntax._regex import compiled

WORD_BOUNDARY = compiled(r"[ \t\n;|&()<>]|\\\n|\Z")
# In zsh a last `}` that closes nothing is a word of its own: `{ if a; then b; fi}`.
ZSH_WORD_BOUNDARY = compiled(r"\}{0,9}(?:[ \t\n;|&()]|[<>](?!\()|\\\n|\Z)")

# Characters that may be read a second time after a wrong guess, per character of the text.
# Guesses nest (`((` in `((` …), so that without a limit a hostile text is read again at every level;
# real scripts use next to nothing of it.
FUEL_PER_CHARACTER = 1
FUEL_AT_LEAST = 20_000
COST_OF_REWIND = 20


class Checkpoint(NamedTuple):
    """A position, and the lengths of the lists of a scanner there."""

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


class Scanner:
    """A position in the text, and the lists that reading fills.

    Attributes:
        source: the text as it was given; `text` has each CRLF as newline and
            space, so that a line ends with one character at the same offset.
        pos: the offset of the next character, up to `end`, which is less than
            the length of the text where a part of it is read by itself.
        token_end: where the last token of a command ended.
        fuel: how many more characters may be read again.
        functions: the parser's; it is here for a rewind to shorten it too.
        guesses: the ranges that were looked at before a rewind: an edit in
            one of them may change what stands before it.
        substitutions: those not yet part of a command.
        pending: here-documents whose lines have not begun.
    """

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.source = text
        self.crlf = "\r\n" in text
        self.text = text.replace("\r\n", "\n ") if self.crlf else text
        self.pos = 0
        self.end = len(text)
        self.token_end = 0
        self.dialect = dialect
        self.zsh = dialect is Dialect.ZSH
        self.boundary = ZSH_WORD_BOUNDARY if self.zsh else WORD_BOUNDARY
        self.fuel = FUEL_AT_LEAST + FUEL_PER_CHARACTER * len(text)
        self.comments: list[Span] = []
        self.heredocs: list[Heredoc] = []
        self.functions: list[Segment] = []
        self.problems: list[Problem] = []
        self.guesses: list[Span] = []
        self.substitutions: list[Substitution] = []
        self.pending: list[PendingHeredoc] = []

    def char(self, ahead: int = 0) -> str:
        """The character at the position, `""` at the end."""
        at = self.pos + ahead
        return self.text[at] if at < self.end else ""

    def at(self, token: str) -> bool:
        """Whether `token` stands at the position."""
        return self.text.startswith(token, self.pos, self.end)

    def at_word(self, word: str) -> bool:
        """Whether `word` stands at the position, followed by the end of a word."""
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
        """A word as it is written, with backslash-newline removed."""
        text = self.source[word.start : word.end]
        return text.replace("\\\n", "") if "\\" in text else text

    def note(self, start: int, end: int, message: str, *, fatal: bool = True) -> None:
        """Record a problem; a `fatal` one is an error to the shell as well."""
        self.problems.append(Problem(Span(start, max(start, end)), message, fatal))

    def mark(self) -> Checkpoint:
        """A checkpoint of the current state."""
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
        """Return to `mark` and forget what was found since.

        False, with the position left as it is, once too much text was read again.
        """
        # Recorded also where nothing is read again: the tree before it depends on that text.
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
        """Remove and return the substitutions behind the first `mark` ones."""
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
