"""The lexer: words, quotes, substitutions and what lies between commands (zshexpn(1)).

zsh's own lexer (Src/lex.c: dquote_parse, gettokstr, cmd_or_math) is followed
closely, since it alone decides where a word ends: flags and subscripts within
`${…}` have no meaning to it. Words stay opaque but for the code in them.

To pass something is to move the position behind it. Nothing here raises: what
is wrong becomes a Problem, and reading goes on as if the missing text were there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from zsh_ls.lazy import re
from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Dialect, Heredoc, Pipeline, Substitution, SubstitutionKind
from zsh_ls.shell.syntax._regex import compiled

from .scanner import PendingHeredoc, Scanner
from .word_patterns import PLAIN_ARITHMETIC, word_patterns

BLANKS = compiled(r"(?:[ \t]++|\\\n)*+(#[^\n]*+)?")
SEPARATORS = compiled(r"(?:[ \t\n]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
SEPARATORS_ON_LINE = compiled(r"(?:[ \t]++|\\\n|;(?![;&|])|#[^\n]*+)*+")
COMMENT = compiled(r"#[^\n]*+")
MAY_BEGIN_BLANKS = frozenset({" ", "\t", "\\", "#"})
MAY_SEPARATE = frozenset(" \t\n\\;#")

# What dquote_parse of zsh's lex.c passes over, by the closing character.
INERT = {
    '"': compiled(r'(?:[^"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+'),
    ")": compiled(r"(?:[^)(\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
    "]": compiled(r"(?:[^]\[\"\\$`}]++|\\[\s\S]|\$(?![({\[]))*+"),
}
INERT_IN_BRACES = compiled(r"(?:[^{}'\"\\$`]++|\\[\s\S])*+")
ANSI_QUOTED = compiled(r"\$'(?:[^'\\]++|\\[\s\S])*+'")
ESCAPED_BACKQUOTE = compiled(r"\\\\|\\`")
BACKQUOTED = compiled(r"`(?:[^`\\]++|\\[\s\S])*+`")
NUMBER_RANGE = compiled(r"<\d*+-\d*+>")
BRACE_END = compiled(r"\}(?=\}{0,9}(?:[ \t\n;|&()<>]|\\\n|\Z))")
INERT_IN_HEREDOC = compiled(r"[^\\$`]++")
WORD_ENDS = frozenset(" \t\n;&|<>")
EXTENDED_GLOB = frozenset("?*+@!")
FUNCTION_BODY = re.compile(r"\(\)\s*\{\s")

# How deep constructs may nest; what is deeper is skipped, a line at a time.
MAX_DEPTH = 150
# The beginning of the message about a quote, followed by its opening characters.
UNCLOSED = "unclosed "


class CodeParser(Protocol):
    """Parses the code within words: the only way from the lexer to the grammar of commands."""

    def __call__(self, *closers: str) -> tuple[Pipeline, ...]:
        """Parse the list of commands at the lexer's position, and move that behind it.

        The list ends before one of `closers`, such as the `)` of `$(…)`, or at
        the lexer's `end`. It may also end early, before a token that a construct
        further out awaits.
        """


class Lexer(Scanner):
    """Reads words, quotes, here-documents and what stands between commands.

    `parse_code` parses the code within words. What it returns is collected in
    `substitutions`, from where the parser moves it into the command.
    """

    def __init__(self, text: str, dialect: Dialect, parse_code: CodeParser) -> None:
        super().__init__(text, dialect)
        self.parse_code = parse_code
        # Patterns of words without code, which are most, and of the pieces of any word.
        self.plain = word_patterns(dialect)
        self.pieces = self.plain.pieces
        self.depth = 0
        # The closing tokens of the open constructs, outermost first. The parser adds and removes
        # them; the lexer sets them aside in backquotes and here-documents, whose end is known.
        self.awaited: list[Collection[str]] = []
        # Where `((` was found to begin no arithmetic.
        self.not_arithmetic: set[int] = set()
        # What the pattern of a plain command found where it was tried last, for the next one to try there.
        self.looked_at = -1
        self.seen: re.Match[str] | None = None
        # Within `${ …; }`, which may end in the middle of a word: `"${ a; }"`.
        self.any_brace_ends = False

    def blanks(self) -> None:
        """Pass blanks, backslash-newlines and a comment: what may stand before a token."""
        match = BLANKS.match(self.text, self.pos, self.end)
        assert match is not None
        self.pos = match.end()
        if match.lastindex:
            self.comments.append(span_of(match.span(1)))

    def char_after_blanks(self) -> str:
        """Pass what may stand before a token; returns the character after it, `""` at the end."""
        if (at := self.pos) >= self.end:
            return ""
        char = self.text[at]
        if char in MAY_BEGIN_BLANKS:
            self.blanks()
            return self.char()
        return char

    def separators(self) -> None:
        """Pass all that may stand between two commands: blanks, line ends, `;`, comments."""
        if self.pos >= self.end or self.text[self.pos] not in MAY_SEPARATE:
            return
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
        pending, self.pending = self.pending, []
        for heredoc in pending:
            self.read_heredoc(heredoc)

    def read_heredoc(self, pending: PendingHeredoc) -> None:
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
            # An odd number of backslashes before it joins the line to the one before.
            before = found.start() - 2
            while before >= self.pos and self.text[before] == "\\":
                before -= 1
            if pending.quoted or (found.start() - before) % 2 == 0:
                return Span(*found.span())
        return None

    def code_in_heredoc(self, body: Span) -> tuple[Substitution, ...]:
        """The substitutions in the lines of an unquoted here-document."""
        mark = len(self.substitutions)
        outer = (self.end, self.pending, self.awaited)
        self.pos, self.end, self.pending, self.awaited = body.start, body.end, [], []
        self.looked_at = -1
        while self.pos < self.end:
            self.skip(INERT_IN_HEREDOC)
            self.quoted_part(self.char(), within_quotes=True)
        self.end, self.pending, self.awaited = outer
        self.looked_at = -1
        return self.substitutions_since(mark)

    def quoted_part(self, char: str, *, within_quotes: bool = False) -> None:
        """Pass what the special `char` at the position begins."""
        if char == "\\":
            self.pos = min(self.pos + 2, self.end)
        elif char == "'" and not within_quotes:
            self.single_quoted()
        elif char == '"':
            self.enclosed('"', self.until_quote_end, '"')
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

    def enclosed(self, opener: str, rest: Callable[[str], bool], argument: str) -> None:
        """Pass `opener`, and what follows it by calling `rest` with `argument`.

        Where `rest` returns False the construct is not closed, and ends with its line.
        """
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
        """Pass what `inert` matches; returns the character after it, `""` at the end."""
        self.skip(inert)
        return self.char()

    def dollar(self, *, within_quotes: bool = False) -> None:
        """What begins with `$` (zshexpn(1), PARAMETER EXPANSION to ARITHMETIC EXPANSION)."""
        opener = self.char(1)
        if opener == "(":
            if not (self.at("$((") and self.arithmetic(self.pos + 1)):
                self.substitution(SubstitutionKind.COMMAND)
        elif opener == "{":
            if self.at_function_substitution():
                self.function_substitution()
            else:
                self.enclosed("${", self.until_brace, "'" if within_quotes else "")
        elif opener == "[" and self.dialect is not Dialect.SH:
            self.enclosed("$[", self.until_quote_end, "]")
        elif opener == "'" and not within_quotes:
            # In `$'…'` a backslash escapes a quote.
            match = ANSI_QUOTED.match(self.text, self.pos, self.end)
            if match:
                self.pos = match.end()
            else:
                self.unclosed(self.pos, "$'")
        else:
            self.pos += 1

    def arithmetic(self, start: int) -> bool:
        """Pass `((…))` at `start`; False, and nothing passed, where it is no arithmetic.

        As cmd_or_math of zsh: arithmetic is what closes with `))`. A wrong
        guess is remembered, since the text is read again, as commands.
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
        # The end is known before the code is parsed, so nothing around is awaited in it.
        outer = (self.text, self.end, self.pending, self.awaited)
        self.text = self.without_escapes(match.end() - 1)
        self.end, self.pending, self.awaited, self.looked_at = match.end() - 1, [], [], -1
        pipelines = self.nested_list()
        self.text, self.end, self.pending, self.awaited = outer
        self.pos, self.looked_at = match.end(), -1
        self.add_substitution(SubstitutionKind.BACKQUOTE, opening, pipelines)

    def without_escapes(self, end: int) -> str:
        r"""The text, with the escapes within backquotes up to `end` replaced by as many characters.

        `` \`…\` `` is a nested substitution and becomes `$(… )`. The first of two
        backslashes only escapes the second.
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
        self.add_substitution(kind, opening, pipelines)

    def function_substitution(self) -> None:
        """`${ list; }` and `${| list; }` (bash 5.3, zsh after 5.9): code in the current shell."""
        opening, outer = self.pos, (self.pending, self.any_brace_ends)
        self.pos += 3
        self.pending, self.any_brace_ends = [], True
        pipelines = self.nested_list("}")
        self.close("}", opening, "${")
        self.pending, self.any_brace_ends = outer
        self.add_substitution(SubstitutionKind.FUNCTION, opening, pipelines)

    def add_substitution(
        self, kind: SubstitutionKind, opening: int, pipelines: tuple[Pipeline, ...]
    ) -> None:
        """Record a substitution from `opening` to the position."""
        self.substitutions.append(Substitution(kind, Span(opening, self.pos), pipelines))

    def close(self, closer: str, opening: int, opener: str) -> bool:
        """Pass `closer`; where it is missing, record a problem at the `opener`, at offset `opening`."""
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
        """Call `production` one level deeper; beyond MAX_DEPTH the rest of the line is skipped."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return True
        self.depth += 1
        done = production(argument)
        self.depth -= 1
        return done

    def nested_list(self, *closers: str) -> tuple[Pipeline, ...]:
        """Parse code one level deeper; beyond MAX_DEPTH the rest of the line is skipped."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return ()
        self.depth += 1
        pipelines = self.parse_code(*closers)
        self.depth -= 1
        return pipelines

    def too_deep(self) -> None:
        """Skip the rest of a line that nests deeper than MAX_DEPTH."""
        end = self.line_end(self.pos)
        self.note(self.pos, end, "nested too deeply")
        self.pos = end

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
            elif self.pass_part(char, parentheses):
                continue
            else:
                break
            self.pos += 1
        return self.zsh and stray_brace == self.pos - 1

    def opens_pattern(self, start: int, in_condition: bool) -> bool:
        """Whether the `(` here belongs to the word: a pattern in zsh and `[[`, an extended glob.

        zsh's `()` never does: it makes what stands before it a function, as bash's does
        behind a sign before a body, where extended globs are off.
        """
        if self.zsh:
            return self.char(1) != ")"
        if in_condition:
            return True
        signed = self.pos > start and self.text[self.pos - 1] in EXTENDED_GLOB
        return signed and not FUNCTION_BODY.match(self.text, self.pos, self.end)

    def pass_part(self, char: str, parentheses: int) -> bool:
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

    def at_group_end(self) -> bool:
        """Whether the `}` here closes a group: wherever it is a word of its own, in zsh."""
        return self.zsh and (
            self.any_brace_ends or BRACE_END.match(self.text, self.pos, self.end) is not None
        )
