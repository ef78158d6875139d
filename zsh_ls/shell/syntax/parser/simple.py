"""Simple commands, their redirections and here-documents, and function definitions (zshmisc(1))."""

from __future__ import annotations

import re

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Assignment,
    Body,
    BodyForm,
    Dialect,
    Heredoc,
    Pipeline,
    Redirection,
    Role,
    Segment,
    SegmentKind,
    Substitution,
)

from .fast_path import PlainCommands, segment_of
from .lexer import (
    BASH_REDIRECTION,
    BRACE_END,
    DECLARATIONS,
    DECLARED_VALUE,
    EMPTY_PARENTHESES,
    MAX_DEPTH,
    NUMBER_RANGE,
    SH_REDIRECTION,
    ZSH_REDIRECTION,
    PendingHeredoc,
)

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


COMMAND_ENDS = frozenset("\n;|)")


class Functions(Redirections):
    """Arguments, bodies, and the functions made of them."""

    def arguments(self, words: list[Span], redirections: list[Redirection]) -> int:
        """Pass words and redirections to the end of the command; gives where the last token ends."""
        end = self.token_end
        match = self.plain.argument.match
        while True:
            easy = match(self.text, self.pos, self.end)
            if easy:
                words.append(span_of(easy.span(1)))
                self.pos = end = easy.end()
            elif self.argument(words, redirections):
                end = self.pos
            else:
                return end

    def argument(self, words: list[Span], redirections: list[Redirection]) -> bool:
        """Pass one word or redirection that is no plain word; False at the end of the command."""
        char = self.char_after_blanks()
        if not char or char in COMMAND_ENDS or (char == "}" and self.at_group_end()):
            return False
        redirection = self.redirection()
        if redirection:
            redirections.append(redirection)
            return True
        word = self.declared_value(words) or self.word()
        if word:
            words.append(word)
        return word is not None

    def at_group_end(self) -> bool:
        """Whether the `}` here closes a group: wherever it is a word of its own, in zsh."""
        return self.zsh and (
            self.any_brace_ends or BRACE_END.match(self.text, self.pos, self.end) is not None
        )

    def declared_value(self, words: list[Span]) -> Span | None:
        """`name=(…)`, and zsh's `name==(…)`, as an argument of `local` and its like."""
        if not words or self.text[slice(*words[0])] not in DECLARATIONS:
            return None
        match = DECLARED_VALUE.match(self.text, self.pos, self.end)
        if match is None:
            return None
        start, is_array = self.pos, match.end() - match.end(1) == 1
        if not (is_array or self.zsh):
            return None
        self.pos = match.end(1)
        if is_array:
            self.array()
        else:
            self.word(is_value=True)
        return Span(start, self.pos)

    def redirections_after(self) -> list[Redirection]:
        """The redirections that follow a compound command."""
        found = []
        while self.char_after_blanks() and (redirection := self.redirection()):
            found.append(redirection)
            self.token_end = self.pos
        return found

    def braced_body(self, role: Role = Role.BODY) -> Body:
        """`{ list }`."""
        opening = self.pos
        self.pos += 1
        pipelines = self.command_list("}")
        self.close("}", opening, "{")
        return Body(role, BodyForm.BRACES, pipelines)

    def short_body(self) -> Body:
        """A body of zsh without any closing word: one sublist, perhaps none."""
        pipelines: list[Pipeline] = []
        self.sublist(pipelines)
        return Body(Role.BODY, BodyForm.SHORT, tuple(pipelines))

    def function_command(self, opening: int) -> Segment:
        """`function [-T] { word } [ () ] body`, the keyword just passed."""
        mark = len(self.substitutions)
        names = self.function_names()
        parentheses = EMPTY_PARENTHESES.match(self.text, self.pos, self.end)
        if parentheses:
            self.pos = parentheses.end()
        return self.function(opening, mark, names, takes_sublist=self.zsh)

    def function_names(self) -> list[Span]:
        """The words after `function`, without its options."""
        names: list[Span] = []
        self.blanks()
        while not self.at_word("{") and (word := self.word()):
            if names or self.text[slice(*word)] not in {"-T", "--"}:
                names.append(word)
            self.blanks()
        return names

    def function(
        self, start: int, mark: int, names: list[Span], *, takes_sublist: bool = False
    ) -> Segment:
        """The function that began at `start`; its body comes next.

        Without a name it runs at once, with the words that follow the body.
        """
        anonymous = not names
        self.token_end = self.pos
        self.separators()
        body = self.body_within_depth(takes_sublist)
        redirections: list[Redirection] = []
        if anonymous:
            self.token_end = self.arguments(names, redirections)
        else:
            redirections = self.redirections_after()
        segment = Segment(
            SegmentKind.FUNCTION,
            Span(start, self.token_end),
            "()" if anonymous else "",
            tuple(names),
            redirections=tuple(redirections),
            bodies=(body,),
            substitutions=self.substitutions_since(mark),
        )
        self.functions.append(segment)
        return segment

    def body_within_depth(self, takes_sublist: bool) -> Body:
        """The body one level deeper; nothing beyond the depth cap."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return Body(Role.BODY, BodyForm.SHORT, ())
        self.depth += 1
        body = self.function_body(takes_sublist)
        self.depth -= 1
        return body

    def function_body(self, takes_sublist: bool) -> Body:
        """`{ list }`, or one command; after zsh's `function` a sublist."""
        if self.char() == "{" and (self.zsh or self.at_word("{")):
            return self.braced_body()
        if takes_sublist:
            return self.short_body()
        command = self.command()
        if command is None:
            self.note(self.pos, self.pos, "function without a body")
            return Body(Role.BODY, BodyForm.SHORT, ())
        return Body(Role.BODY, BodyForm.SHORT, (Pipeline(command.span, (command,)),))


class SimpleCommands(Functions):
    """Parses commands that are words, assignments and redirections."""

    def simple(
        self, start: int, mark: int, words: list[Span], redirections: list[Redirection]
    ) -> Segment | None:
        """`{ assignment | redirection } { word | redirection }`, or a function `name … () body`.

        `words` and `redirections` are those read since `start`. None where
        nothing is there at all.
        """
        assignments = [] if words else self.assignments(redirections)
        # Right after an assignment zsh still takes `{` for a group: `if x=1 { … }`.
        at_group = bool(assignments) and self.zsh and self.char() == "{"
        end = self.token_end if at_group else self.arguments(words, redirections)
        if words and self.char() == "(" and self.at_parentheses():
            return self.function(start, mark, words)
        if not (words or assignments or redirections):
            return None
        self.token_end = end
        command_word = self.written(words[0]) if words else ""
        before = (tuple(words), tuple(assignments), tuple(redirections))
        inside = ((), self.substitutions_since(mark))
        return segment_of(
            (SegmentKind.SIMPLE, span_of((start, end)), command_word, *before, *inside)
        )

    def assignments(self, redirections: list[Redirection]) -> list[Assignment]:
        """The assignments before a command, with redirections between them."""
        found = []
        while True:
            if assignment := self.assignment():
                found.append(assignment)
            elif redirection := self.redirection():
                redirections.append(redirection)
            else:
                return found
            self.token_end = self.pos
            self.blanks()

    def at_parentheses(self) -> bool:
        """Pass the `()` that makes a function of the words before it."""
        match = EMPTY_PARENTHESES.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
        return match is not None
