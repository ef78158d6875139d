"""The structure of shell text as values: what the parser gives and every layer above it reads.

All ranges are characters (code points) of the text that was parsed, half open.
Everything nests: a pipeline has segments, a segment the bodies of a compound
command and the code of its substitutions, and these have pipelines again.
`Script.every_pipeline` walks them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.system.sorting import sorted_in_turns

from .dialect import Dialect as Dialect  # noqa: PLC0414  what it is read in belongs to a syntax
from .span import Span


class Problem(NamedTuple):
    """Something that is no good shell text, and where; where not `fatal`, the shells run it all the same."""

    span: Span
    message: str
    fatal: bool = True


class SubstitutionKind(StrEnum):
    """The text that opens nested code."""

    COMMAND = "$("
    BACKQUOTE = "`"
    FUNCTION = "${"
    INPUT = "<("
    OUTPUT = ">("
    FILE = "=("


class SegmentKind(StrEnum):
    """What sort of command a segment is (zshmisc(1), "Complex commands")."""

    SIMPLE = "simple"
    SUBSHELL = "subshell"
    GROUP = "group"
    TRY = "try"
    IF = "if"
    WHILE = "while"
    UNTIL = "until"
    FOR = "for"
    SELECT = "select"
    REPEAT = "repeat"
    CASE = "case"
    FUNCTION = "function"
    ARITHMETIC = "arithmetic"
    CONDITION = "condition"


class Role(StrEnum):
    """What a list inside a compound command is for."""

    CONDITION = "condition"
    BODY = "body"
    ALWAYS = "always"


class BodyForm(StrEnum):
    """How a list inside a compound command is delimited.

    `SHORT` is zsh's form without any closing word: one sublist.
    """

    KEYWORDS = "keywords"
    BRACES = "braces"
    SHORT = "short"


class Connector(StrEnum):
    """What joins a pipeline to the next one of its sublist; NONE ends the sublist."""

    NONE = ""
    AND = "&&"
    OR = "||"


class Assignment(NamedTuple):
    """A leading `name=value`; `value` is an empty range where nothing follows the sign."""

    span: Span
    name: str
    value: Span
    is_array: bool = False
    appends: bool = False


class Redirection(NamedTuple):
    """`2>file`; `descriptor` is what stands before the operator, `""` where nothing does."""

    span: Span
    operator: str
    target: Span
    descriptor: str = ""


class Substitution(NamedTuple):
    """Nested code: `$(…)`, backquotes, `<(…)`, `>(…)`, `=(…)`, `${ …; }`."""

    kind: SubstitutionKind
    span: Span
    pipelines: tuple[Pipeline, ...]


class Body(NamedTuple):
    """One list inside a compound command."""

    role: Role
    form: BodyForm
    pipelines: tuple[Pipeline, ...]


class Segment(NamedTuple):
    """One command of a pipeline.

    `command_word` is the first word as written, `""` where there is none (only
    assignments or redirections), and the word that opens a compound command
    (`if`, `{`, `((`, `()` of an anonymous function); for the definition of a
    function with a name it is `""`, nothing runs there.
    `words` are those of a simple command, the names of a function or the
    arguments of an anonymous one, the variables of `for` and `select`, the
    subject of `case`, the count of `repeat`.
    `substitutions` are those in its own words, in order; those of its bodies
    belong to the segments there, those of a heredoc to the Heredoc.
    """

    kind: SegmentKind
    span: Span
    command_word: str = ""
    words: tuple[Span, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    bodies: tuple[Body, ...] = ()
    substitutions: tuple[Substitution, ...] = ()


class Pipeline(NamedTuple):
    """Segments joined by `|` or `|&`, with what stands before (`!`, `time`, `coproc`) in its range.

    `operators[i]` joins segments i and i+1. `background` is `&`, `&|`, `&!` or `""`:
    that of the whole sublist, and so the same in all its pipelines.
    """

    span: Span
    segments: tuple[Segment, ...]
    operators: tuple[str, ...] = ()
    negated: bool = False
    coproc: bool = False
    timed: bool = False
    connector: Connector = Connector.NONE
    background: str = ""


class Heredoc(NamedTuple):
    """A here-document: `redirection` is the range of `<<WORD`, `body` its lines without the last.

    `span` has the delimiting line too. Where the delimiter was quoted, nothing
    in the body is code and `substitutions` is empty.
    """

    redirection: Span
    delimiter: str
    quoted: bool
    body: Span
    span: Span
    substitutions: tuple[Substitution, ...] = ()


class Script(NamedTuple):
    """A parsed text: always there, whatever the text was; `problems` says what was wrong with it.

    `guesses` are the ranges that had to be read twice: what is understood at
    their beginning hangs on the text up to their end.
    """

    text: str
    dialect: Dialect
    pipelines: tuple[Pipeline, ...]
    heredocs: tuple[Heredoc, ...] = ()
    comments: tuple[Span, ...] = ()
    functions: tuple[Segment, ...] = ()
    problems: tuple[Problem, ...] = ()
    guesses: tuple[Span, ...] = ()

    def source(self, span: Span) -> str:
        """The text of a range."""
        return self.text[span.start : span.end]

    def every_pipeline(self) -> list[Pipeline]:
        """All pipelines, those in bodies, substitutions and heredocs too, in the order of the text."""
        found = list(pipelines_within(self.pipelines))
        for heredoc in self.heredocs:
            for substitution in heredoc.substitutions:
                found.extend(pipelines_within(substitution.pipelines))
        return sorted_in_turns(found, lambda it: (it.span.start, -it.span.end))


def pipelines_within(pipelines: tuple[Pipeline, ...]) -> Iterator[Pipeline]:
    """`pipelines`, and those in their bodies and substitutions."""
    for pipeline in pipelines:
        yield pipeline
        for segment in pipeline.segments:
            parts: tuple[Body | Substitution, ...] = (*segment.bodies, *segment.substitutions)
            for part in parts:
                yield from pipelines_within(part.pipelines)


class SyntaxProblem(NamedTuple):
    """What a shell itself says is wrong with a text, and on which line, counted from 0."""

    line: int
    message: str
