"""Compound commands: groups, conditions, loops and `case` (zshmisc(1), COMPLEX COMMANDS)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Body, BodyForm, Dialect, Redirection, Role, Segment, SegmentKind

from .fast_path import segment_of
from .lexer import (
    ALWAYS,
    ARM_END,
    CLOSING_WORDS,
    IDENTIFIER,
    MAX_DEPTH,
    PIPELINE_PREFIXES,
    RESERVED_WORD,
)
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
