"""Redirections and here-documents (zshmisc(1), REDIRECTION)."""

from __future__ import annotations

import re

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Heredoc, Redirection, Substitution

from .patterns import BASH_REDIRECTION, NUMBER_RANGE, SH_REDIRECTION, ZSH_REDIRECTION
from .plain import PlainCommands
from .scanner import PendingHeredoc

QUOTES = re.compile(r"\$(?=['\"])|['\"]|\\(.)", re.DOTALL)
OPERATORS = {
    Dialect.ZSH: ZSH_REDIRECTION,
    Dialect.BASH: BASH_REDIRECTION,
    Dialect.SH: SH_REDIRECTION,
}
MAY_BEGIN_REDIRECTION = frozenset("<>&{0123456789")
INERT_IN_HEREDOC = re.compile(r"[^\\$`]++")


class Redirections(PlainCommands):
    """Passes redirections, and the lines of here-documents when their time comes."""

    def redirection(self) -> Redirection | None:
        """`[descriptor] operator word`; None, and nothing passed, where none begins here."""
        if self.char() not in MAY_BEGIN_REDIRECTION:
            return None
        match = OPERATORS[self.dialect].match(self.text, self.pos, self.end)
        if match is None or self.is_word(match):
            return None
        start, operator = self.pos, self.shortened(match)
        self.pos = match.start(2) + len(operator)
        self.blanks()
        target = self.word() or self.missing_target(start)
        redirection = Redirection(Span(start, target.end), operator, target, match[1] or "")
        if operator in {"<<", "<<-"}:
            self.pending.append(self.heredoc_of(redirection))
        return redirection

    def is_word(self, match: re.Match[str]) -> bool:
        """Whether what looks like an operator begins a word: `<(…)`, `>(…)`, zsh's `<1-9>`."""
        if match[1]:
            return False
        if match[2] in {"<", ">"} and self.text.startswith("(", match.end(), self.end):
            return True
        return self.zsh and bool(NUMBER_RANGE.match(self.text, self.pos, self.end))

    def shortened(self, match: re.Match[str]) -> str:
        """The operator; `>>(…)` and `<<(…)` redirect to a substitution."""
        operator = match[2]
        before_parenthesis = self.text.startswith("(", match.end(), self.end)
        return operator[0] if before_parenthesis and operator in {">>", "<<"} else operator

    def missing_target(self, start: int) -> Span:
        """Note that a redirection leads nowhere."""
        self.note(start, self.pos, "redirection without a word")
        end = len(self.text[start : self.pos].rstrip(" \t")) + start
        return Span(end, end)

    def heredoc_of(self, redirection: Redirection) -> PendingHeredoc:
        """What to look for once the line has ended."""
        word = self.text[slice(*redirection.target)]
        delimiter = QUOTES.sub(lambda quote: quote[1] or "", word)
        quoted = any(sign in word for sign in "'\"\\")
        return PendingHeredoc(redirection.span, delimiter, quoted, redirection.operator == "<<-")

    def read_heredocs(self) -> None:
        """Read the pending here-documents, one after the other."""
        pending, self.pending = self.pending, []
        for heredoc in pending:
            self.heredoc(heredoc)

    def heredoc(self, pending: PendingHeredoc) -> None:
        """Read lines up to the delimiter; where that is missing, to the end, as the shells do."""
        start = self.pos
        closing = self.delimiting_line(pending)
        if closing is None:
            message = f"here-document without `{pending.delimiter}`"
            self.note(*pending.redirection, message, fatal=False)
            closing = Span(self.end, self.end)
        body = Span(start, closing.start)
        found = () if pending.quoted else self.code_in_heredoc(body)
        self.pos = min(closing.end + 1, self.end)
        span = Span(start, closing.end)
        self.heredocs.append(
            Heredoc(pending.redirection, pending.delimiter, pending.quoted, body, span, found)
        )

    def delimiting_line(self, pending: PendingHeredoc) -> Span | None:
        """The line that ends a here-document: the delimiter alone."""
        indent = r"\t*+" if pending.strips_tabs else ""
        carriage = " ?" if self.crlf else ""
        line = rf"^{carriage}{indent}{re.escape(pending.delimiter)}(?=\n|\Z)"
        for found in re.compile(line, re.MULTILINE).finditer(self.text, self.pos, self.end):
            if pending.quoted or not self.joined_before(found.start()):
                return Span(*found.span())
        return None

    def joined_before(self, line_start: int) -> bool:
        """Whether the line before goes on at `line_start`: it ends with an odd number of backslashes."""
        at = line_start - 2
        while at >= self.pos and self.text[at] == "\\":
            at -= 1
        return (line_start - at) % 2 == 1

    def code_in_heredoc(self, body: Span) -> tuple[Substitution, ...]:
        """The substitutions in the lines of an unquoted here-document."""
        mark = len(self.substitutions)
        outer = (self.end, self.pending, self.awaited)
        self.pos, self.end, self.pending, self.awaited = body.start, body.end, [], []
        while self.pos < self.end:
            self.skip(INERT_IN_HEREDOC)
            self.quoted_part(self.char(), within_quotes=True)
        self.end, self.pending, self.awaited = outer
        found = tuple(self.substitutions[mark:])
        del self.substitutions[mark:]
        return found
