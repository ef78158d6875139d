"""Groups, subshells, conditions, arithmetic and `if` (zshmisc(1), COMPLEX COMMANDS)."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Body, BodyForm, Role, SegmentKind

from .patterns import ALWAYS
from .simple import SimpleCommands

Compound = tuple[SegmentKind, Sequence[Span], Sequence[Body]]
PATTERN_OPERATORS = frozenset({"=", "==", "!=", "=~"})


class CompoundCommands(SimpleCommands):
    """Each production is called with its opening word passed, and says what it found."""

    def subshell(self, opening: int) -> Compound:
        """`( list )`."""
        pipelines = self.command_list(")")
        self.close(")", opening, "(")
        return SegmentKind.SUBSHELL, (), [Body(Role.BODY, BodyForm.BRACES, pipelines)]

    def group(self, opening: int) -> Compound:
        """`{ list }`, and in zsh `{ list } always { list }`."""
        self.pos = opening
        body = self.braced_body()
        closed = self.pos
        self.blanks()
        if not (self.zsh and ALWAYS.match(self.text, self.pos, self.end)):
            return SegmentKind.GROUP, (), [body]
        self.take("always")
        self.separators()
        if self.char() != "{":
            self.note(closed, self.pos, "`always` without `{`")
            return SegmentKind.TRY, (), [body]
        return SegmentKind.TRY, (), [body, self.braced_body(Role.ALWAYS)]

    def arithmetic_command(self, opening: int) -> Compound:
        """`(( expression ))`; where that is no arithmetic, a subshell in a subshell."""
        if not self.arithmetic(opening):
            self.pos = opening + 1
            return self.subshell(opening)
        self.token_end = self.pos
        return SegmentKind.ARITHMETIC, (), ()

    def test(self, opening: int) -> Compound:
        """`[[ expression ]]`: words and operators up to `]]`."""
        if plain := self.plain.test.match(self.text, self.pos, self.end):
            self.pos = self.token_end = plain.end()
            return SegmentKind.CONDITION, (), ()
        word: Span | None = None
        self.blanks()
        while not self.take("]]"):
            if not (char := self.char()) or char == ";":
                self.note(opening, opening + 2, "`[[` without `]]`")
                break
            word = self.operand(char, word)
            self.test_blanks()
        return SegmentKind.CONDITION, (), ()

    def test_blanks(self) -> None:
        """Blanks and line ends within `[[`."""
        self.blanks()
        while self.char() == "\n":
            self.newline()
            self.blanks()

    def operand(self, char: str, before: Span | None) -> Span | None:
        """Pass a word or an operator's character of `[[`; `before` is the word just before."""
        if char == "\n":
            self.newline()
            return before
        follows_operator = before and self.text[slice(*before)] in PATTERN_OPERATORS
        if char != "(" or follows_operator:
            word = self.word(in_condition=True)
            if word:
                self.token_end = self.pos
                return word
        self.pos += 1
        return None

    def if_command(self, opening: int) -> Compound:
        """`if list then list { elif list then list } [ else list ] fi`, and zsh's forms.

        Those are `if list { list } [ elif list { list } ] [ else { list } ]` and
        `if list sublist`.
        """
        bodies: list[Body] = []
        while self.branch(opening, bodies):
            pass
        return SegmentKind.IF, (), bodies

    def branch(self, opening: int, bodies: list[Body]) -> bool:
        """A condition and its body; True where `elif` came after."""
        condition = self.command_list("then", "elif", "else", "fi", condition=True)
        bodies.append(Body(Role.CONDITION, BodyForm.KEYWORDS, condition))
        self.separators()
        if self.take("then"):
            body = self.command_list("elif", "else", "fi")
            bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, body))
            return self.after_then(opening, bodies)
        if self.zsh and self.char() == "{":
            bodies.append(self.braced_body())
            return self.after_brace(opening, bodies)
        if not self.zsh:
            self.note(opening, opening + 2, "`if` without `then`")
            return self.after_then(opening, bodies)
        bodies.append(self.short_body())
        if self.take("else"):
            self.else_list(opening, bodies)
        return False

    def after_then(self, opening: int, bodies: list[Body]) -> bool:
        """What follows a list after `then`: `elif`, `else` or `fi`."""
        self.separators()
        if self.take("elif"):
            return True
        if self.take("else"):
            self.else_list(opening, bodies)
        else:
            self.close("fi", opening, "if")
        return False

    def after_brace(self, opening: int, bodies: list[Body]) -> bool:
        """What may follow `}` on its line: `elif` or `else`."""
        self.blanks()
        if self.take("elif"):
            return True
        if not self.take("else"):
            return False
        self.separators()
        if self.char() == "{":
            bodies.append(self.braced_body())
        else:
            self.else_list(opening, bodies)
        return False

    def else_list(self, opening: int, bodies: list[Body]) -> None:
        """`list fi`."""
        bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, self.command_list("fi")))
        self.close("fi", opening, "if")
