"""Words, quotes and what begins with `$`, lists of words and assignments (zshexpn(1), zshparam(1)).

zsh's own lexer (Src/lex.c: dquote_parse, gettokstr, cmd_or_math) is followed
closely, since it alone decides where a word ends: flags and subscripts within
`${…}` have no meaning to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Assignment, Dialect, Pipeline, Substitution, SubstitutionKind

from .lexer import (
    ANSI_QUOTED,
    ASSIGNMENT,
    ASSIGNS,
    BACKQUOTED,
    ESCAPED_BACKQUOTE,
    INERT,
    INERT_IN_BRACES,
    INERT_IN_SUBSCRIPT,
    MAX_DEPTH,
    NUMBER_RANGE,
    PLAIN_ARITHMETIC,
    Scanner,
)

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


WORD_ENDS = frozenset(" \t\n;&|<>")
EXTENDED_GLOB = frozenset("?*+@!")


class Words(Quoting):
    """Passes words, which stay opaque but for the code in them."""

    def word(self, *, is_value: bool = False, in_condition: bool = False) -> Span | None:
        """Pass one word; None, and nothing passed, where none begins here."""
        easy = self.plain.word.match(self.text, self.pos, self.end)
        if easy:
            self.pos = easy.end()
            return span_of(easy.span())
        start = self.pos
        if self.zsh and self.at("=("):
            self.substitution(SubstitutionKind.FILE)
        stray_brace = self.rest_of_word(start, in_condition)
        if stray_brace and not is_value and self.pos - start > 1:
            self.pos -= 1
        return Span(start, self.pos) if self.pos > start else None

    def rest_of_word(self, start: int, in_condition: bool) -> bool:
        """Pass the parts of a word that began at `start`.

        True where it ends with a `}` that closes nothing within: zsh takes that
        to end a group, as in `{ls}`.
        """
        parentheses = braces = 0
        stray_brace = -1
        while char := self.char_after(self.pieces):
            if char == "{":
                braces += 1
            elif char == "}" and braces:
                braces -= 1
            elif char == "}":
                stray_brace = self.pos
            elif char == "(" and self.opens_pattern(start, in_condition):
                parentheses += 1
            elif char == ")" and parentheses:
                parentheses -= 1
            elif self.passed(char, parentheses):
                continue
            else:
                break
            self.pos += 1
        return self.zsh and stray_brace == self.pos - 1

    def opens_pattern(self, start: int, in_condition: bool) -> bool:
        """Whether the `(` here belongs to the word: a pattern in zsh and `[[`, an extended glob.

        zsh's `()` never does: it makes what stands before it a function.
        """
        if self.zsh:
            return self.char(1) != ")"
        return in_condition or (self.pos > start and self.text[self.pos - 1] in EXTENDED_GLOB)

    def passed(self, char: str, parentheses: int) -> bool:
        """Pass the part of a word that `char` begins; False, and nothing passed, where the word ends.

        Parentheses protect blanks and `|`; brackets protect nothing.
        """
        if char in "<>":
            return self.angle(protected=parentheses > 0 and not self.zsh)
        if char in WORD_ENDS:
            if not parentheses or (self.zsh and char in ";&"):
                return False
            self.pos += 1
            return True
        if char in "()":
            return False
        self.quoted_part(char)
        return True

    def angle(self, *, protected: bool) -> bool:
        """Pass `<(…)`, `>(…)`, zsh's `<1-9>`, or what is `protected`; False at a redirection."""
        if self.char(1) == "(":
            self.substitution(SubstitutionKind(self.char() + "("))
            return True
        numbers = NUMBER_RANGE.match(self.text, self.pos, self.end) if self.zsh else None
        if numbers:
            self.pos = numbers.end()
        elif protected:
            self.pos += 1
        return protected or numbers is not None

    def words_on_line(self) -> list[Span]:
        """Words up to the end of a command."""
        words = []
        self.blanks()
        while word := self.word():
            words.append(word)
            self.blanks()
        return words

    def array(self) -> None:
        """`( word … )`, over any number of lines."""
        opening = self.pos
        self.pos += 1
        self.elements()
        while self.word():
            self.elements()
        self.close(")", opening, "(")

    def elements(self) -> None:
        """Pass what may stand before an element that holds code: others, line ends, comments."""
        if not self.pending:
            self.skip(self.plain.elements)
        self.separators()

    def assignment(self) -> Assignment | None:
        """`name=value`, `name+=value`, `name[subscript]=value`, `name=(array)`."""
        match = ASSIGNMENT.match(self.text, self.pos, self.end)
        if match is None:
            return None
        start = self.pos
        self.pos = match.start(2) if match[2] else match.start(3)
        if match[2] and not self.subscript(start):
            return None
        appends = self.char() == "+"
        self.pos += 1 + appends
        return self.assigned(start, match[1], appends)

    def assigned(self, start: int, name: str, appends: bool) -> Assignment:
        """The assignment that began at `start`, whose value begins here."""
        value_start = self.pos
        is_array = self.char() == "("
        if is_array:
            self.array()
        else:
            self.word(is_value=True)
        value = Span(value_start, self.pos)
        return Assignment(Span(start, self.pos), name, value, is_array, appends)

    def subscript(self, start: int) -> bool:
        """Pass `[…]` before a `=` or `+=`; where none is, go back to `start`."""
        mark = self.mark()._replace(pos=start)
        if self.fuel > 0 and self.until_bracket() and ASSIGNS.match(self.text, self.pos, self.end):
            return True
        self.rewind(mark)
        return False

    def until_bracket(self) -> bool:
        """Pass a balanced `[…]`; False where it does not end before the word (bash: the line) does."""
        brackets = parentheses = 0
        while True:
            self.skip(INERT_IN_SUBSCRIPT)
            char = self.char()
            if not char or char in "\n;" or (char in " \t|&<>" and self.zsh and not parentheses):
                return False
            brackets += (char == "[") - (char == "]")
            parentheses += (char == "(") - (char == ")")
            self.quoted_part(char)
            if not brackets:
                return True
