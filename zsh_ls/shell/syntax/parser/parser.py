"""Pipelines and lists, the top of the parser (zshmisc(1), SIMPLE COMMANDS & PIPELINES).

Two helpers serve it. Where a quote was left open, the rest of the text would be
read inside out; the missing quote is likely in the first string over several
lines that ends in the middle of a word, since a later line's opening quote was
taken for its end. And Python's recursion limit is raised for the deepest
nesting that is read, for the whole interpreter, until the last of several
threads that parse has done so.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Script, Segment, SegmentKind
from zsh_ls.shell.syntax._regex import compiled

from .commands import Commands
from .fast_path import lone
from .lexer import CLOSING_TOKEN, COPROC_NAME, MAX_DEPTH, PIPELINE_PREFIX, TIME_OPTION
from .words import UNCLOSED

# What may stand before an opening quote on its line: closed quotes, escapes, all else.
_BEFORE_QUOTE = compiled(r"""(?:[^'"\\\n]++|\\.|'[^'\n]*+'|"(?:[^"\\\n]++|\\.)*+")*+""")
_CLOSED_WITHIN_A_WORD = compiled(
    r"""(['"])(?:(?!\1)[^\\]|\\.)*+\1(?=[^\s;|&()<>{}'"`])""", re.DOTALL
)


def open_quote(text: str, pipelines: Iterable[Pipeline]) -> int | None:
    """Where the quote stands that was likely left open; None where nothing points to one."""
    for word in _long_words(text, pipelines):
        before = _BEFORE_QUOTE.match(text, word.start, word.end)
        if before and _CLOSED_WITHIN_A_WORD.match(text, before.end(), word.end):
            return before.end()
    return None


def _long_words(text: str, pipelines: Iterable[Pipeline]) -> Iterator[Span]:
    """The words and values that span lines, in the order of the text."""
    for pipeline in pipelines:
        for segment in pipeline.segments:
            values = [assignment.value for assignment in segment.assignments]
            for word in sorted((*segment.words, *values)):
                if text.find("\n", *word) >= 0:
                    yield word
            for body in segment.bodies:
                yield from _long_words(text, body.pipelines)


# One level of nesting takes at most so many Python frames; callers may have used up the default.
FRAMES_PER_LEVEL = 16
_FRAMES_NEEDED = MAX_DEPTH * FRAMES_PER_LEVEL + 1000

# The limits found by those who parse now; the first found the one to put back.
_found: list[int] = []


@contextmanager
def deep_stack() -> Iterator[None]:
    """Stack for MAX_DEPTH levels."""
    _found.append(sys.getrecursionlimit())
    sys.setrecursionlimit(max(_found[0], _FRAMES_NEEDED))
    try:
        yield
    finally:
        limit = _found[0]
        _found.pop()
        if not _found:
            # Python refuses where this thread was deeper itself while another one parsed.
            with suppress(RecursionError):
                sys.setrecursionlimit(limit)


NO_SEPARATOR = "no separator before this command"
MAY_BEGIN_PREFIX = frozenset("!tc")
NO_PREFIXES: frozenset[str] = frozenset()
BEGIN_NOTHING = frozenset({"", ";", ")"})
ENDS_OF_PIPELINE = frozenset({"", "\n", ";", ")"})

# Stands in the place of a quote that is taken for none: a character without meaning, as long.
NO_QUOTE = "\x01"


def parse(text: str, dialect: Dialect = Dialect.ZSH) -> Script:
    """The structure of `text`, always; what is wrong with it is in `problems`."""
    with deep_stack():
        script = Parser(text, dialect).script()
        opening = open_quote(text, script.pipelines) if _has_open_quote(script) else None
        if opening is None:
            return script
        mended = Parser(text, dialect, ignored_quote=opening).script()
        return mended if len(mended.problems) <= len(script.problems) else script


def _has_open_quote(script: Script) -> bool:
    return any(problem.message in {UNCLOSED + '"', UNCLOSED + "'"} for problem in script.problems)


class Parser(Commands):
    """Lists of pipelines of commands."""

    def __init__(self, text: str, dialect: Dialect, *, ignored_quote: int | None = None) -> None:
        super().__init__(text, dialect)
        # Whether the list that ended last did so before the text: another command may follow.
        self.is_separated = True
        if ignored_quote is not None:
            self.text = f"{self.text[:ignored_quote]}{NO_QUOTE}{self.text[ignored_quote + 1 :]}"
            self.note(ignored_quote, self.line_end(ignored_quote), UNCLOSED + text[ignored_quote])

    def stretch(self, start: int, end: int) -> Script | None:
        """Parse `text[start:end]`, as it is within the whole; None where that ends in the middle."""
        self.end = end
        script = self.script(start)
        looked_on = any(guess.end >= end for guess in script.guesses)
        goes_on = any(heredoc.span.end >= end for heredoc in script.heredocs)
        return None if looked_on or goes_on or not self.is_separated else script

    def script(self, start: int = 0) -> Script:
        """Parse the text from `start` on."""
        self.pos = start
        pipelines = self.command_list()
        return Script(
            self.source,
            self.dialect,
            pipelines,
            tuple(self.heredocs),
            tuple(self.comments),
            tuple(self.functions),
            tuple(self.problems),
            tuple(self.guesses),
        )

    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """`{ sublist ( ; | & | newline ) }` up to a closing word that something awaits.

        A `condition` also ends where a command follows without a separator:
        `if [[ … ]] { … }`.
        """
        self.awaited.append(closers)
        pipelines: list[Pipeline] = []
        self.separators()
        separated = True
        while self.pos < self.end:
            if separated and self.plain_lines(pipelines, closers):
                break
            first, start = len(pipelines), self.pos
            if self.char() not in BEGIN_NOTHING and self.sublist(pipelines):
                if not separated:
                    self.note(start, pipelines[first].span.end, NO_SEPARATOR)
                self.background(pipelines, first)
                separated = self.separated(pipelines[-1])
                if condition and not separated:
                    break
            elif self.is_awaited():
                break
            else:
                self.skip_stray()
            self.separators()
        self.awaited.pop()
        self.is_separated = separated
        return tuple(pipelines)

    def separated(self, pipeline: Pipeline) -> bool:
        """Whether another command of the list may follow `pipeline`."""
        return bool(pipeline.background) or self.char() in {"\n", ";"}

    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""
        token = CLOSING_TOKEN.match(self.text, self.pos, self.end)
        return token is None or any(token.group() in words for words in self.awaited)

    def skip_stray(self) -> None:
        """Note and pass a token that begins nothing and closes nothing, and words like it behind it.

        These at once, for looking for a command reads on to the end of the line, for each of them.
        """
        while True:
            token = CLOSING_TOKEN.match(self.text, self.pos, self.end)
            assert token is not None
            self.note(self.pos, token.end(), f"unexpected `{token.group()}`")
            self.pos = token.end()
            self.blanks()
            if not self.at_closing_word() or self.is_awaited():
                return

    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """`pipeline { ( && | || ) pipeline }`."""
        first = len(pipelines)
        while pipeline := self.pipeline():
            pipelines.append(pipeline)
            if pipeline.connector is Connector.NONE:
                break
        else:
            self.end_early(pipelines, first)
        return len(pipelines) > first

    def end_early(self, pipelines: list[Pipeline], first: int) -> None:
        """Note that no command follows the last `&&` or `||`, which zsh does not mind."""
        if len(pipelines) > first:
            last = pipelines[-1]
            message = f"no command after `{last.connector.value}`"
            self.note(last.span.end, self.pos, message, fatal=not self.zsh)
            pipelines[-1] = last._replace(connector=Connector.NONE)

    def background(self, pipelines: list[Pipeline], first: int) -> None:
        """Pass `&`, or zsh's `&|` and `&!`, after the sublist that began as the `first` pipeline."""
        if self.char() != "&":
            return
        sign = "&" + self.char(1) if self.zsh and self.char(1) in {"|", "!"} else "&"
        self.pos += len(sign)
        pipelines[first:] = [each._replace(background=sign) for each in pipelines[first:]]

    def pipeline(self) -> Pipeline | None:
        """`{ ! | time | coproc } command { ( | or |& ) command }`, and the connector after it."""
        start = self.pos
        prefixes = self.prefixes() if self.char() in MAY_BEGIN_PREFIX else NO_PREFIXES
        command = self.command()
        if command is None and prefixes:
            command = Segment(SegmentKind.SIMPLE, Span(self.token_end, self.token_end))
        if command is None:
            return None
        if not prefixes and self.char() in ENDS_OF_PIPELINE:
            return lone(command)
        segments = [command]
        operators = self.piped(segments)
        return Pipeline(
            span_of((start, segments[-1].span.end)),
            tuple(segments),
            tuple(operators),
            "!" in prefixes,
            "coproc" in prefixes,
            "time" in prefixes,
            self.connector(),
        )

    def piped(self, segments: list[Segment]) -> list[str]:
        """Add the commands after `|` and `|&` to `segments`; gives these operators."""
        operators = []
        while operator := self.bar():
            self.separators()
            command = self.command()
            if command is None:
                self.note(segments[-1].span.end, self.pos, f"no command after `{operator}`")
                break
            segments.append(command)
            operators.append(operator)
        return operators

    def prefixes(self) -> frozenset[str]:
        """Pass `!`, `time [-p]` and `coproc [NAME]` before a pipeline."""
        found = set()
        while prefix := PIPELINE_PREFIX.match(self.text, self.pos, self.end):
            word = prefix.group()
            if self.dialect is Dialect.SH and word != "!":
                break
            found.add(word)
            self.pos = self.token_end = prefix.end()
            self.blanks()
            option = TIME_OPTION if word == "time" else COPROC_NAME if word == "coproc" else None
            if option and not self.zsh and (extra := option.match(self.text, self.pos, self.end)):
                self.pos = extra.end()
                self.blanks()
        return frozenset(found)

    def bar(self) -> str:
        """Pass `|` or `|&`; `""` where none is."""
        if self.char_after_blanks() != "|" or self.char(1) == "|":
            return ""
        operator = "|&" if self.char(1) == "&" else "|"
        self.pos += len(operator)
        return operator

    def connector(self) -> Connector:
        """Pass `&&` or `||` and the line ends after it."""
        sign = self.char()
        if sign not in {"&", "|"} or self.char(1) != sign:
            return Connector.NONE
        sign, self.pos = sign * 2, self.pos + 2
        self.separators()
        return Connector(sign)
