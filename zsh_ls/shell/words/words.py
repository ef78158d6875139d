"""The commands of a text with their words, quotes removed as by the shell.

`read(text)` walks the parser's tree once: every command, also those in bodies,
substitutions and heredocs, and for each character of a word where it stands in
the text. Redaction, hashes and templates judge words through it. It never
raises, and its time grows with the length of the text alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Script, Segment
from zsh_ls.shell.syntax._regex import compiled
from zsh_ls.shell.syntax.parser import parse

EXPANSION = "\ufffc"  # in a word's text, in place of an expansion

_EASY_WORD = re.compile(r"[\w./:=,+@%^-]+")
_PLAIN = re.compile(r"[^'\"\\$`<>=(]+")
_PLAIN_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_VARIABLE = re.compile(r"\$[+=~^#]*(?:[A-Za-z_]\w*|\d+|[?!#$*@-])")
_BRACKETS = re.compile(r"[\\'\"(){}\[\]]")
_ANSI_QUOTED = compiled(r"(?:[^'\\]|\\.)*+", re.DOTALL)
_MAX_CACHED_LENGTH = 16_384
_CLOSERS = {"(": ")", "{": "}", "[": "]"}


class QuotedStretch(NamedTuple):
    """Characters of a word and their source; those with the same `context` are in the same quotes."""

    at: int
    length: int
    start: int
    end: int
    context: int


class Word(NamedTuple):
    """A word without its quotes; it is `literal` if the shell expands nothing in it.

    `quoted` are the contents of its outermost quotes, in the source.
    """

    text: str
    literal: bool
    span: Span
    runs: tuple[QuotedStretch, ...]
    quoted: tuple[Span, ...] = ()

    def sources(self, start: int, end: int) -> list[Span]:
        """The source of `text[start:end]`, one span for each change of quoting."""
        found: dict[int, Span] = {}
        for run in self.runs:
            low, high = max(start, run.at), min(end, run.at + run.length)
            if low < high:
                piece = Span(run.start + low - run.at, run.start + high - run.at)
                if run.end - run.start != run.length:
                    # An escape: two characters of source are one of the text.
                    piece = Span(run.start, run.end)
                before = found.get(run.context, piece)
                found[run.context] = Span(before.start, piece.end)
        return list(found.values())


class Command(NamedTuple):
    """A command's words, leading assignments included; `inputs` are its here-strings.

    `heredocs` are the bodies of its heredocs, `producer` is the command whose output
    is its input, `outputs` are the files its standard output goes to. `span` covers
    all of it, with the bodies of a compound command.
    """

    words: tuple[Word, ...] = ()
    inputs: tuple[Word, ...] = ()
    heredocs: tuple[Span, ...] = ()
    producer: Command | None = None
    outputs: tuple[Word, ...] = ()
    span: Span = Span(0, 0)

    @property
    def texts(self) -> list[str]:
        """The words' texts."""
        return [word.text for word in self.words]


class ParsedWords(NamedTuple):
    """A parsed text, and its commands by their spans; `order` has these spans sorted.

    `gaps` are the ranges that no word, heredoc or comment covers: operators, keywords, blanks.
    """

    script: Script
    commands: Mapping[Span, Command]
    words: tuple[Word, ...]
    gaps: tuple[Span, ...]
    order: tuple[Span, ...]

    def lines(self, body: Span) -> Span:
        """A heredoc's body without the final line break."""
        text = self.script.text
        return Span(body.start, body.end - text.endswith("\n", body.start, body.end))

    def within(self, span: Span) -> Iterator[Command]:
        """The commands within `span`, in order."""
        at = bisect_left(self.order, (span.start, 0))
        while at < len(self.order) and self.order[at].end <= span.end:
            yield self.commands[self.order[at]]
            at += 1


def read(text: str) -> ParsedWords:
    """The commands of `text`. Short texts are cached, because they are usually read several times."""
    return _read_cached(text) if len(text) <= _MAX_CACHED_LENGTH else _read(text)


def _read(text: str) -> ParsedWords:
    script = parse(text)
    reader = _CommandReader(script)
    for pipeline in script.every_pipeline():
        reader.add(pipeline)
    covered = [word.span for word in reader.words]
    covered += [heredoc.span for heredoc in script.heredocs]
    gaps, at = [], 0
    for span in sorted([*covered, *script.comments, Span(len(text), len(text))]):
        if span.start > at:
            gaps.append(Span(at, span.start))
        at = max(at, span.end)
    order = tuple(sorted(reader.commands))
    return ParsedWords(script, reader.commands, tuple(reader.words), tuple(gaps), order)


_read_cached = lru_cache(maxsize=16)(_read)


class _CommandReader:
    """Collects the commands of a script."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.commands: dict[Span, Command] = {}
        self.words: list[Word] = []
        self.bodies = {heredoc.redirection.start: heredoc.body for heredoc in script.heredocs}

    def add(self, pipeline: Pipeline) -> None:
        """Add the segments of a pipeline, each with the one whose output it reads."""
        producer: Command | None = None
        for segment in pipeline.segments:
            producer = self.command(segment, producer)
            self.commands[segment.span] = producer

    def command(self, segment: Segment, producer: Command | None) -> Command:
        expansions = {item.span.start: item.span.end for item in segment.substitutions}
        spans = sorted([*(item.span for item in segment.assignments), *segment.words])
        words = tuple(self.word(span, expansions) for span in spans)
        inputs, heredocs, outputs = [], [], []
        for redirection in segment.redirections:
            target = self.word(redirection.target, expansions)
            if redirection.operator.startswith("<<<"):
                inputs.append(target)
            elif redirection.span.start in self.bodies:
                heredocs.append(self.bodies[redirection.span.start])
            elif redirection.operator.startswith((">", "&>")) and redirection.descriptor in (
                "",
                "1",
            ):
                outputs.append(target)
        return Command(
            words, tuple(inputs), tuple(heredocs), producer, tuple(outputs), segment.span
        )

    def word(self, span: Span, expansions: Mapping[int, int]) -> Word:
        word = read_word(self.script.text, span, expansions)
        self.words.append(word)
        return word


def read_word(text: str, span: Span, expansions: Mapping[int, int]) -> Word:
    """The word at `span`; `expansions` maps the starts of substitutions to their ends."""
    if _EASY_WORD.fullmatch(text, span.start, span.end):
        run = QuotedStretch(0, span.end - span.start, span.start, span.end, 0)
        return Word(text[span.start : span.end], True, span, (run,))
    return _WordReader(text, span, expansions).word()


class _WordReader:
    """Reads one word; every method moves `at` past what it has read."""

    def __init__(self, text: str, span: Span, expansions: Mapping[int, int]) -> None:
        self.text = text
        self.span = span
        self.at = span.start
        self.end = span.end
        self.expansions = expansions
        self.chunks: list[str] = []
        self.runs: list[QuotedStretch] = []
        self.quoted: list[Span] = []
        self.length = 0
        self.context = 0
        self.literal = True

    def word(self) -> Word:
        """The whole word."""
        while self.at < self.end:
            self.piece()
        text = "".join(self.chunks)
        return Word(text, self.literal, self.span, tuple(self.runs), tuple(self.quoted))

    def piece(self) -> None:
        if found := _PLAIN.match(self.text, self.at, self.end):
            self.take(found[0], *found.span())
            return
        char = self.text[self.at]
        if char == "'":
            self.single_quoted()
        elif char == '"':
            self.double_quoted()
        elif char == "\\":
            self.escape()
        elif char in "$`" or self.at in self.expansions:
            self.expansion(within_quotes=False)
        else:
            self.literal = self.literal and char == "="
            self.take(char, self.at, self.at + 1)

    def take(self, chunk: str, start: int, end: int) -> None:
        """Add `chunk`, whose source is `start:end`, and move past it."""
        if chunk:
            self.chunks.append(chunk)
            self.runs.append(QuotedStretch(self.length, len(chunk), start, end, self.context))
            self.length += len(chunk)
        self.at = end

    def expanded(self, end: int) -> None:
        """Add an expansion that ends at `end`."""
        self.chunks.append(EXPANSION)
        self.length += 1
        self.context += 1
        self.literal = False
        self.at = min(max(end, self.at + 1), self.end)

    def single_quoted(self) -> None:
        start = self.at + 1
        end = self.text.find("'", start, self.end)
        self.content(start, self.end if end < 0 else end)

    def ansi_quoted(self) -> None:
        start = self.at + 2
        found = _ANSI_QUOTED.match(self.text, start, self.end)
        self.content(start, found.end() if found else start)

    def content(self, start: int, end: int) -> None:
        """Add the content of quotes in which nothing is expanded."""
        self.context += 1
        self.take(self.text[start:end], start, end)
        self.context += 1
        self.quoted.append(Span(start, end))
        self.at = min(end + 1, self.end)

    def double_quoted(self) -> None:
        self.at += 1
        start = self.at
        self.context += 1
        while self.at < self.end and self.text[self.at] != '"':
            self.inside_double()
        self.context += 1
        self.quoted.append(Span(start, self.at))
        self.at = min(self.at + 1, self.end)

    def inside_double(self) -> None:
        if found := _PLAIN_IN_DOUBLE.match(self.text, self.at, self.end):
            self.take(found[0], *found.span())
        elif self.text[self.at] == "\\":
            self.escape(among='"\\$`\n')
        else:
            self.expansion(within_quotes=True)

    def escape(self, among: str | None = None) -> None:
        """Add an escaped character; the backslash stays if the character is not one of `among`."""
        start = self.at
        end = min(start + 2, self.end)
        escaped = self.text[start + 1 : end]
        if among is not None and escaped not in among:
            self.take("\\" + escaped, start, end)
        else:
            self.take("" if escaped == "\n" else escaped, start, end)

    def expansion(self, *, within_quotes: bool) -> None:
        """Add what begins with `$`, a backtick, or the bracket of a substitution."""
        opener = self.text[self.at : self.at + 2]
        if self.at in self.expansions:
            self.expanded(self.expansions[self.at])
        elif opener in ("$(", "${", "$["):
            self.expanded(self.behind_bracket(self.at + 1))
        elif opener == "$'" and not within_quotes:
            self.ansi_quoted()
        elif found := _VARIABLE.match(self.text, self.at, self.end):
            self.expanded(found.end())
        else:
            self.take(opener[0], self.at, self.at + 1)

    def behind_bracket(self, at: int) -> int:
        """The position after the bracket that closes the one at `at`; the word's end if none does."""
        depth, opener = 0, self.text[at]
        closer = _CLOSERS[opener]
        while found := _BRACKETS.search(self.text, at, self.end):
            char, at = found[0], found.end()
            if char == "\\":
                at += 1
            elif char in "'\"":
                start, at = at, max(self.text.find(char, at, self.end) + 1, at)
                self.quoted.append(Span(start, max(start, at - 1)))
            elif char in (opener, closer):
                depth += 1 if char == opener else -1
                if not depth:
                    return at
        return self.end


def plain_segments(pipeline: Pipeline) -> Iterator[Segment]:
    """The segments of a pipeline and of the bodies of its compound commands, in order."""
    for segment in pipeline.segments:
        yield segment
        for body in segment.bodies:
            for inner in body.pipelines:
                yield from plain_segments(inner)
