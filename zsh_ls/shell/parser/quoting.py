"""Quotes and what begins with `$`: the parts of words that may hold code (zshexpn(1), zshmisc(1)).

zsh's own lexer (Src/lex.c: dquote_parse, gettokstr, cmd_or_math) is followed
closely, since it alone decides where a word ends: flags and subscripts within
`${…}` have no meaning to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Pipeline, Substitution, SubstitutionKind

from .patterns import (
    ANSI_QUOTED,
    BACKQUOTED,
    ESCAPED_BACKQUOTE,
    INERT,
    INERT_IN_BRACES,
    PLAIN_ARITHMETIC,
)
from .scanner import MAX_DEPTH, Scanner

UNCLOSED = "unclosed "


class Quoting(Scanner):
    """Passes quoted text and substitutions, parsing the code in them."""

    def quoted_part(self, char: str, *, within_quotes: bool = False) -> None:
        """Pass what the special `char` at the position begins."""
        if char == "\\":
            self.pos = min(self.pos + 2, self.end)
        elif char == "'" and not within_quotes:
            self.single_quoted()
        elif char == '"':
            self.double_quoted()
        elif char == "$":
            self.dollar(within_quotes=within_quotes)
        elif char == "`":
            self.backquoted()
        else:
            self.pos += 1

    def single_quoted(self) -> None:
        """`'…'`. With RC_QUOTES two quotes within stand for one, which ends at the same place."""
        closing = self.text.find("'", self.pos + 1, self.end)
        if closing < 0:
            self.unclosed(self.pos, "'")
        else:
            self.pos = closing + 1

    def unclosed(self, opening: int, quote: str) -> None:
        """Take an unclosed quote to end with its line, so that the rest of the text is kept."""
        self.pos = max(self.pos, self.line_end(opening))
        self.note(opening, self.pos, UNCLOSED + quote)

    def double_quoted(self) -> None:
        """`"…"`: only `$`, backquotes and backslashes are special."""
        self.enclosed('"', self.until_quote_end, '"')

    def enclosed(self, opener: str, rest: Callable[[str], bool], argument: str) -> None:
        """Pass `opener` and the `rest` of what it opens, where that is closed."""
        mark = self.mark()
        self.pos += len(opener)
        if self.fuel <= 0 or not self.nested(rest, argument):
            self.rewind(mark)
            self.unclosed(mark.pos, opener)

    def until_quote_end(self, closer: str) -> bool:
        """Pass text up to and with `closer`, as zsh's dquote_parse; False where it is missing.

        `"` closes double quotes, `)` arithmetic, `]` the old `$[…]`. Parentheses
        or brackets nest in the last two.
        """
        inert, opener = INERT[closer], {")": "(", "]": "["}.get(closer)
        braces = nesting = 0
        while char := self.char_after(inert):
            if char == closer and not (braces or nesting):
                self.pos += 1
                return True
            if char == closer and not braces:
                nesting -= 1
            elif char == opener and not braces:
                nesting += 1
            elif char == "}":
                braces -= braces > 0
            elif char == "$" and self.at("${") and not self.at_function_substitution():
                braces += 1
                self.pos += 1
            elif char != '"' or braces:
                self.quoted_part(char, within_quotes=True)
                continue
            self.pos += 1
        return False

    def char_after(self, inert: re.Pattern[str]) -> str:
        """Pass what is `inert`, and give the character after it, `""` at the end."""
        self.skip(inert)
        return self.char()

    def dollar(self, *, within_quotes: bool = False) -> None:
        """What begins with `$` (zshexpn(1), PARAMETER EXPANSION to ARITHMETIC EXPANSION)."""
        opener = self.char(1)
        if opener == "(":
            self.parenthesised_substitution()
        elif opener == "{":
            self.braced(within_quotes=within_quotes)
        elif opener == "[" and self.dialect is not Dialect.SH:
            self.enclosed("$[", self.until_quote_end, "]")
        elif opener == "'" and not within_quotes:
            self.ansi_quoted()
        else:
            self.pos += 1

    def ansi_quoted(self) -> None:
        """`$'…'`, where a backslash escapes a quote."""
        match = ANSI_QUOTED.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
        else:
            self.unclosed(self.pos, "$'")

    def parenthesised_substitution(self) -> None:
        """`$((…))` where that is arithmetic, else `$(…)`."""
        if self.at("$((") and self.arithmetic(self.pos + 1):
            return
        self.substitution(SubstitutionKind.COMMAND)

    def arithmetic(self, start: int) -> bool:
        """Pass `((…))` at `start`; False, and nothing passed, where it is no arithmetic.

        As cmd_or_math of zsh: arithmetic is what closes with `))`. A guess that
        was wrong is remembered, for the text is read again as commands.
        """
        if start in self.not_arithmetic or self.fuel <= 0:
            return False
        if plain := PLAIN_ARITHMETIC.match(self.text, start, self.end):
            self.pos = plain.end()
            return True
        mark = self.mark()
        self.pos = start + 2
        if self.nested(self.until_quote_end, ")") and self.char() == ")":
            self.pos += 1
            return True
        self.not_arithmetic.add(start)
        return not self.rewind(mark)

    def braced(self, *, within_quotes: bool) -> None:
        """`${…}`, or the code of `${ …; }` and `${|…}`."""
        if self.at_function_substitution():
            self.function_substitution()
            return
        self.enclosed("${", self.until_brace, "'" if within_quotes else "")

    def at_function_substitution(self) -> bool:
        """Whether the `${` here holds code, not a parameter."""
        return self.dialect is not Dialect.SH and self.char(2) in {" ", "\t", "\n", "|"}

    def until_brace(self, plain: str) -> bool:
        """Pass the rest of `${…}`; in zsh braces within nest. `plain` is a quote without meaning."""
        braces = 1
        while braces and (char := self.char_after(INERT_IN_BRACES)):
            if char in "{}":
                braces += -1 if char == "}" else self.zsh and not plain
                self.pos += 1
            else:
                self.quoted_part(char, within_quotes=char == plain)
        return not braces

    def backquoted(self) -> None:
        """`` `…` ``: code up to the next backquote without a backslash."""
        opening = self.pos
        match = BACKQUOTED.match(self.text, opening, self.end)
        if match is None:
            self.unclosed(opening, "`")
            return
        self.pos = opening + 1
        pipelines = self.code_within(match.end() - 1)
        self.pos = match.end()
        self.found(SubstitutionKind.BACKQUOTE, opening, pipelines)

    def code_within(self, end: int) -> tuple[Pipeline, ...]:
        """The list from the position to `end`, the inside of backquotes."""
        outer = (self.text, self.end, self.pending, self.awaited)
        self.text = self.without_escapes(end)
        self.end, self.pending, self.awaited = end, [], []
        pipelines = self.nested_list()
        self.text, self.end, self.pending, self.awaited = outer
        return pipelines

    def without_escapes(self, end: int) -> str:
        r"""The text with what the backquotes around it escape up to `end` put in other words.

        `` \`…\` `` is a substitution within: `$(… )` is as long. The first of
        two backslashes stands only for the second.
        """
        inside = self.text[self.pos : end]
        if "\\`" not in inside and "\\\\" not in inside:
            return self.text
        opened = False

        def plain(escape: re.Match[str]) -> str:
            nonlocal opened
            if escape.group() == "\\\\":
                before = inside[: escape.start()][-1:]
                return " \\" if before in " \t\n;|&(" else escape.group()
            opened = not opened
            return "$(" if opened else " )"

        return self.text[: self.pos] + ESCAPED_BACKQUOTE.sub(plain, inside) + self.text[end:]

    def substitution(self, kind: SubstitutionKind) -> None:
        """`$(…)`, `<(…)`, `>(…)`, `=(…)`: a list in parentheses."""
        opening, outer = self.pos, self.pending
        self.pos += 2
        self.pending = []
        pipelines = self.nested_list(")")
        self.close(")", opening, kind)
        self.pending = outer
        self.found(kind, opening, pipelines)

    def function_substitution(self) -> None:
        """`${ list; }` and `${| list; }` (bash 5.3, zsh after 5.9): code in the current shell."""
        opening, outer = self.pos, (self.pending, self.any_brace_ends)
        self.pos += 3
        self.pending, self.any_brace_ends = [], True
        pipelines = self.nested_list("}")
        self.close("}", opening, "${")
        self.pending, self.any_brace_ends = outer
        self.found(SubstitutionKind.FUNCTION, opening, pipelines)

    def found(self, kind: SubstitutionKind, opening: int, pipelines: tuple[Pipeline, ...]) -> None:
        """Note a substitution that began at `opening` and ends here."""
        self.substitutions.append(Substitution(kind, Span(opening, self.pos), pipelines))

    def close(self, closer: str, opening: int, opener: str) -> bool:
        """Pass `closer`; where it is missing, note that what began at `opening` lacks it."""
        self.separators()
        if closer.isalpha():
            closed = self.take(closer)
        elif closed := self.at(closer):
            self.pos += len(closer)
            self.token_end = self.pos
        if not closed:
            self.note(opening, opening + len(opener), f"`{opener}` without `{closer}`")
        return closed

    def nested(self, production: Callable[[str], bool], argument: str) -> bool:
        """Run a production one level deeper; False beyond the depth cap."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return True
        self.depth += 1
        done = production(argument)
        self.depth -= 1
        return done

    def nested_list(self, *closers: str) -> tuple[Pipeline, ...]:
        """A list one level deeper; nothing beyond the depth cap."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return ()
        self.depth += 1
        pipelines = self.command_list(*closers)
        self.depth -= 1
        return pipelines

    def too_deep(self) -> None:
        """Give up the rest of a line that nests beyond reason."""
        end = self.line_end(self.pos)
        self.note(self.pos, end, "nested too deeply")
        self.pos = end
