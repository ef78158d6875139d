"""Function definitions (zshmisc(1), FUNCTIONS and ANONYMOUS FUNCTIONS) and what can be a body."""

from __future__ import annotations

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Body, BodyForm, Pipeline, Redirection, Role, Segment, SegmentKind

from .patterns import BRACE_END, DECLARATIONS, DECLARED_VALUE, EMPTY_PARENTHESES
from .redirections import Redirections
from .scanner import MAX_DEPTH

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
