"""One command of any kind, told by its first word (zshmisc(1), RESERVED WORDS)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Dialect, Redirection, Segment, SegmentKind

from .compound import Compound
from .loops import Loops
from .patterns import CLOSING_WORDS, PIPELINE_PREFIXES, RESERVED_WORD
from .plain import segment_of
from .scanner import MAX_DEPTH

Production = Callable[["Commands", int], Compound | Segment]


class Commands(Loops):
    """Finds the production of a command and runs it."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        super().__init__(text, dialect)
        self.reserved = RESERVED[dialect]
        self.not_plain = NOT_PLAIN
        self.closing_words = CLOSING[dialect]

    def command(self) -> Segment | None:
        """`{ redirection } ( compound | function | simple ) { redirection }`."""
        if plain := self.plain_command():
            return plain
        easy = self.plain.first.match(self.text, self.pos, self.end)
        if easy is None:
            return self.awkward_command()
        start, word = self.pos, easy.group()
        if word in self.reserved:
            return self.compound(start, word, [])
        if "=" in word or "[" in word:
            return self.simple(start, len(self.substitutions), [], [])
        self.pos = self.token_end = easy.end()
        return self.simple(start, len(self.substitutions), [Span(start, self.pos)], [])

    def awkward_command(self) -> Segment | None:
        """A command whose first word is no plain one."""
        start, mark = self.pos, len(self.substitutions)
        redirections = self.leading_redirections()
        word = self.opening_token()
        if word == "()":
            self.pos += 2
            return self.function(start, mark, [])
        if word in self.reserved and not (redirections and self.reserved[word] is None):
            return self.compound(start, word, redirections)
        return self.simple(start, mark, [], redirections)

    def opening_token(self) -> str:
        """The token here that may open or close a compound command, `""` where it is another."""
        char = self.char()
        if char == "(":
            pair = char + self.char(1)
            return pair if pair in self.reserved or (pair == "()" and self.zsh) else "("
        if char == "{":
            return "{" if self.zsh or self.at_word("{") else ""
        if char == "}":
            return "}" if self.at_closing_brace() else ""
        word = RESERVED_WORD.match(self.text, self.pos, self.end)
        if word is None or (self.zsh and self.text.startswith("(", word.end(), self.end)):
            return ""
        return word.group() if self.boundary.match(self.text, word.end(), self.end) else ""

    def at_closing_brace(self) -> bool:
        """Whether the `}` here, where a command may begin, closes a group or `${ …; }`."""
        return self.any_brace_ends or self.at_group_end() or (not self.zsh and self.at_word("}"))

    def at_closing_word(self) -> bool:
        """Whether a word is here that begins no command, only closes one."""
        word = RESERVED_WORD.match(self.text, self.pos, self.end)
        if word is None or word.group() not in self.closing_words:
            return False
        return self.at_word(word.group())

    def nocorrect(self, opening: int) -> Segment:
        """Zsh's `nocorrect command`: the word is no part of the command."""
        self.blanks()
        command = self.command() or Segment(SegmentKind.SIMPLE, Span(opening, self.token_end))
        return command._replace(span=Span(opening, command.span.end))

    def leading_redirections(self) -> list[Redirection]:
        """The redirections before a command."""
        found = []
        while redirection := self.redirection():
            found.append(redirection)
            self.token_end = self.pos
            self.blanks()
        return found

    def compound(self, start: int, opener: str, redirections: list[Redirection]) -> Segment | None:
        """The compound command that `opener` begins; None where it is a closing word."""
        production = self.reserved[opener]
        if production is None:
            return None
        mark, opening = len(self.substitutions), self.pos
        self.pos = self.token_end = opening + len(opener)
        found = self.within_depth(production, opening)
        if isinstance(found, Segment):
            return found
        kind, words, bodies = found
        end = self.token_end
        redirections += self.redirections_after()
        span = span_of((start, max(end, self.token_end)))
        word = "(" if kind is SegmentKind.SUBSHELL else opener
        inside = (tuple(redirections), tuple(bodies), self.substitutions_since(mark))
        return segment_of((kind, span, word, tuple(words), (), *inside))

    def within_depth(self, production: Production, opening: int) -> Compound | Segment:
        """Run a production one level deeper; nothing beyond the depth cap."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return SegmentKind.SIMPLE, (), ()
        self.depth += 1
        found = production(self, opening)
        self.depth -= 1
        return found


# What each dialect's opening words begin; None for words that only close.
_POSIX: Mapping[str, Production | None] = {
    "(": Commands.subshell,
    "{": Commands.group,
    "if": Commands.if_command,
    "while": Commands.while_command,
    "until": Commands.until_command,
    "for": Commands.for_command,
    "case": Commands.case_command,
    **dict.fromkeys(CLOSING_WORDS),
}
_BASH: Mapping[str, Production | None] = {
    **_POSIX,
    "((": Commands.arithmetic_command,
    "[[": Commands.test,
    "select": Commands.select_command,
    "function": Commands.function_command,
}
RESERVED: Mapping[Dialect, Mapping[str, Production | None]] = {
    Dialect.SH: _POSIX,
    Dialect.BASH: _BASH,
    Dialect.ZSH: {
        **_BASH,
        "foreach": Commands.foreach_command,
        "repeat": Commands.repeat_command,
        "nocorrect": Commands.nocorrect,
        "end": None,
    },
}
CLOSING = {
    dialect: frozenset(word for word, production in words.items() if production is None)
    for dialect, words in RESERVED.items()
}
NOT_PLAIN = PIPELINE_PREFIXES.union(*RESERVED.values())
