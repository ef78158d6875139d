"""What all productions share: the parser, which they call for nested lists, and bodies in braces.

A production is a function that parses one construct of the grammar.
"""

from __future__ import annotations

from typing import Protocol

from zsh_ls.model.syntax import Body, BodyForm, Pipeline, Role, Segment

from .lexer import Lexer


class Grammar(Protocol):
    """The methods of the parser that productions call: lists hold commands, and commands lists."""

    @property
    def lexer(self) -> Lexer:
        """The lexer, at the parser's position in the text."""

    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """A list up to one of `closers`, which is left to be read."""

    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """Add the pipelines of one sublist; False, and nothing passed, where none begins here."""

    def command(self) -> Segment | None:
        """One command; None, and nothing passed, where none begins here."""

    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""


def braced_body(parser: Grammar, role: Role = Role.BODY) -> Body:
    """`{ list }`."""
    lexer = parser.lexer
    opening = lexer.pos
    lexer.pos += 1
    pipelines = parser.command_list("}")
    lexer.close("}", opening, "{")
    return Body(role, BodyForm.BRACES, pipelines)


def short_body(parser: Grammar) -> Body:
    """A body of zsh without any closing word: one sublist, perhaps none."""
    pipelines: list[Pipeline] = []
    parser.sublist(pipelines)
    return Body(Role.BODY, BodyForm.SHORT, tuple(pipelines))
