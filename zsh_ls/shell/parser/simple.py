"""Simple commands (zshmisc(1), SIMPLE COMMANDS & PIPELINES)."""

from __future__ import annotations

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Assignment, Redirection, Segment, SegmentKind

from .functions import Functions
from .patterns import EMPTY_PARENTHESES
from .plain import segment_of


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
