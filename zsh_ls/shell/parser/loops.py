"""Loops and `case` (zshmisc(1), COMPLEX COMMANDS and ALTERNATE FORMS)."""

from __future__ import annotations

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Body, BodyForm, Role, SegmentKind

from .compound import Compound, CompoundCommands
from .patterns import ARM_END, IDENTIFIER


class Loops(CompoundCommands):
    """Each production is called with its opening word passed, and says what it found."""

    def while_command(self, opening: int) -> Compound:
        """`while list do list done`."""
        return SegmentKind.WHILE, (), self.conditional_loop(opening, "while")

    def until_command(self, opening: int) -> Compound:
        """`until list do list done`."""
        return SegmentKind.UNTIL, (), self.conditional_loop(opening, "until")

    def conditional_loop(self, opening: int, keyword: str) -> list[Body]:
        """`list body`."""
        condition = self.command_list("do", "done", condition=True)
        body = self.loop_body(opening, keyword)
        return [Body(Role.CONDITION, BodyForm.KEYWORDS, condition), body]

    def repeat_command(self, opening: int) -> Compound:
        """`repeat word body`."""
        self.blanks()
        count = self.word()
        self.token_end = self.pos
        body = self.loop_body(opening, "repeat")
        return SegmentKind.REPEAT, (count,) if count else (), [body]

    def loop_body(self, opening: int, keyword: str) -> Body:
        """`do list done`, `{ list }`, csh's `list end` of foreach, or zsh's one sublist."""
        self.separators()
        if self.take("do"):
            pipelines = self.command_list("done")
            self.close("done", opening, keyword)
            return Body(Role.BODY, BodyForm.KEYWORDS, pipelines)
        if self.char() == "{":
            return self.braced_body()
        if keyword == "foreach":
            pipelines = self.command_list("end")
            self.close("end", opening, keyword)
            return Body(Role.BODY, BodyForm.KEYWORDS, pipelines)
        if self.zsh:
            return self.short_body()
        self.note(opening, opening + len(keyword), f"`{keyword}` without `do`")
        return Body(Role.BODY, BodyForm.SHORT, ())

    def for_command(self, opening: int) -> Compound:
        """`for name … [ in word … ] body`, `for name … ( word … ) body`, `for (( … )) body`."""
        self.blanks()
        if self.at("((") and self.arithmetic(self.pos):
            self.token_end = self.pos
            return SegmentKind.FOR, (), [self.loop_body(opening, "for")]
        return self.for_names(opening, "for", SegmentKind.FOR)

    def foreach_command(self, opening: int) -> Compound:
        """`foreach name … ( word … ) list end`."""
        return self.for_names(opening, "foreach", SegmentKind.FOR)

    def select_command(self, opening: int) -> Compound:
        """`select name [ in word … ] body`."""
        return self.for_names(opening, "select", SegmentKind.SELECT)

    def for_names(self, opening: int, keyword: str, kind: SegmentKind) -> Compound:
        """The names, words and body of a loop over words."""
        names = self.loop_names()
        if not names:
            self.note(opening, self.pos, f"`{keyword}` without a name")
        self.loop_words()
        return kind, names, [self.loop_body(opening, keyword)]

    def loop_names(self) -> list[Span]:
        """The variables of a loop: identifiers up to `in`, `do` or anything else."""
        names: list[Span] = []
        self.blanks()
        while name := IDENTIFIER.match(self.text, self.pos, self.end):
            if name.group() in {"in", "do"} and names:
                break
            names.append(Span._make(name.span()))
            self.pos = self.token_end = name.end()
            self.blanks()
        return names

    def loop_words(self) -> None:
        """`in word …` on this line or a later one, or zsh's `( word … )` on this one."""
        if self.zsh and self.char() == "(" and self.char(1) != ")":
            self.array()
            return
        self.separators()
        if self.take("in"):
            self.words_on_line()

    def case_command(self, opening: int) -> Compound:
        """`case word in [ [(] pattern [ | pattern ] … ) list ;; ] … esac`; in zsh `{…}` too."""
        self.blanks()
        subject = self.word()
        self.token_end = self.pos
        self.separators()
        braces = self.zsh and self.char() == "{"
        if not braces and not self.take("in"):
            self.note(opening, self.pos, "`case` without `in`")
            return SegmentKind.CASE, (subject,) if subject else (), ()
        self.pos += braces
        closer = "}" if braces else "esac"
        bodies: list[Body] = []
        while self.arm(closer, bodies):
            pass
        self.close(closer, opening, "case")
        return SegmentKind.CASE, (subject,) if subject else (), bodies

    def arm(self, closer: str, bodies: list[Body]) -> bool:
        """`pattern ) list ;;`; False at the end of the command."""
        self.separators()
        start = self.pos
        if not self.char() or self.at_word(closer):
            return False
        if not self.pattern():
            return self.skip_bad_pattern(start)
        self.token_end = self.pos
        pipelines = self.command_list(";;", ";&", ";|", ";;&", closer)
        bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, pipelines))
        self.separators()
        if ending := ARM_END.match(self.text, self.pos, self.end):
            self.pos = self.token_end = ending.end()
        return self.pos > start

    def skip_bad_pattern(self, start: int) -> bool:
        """Skip a line that is no pattern; False where it belongs to something around."""
        self.guesses.append(Span(start, self.pos))
        self.pos = start
        if self.is_awaited():
            return False
        self.pos = max(self.line_end(start), start + 1)
        self.note(start, self.pos, "expected a pattern and `)`")
        return True

    def pattern(self) -> bool:
        """Pass `pattern [ | pattern ] … )`, with or without `(` before.

        zsh reads `(a|b)` as one word, and takes it for the whole where neither
        `)` nor `|` follows.
        """
        if not self.zsh and self.char() == "(":
            self.pos += 1
            self.blanks()
        start = self.pos
        word = self.word()
        only = word is not None
        self.blanks()
        while self.char() == "|":
            only = False
            self.pos += 1
            self.blanks()
            self.word()
            self.blanks()
        if self.char() == ")":
            self.pos += 1
            return True
        return only and self.text[start] == "(" and word is not None
