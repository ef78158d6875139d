"""A run that ended, as rules see it: which command each exit status came from, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from zsh_ls.model.execution import Execution
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Pipeline, Script, Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.status.blame import reported_pipeline
from zsh_ls.shell.status.exit_codes import normal_meaning
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.words import read_word
from zsh_ls.shell.words.wrappers import command_word, last_simple


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
        """The segments of `execution`, with their words where the text tells which pipeline ran last.

        Where every status is 0 nobody asks whose it was, and the text is not read.
        """
        statuses = execution.pipestatus
        if not any(statuses):
            return cls(execution, tuple(map(EndedSegment, statuses)))
        script, pipeline = _reported(execution)
        # A shell that cannot tell the segments apart gives one status, that of the last.
        segments = pipeline.segments[-len(statuses) :] if pipeline else ()
        # One status of a negated command is what `!` made of it.
        negated = pipeline is not None and pipeline.negated and len(statuses) == 1
        if len(segments) != len(statuses) or negated:
            return cls(execution, tuple(EndedSegment(status) for status in statuses))
        found = (_segment(script, *each) for each in zip(statuses, segments, strict=True))
        return cls(execution, tuple(found))

    @property
    def last(self) -> EndedSegment | None:
        """The segment whose exit is the run's own; None where `pipefail`, `!` or a list made it."""
        if self.segments and self.segments[-1].exit == self.execution.exit:
            return self.segments[-1]
        return None


def _reported(execution: Execution) -> tuple[Script, Pipeline | None]:
    kind = execution.shell
    script = parse(execution.command, Dialect(kind) if kind in set(Dialect) else Dialect.SH)
    output = "" if execution.output_is_blank else execution.output
    return script, reported_pipeline(script, script.dialect, execution.pipestatus, output=output)


def _segment(script: Script, status: int, segment: Segment) -> EndedSegment:
    """A status with the words that gave it; a subshell's last command gives the subshell's."""
    bodies = segment.bodies[-1].pipelines if segment.bodies else ()
    simple = last_simple(bodies) if bodies else segment
    if simple is None:
        return EndedSegment(status, span=segment.span)
    words = tuple(read_word(script.text, span, {}).text for span in simple.words)
    return EndedSegment(status, command_word(words) or simple.command_word, words, segment.span)


def normal_exit(ended: Ended, meaning: str) -> Iterator[Insight]:
    """`grep exit 1 = no match (normal)`, where the run's exit means `meaning` and is no failure."""
    last = ended.last
    if last is not None and last.normal_meaning == meaning:
        message = f"{last.command} exit {last.exit} = {meaning} (normal)"
        yield Insight(Level.INFO, message, span=last.span)
