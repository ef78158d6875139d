"""A run that ended, as rules see it: which command each exit status came from, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from zsh_ls.model.execution import Execution
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level
from zsh_ls.shell.command_word import command_word
from zsh_ls.shell.exits import normal_meaning
from zsh_ls.shell.word_lexer import Command, lex


@attrs.frozen
class EndedSegment:
    """One segment of the pipeline that gave the exit.

    `command` is the base name of the program, looked through sudo and the
    like, `words` the segment's words; both are empty, and `span` is None,
    where it is not known which words gave this exit.
    """

    exit: int
    command: str = ""
    words: tuple[str, ...] = ()
    span: Span | None = None

    @property
    def normal_meaning(self) -> str | None:
        """What the exit says where it is no failure of this command: `no match`."""
        return normal_meaning(self.command, self.exit)


@attrs.frozen
class Ended:
    """A run that ended by itself, with the segments of the pipeline that gave its exit."""

    execution: Execution
    segments: tuple[EndedSegment, ...]

    @classmethod
    def of(cls, execution: Execution) -> Ended:
        """The segments of `execution`, with their words where the text tells which ran last."""
        statuses = execution.pipestatus
        commands = _only_pipeline(execution.command)
        if len(statuses) == 1:  # a shell that cannot tell the segments apart
            commands = commands[-1:]
        if len(commands) != len(statuses):
            return cls(execution, tuple(EndedSegment(status) for status in statuses))
        return cls(execution, tuple(map(_segment, statuses, commands)))

    @property
    def last(self) -> EndedSegment | None:
        """The segment whose exit is the run's own; None where `pipefail`, `!` or a list made it."""
        if self.segments and self.segments[-1].exit == self.execution.exit:
            return self.segments[-1]
        return None


def _only_pipeline(text: str) -> list[Command]:
    commands = [command for command in lex(text).commands if not command.nesting and command.words]
    joined = all(command.operator in {"|", "|&"} for command in commands[:-1])
    return commands if joined else []


def _segment(status: int, command: Command) -> EndedSegment:
    words = tuple(word.text for word in command.words)
    span = Span(command.words[0].span.start, command.words[-1].span.end)
    return EndedSegment(status, command_word(words), words, span)


def normal_exit(ended: Ended, meaning: str) -> Iterator[Insight]:
    """`grep exit 1 = no match (normal)`, where the run's exit means `meaning` and is no failure."""
    last = ended.last
    if last is not None and last.normal_meaning == meaning:
        message = f"{last.command} exit {last.exit} = {meaning} (normal)"
        yield Insight(Level.INFO, message, span=last.span)
