"""Whose status is read: by `$?`, `$pipestatus`/`PIPESTATUS`, and by `return` and `exit` without a number.

A walk over the script carries along which commands may have set the status last (`Flow`); where ways
join, the commands of both are possible. Functions are walked from what all their calls bring along,
loops also from their own end, again and again until nothing is added.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Role,
    Script,
    Segment,
    SegmentKind,
    Substitution,
    SubstitutionKind,
)
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.parser import deep_stack

from .nodes import IN_PARENTHESES, JUMPS, PREFIXES, constant_trap
from .options import changed

STATUS = r"\$\?|\$\{\?[^}\n]*\}"
READS = {
    Dialect.SH: re.compile(STATUS),
    Dialect.BASH: re.compile(
        rf"{STATUS}|\$\{{[#!]?PIPESTATUS\b[^}}\n]*\}}|\$PIPESTATUS\b|\bPIPESTATUS\b(?:\[[^]\n]*\])?"
    ),
    Dialect.ZSH: re.compile(
        rf"{STATUS}|\$\{{status\b[^}}\n]*\}}|\$status\b"
        r"|\$\{(?:\([^)\n]*\))?[#=^~]*pipestatus\b[^}\n]*\}"
        r"|\$[#=^~]?pipestatus\b(?:\[[^]\n]*\])?|\bpipestatus\b(?:\[[^]\n]*\])?"
    ),
}
JUMP = re.compile(r"\b(?:exit|return|logout|bye)\b")
INDEX = re.compile(r"\[(\d+)\]")
OPTION_COMMANDS = frozenset({"set", "setopt", "unsetopt", "emulate", "shopt"})
LEAVING = frozenset({"exit", "return", "logout", "bye"})
LOOPS = frozenset({SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.FOR, SegmentKind.SELECT})
# How many commands are told of one reading, and how often functions and loops are walked again.
MOST_SOURCES = 12
MOST_ROUNDS = 12

NOTHING_YET = Span(-1, -1)
THE_CALLER = Span(-2, -2)
A_TRAP = Span(-3, -3)
UNKNOWN = {
    NOTHING_YET: "no command has run before it",
    THE_CALLER: "it is the status before the function is called, and no call is in the text",
    A_TRAP: "it runs in a trap, after whichever command the trap was set off by",
}


class ReadKind(StrEnum):
    """What reads a status."""

    STATUS = "$?"
    SEGMENTS = "pipestatus"
    JUMP = "jump"


class StatusSource(NamedTuple):
    """A command whose status may be read; `line` counts from 1.

    Of a call it is the call, of a compound command the command in it that ran last, or the compound
    command itself where it ends with 0 because nothing in it ran (`if` without `else`).
    """

    span: Span
    line: int
    command: str


class StatusRead(NamedTuple):
    """A reading of a status at `span`; `line` and `column` count from 1, in characters.

    `sources` are the commands that may have set it, in the order of the text; where they cannot be
    told, `unknown` says why (there may be sources all the same). For `pipestatus`, `pipelines` has
    the segments of each pipeline that it may be of, and `sources` those that are asked for.
    """

    span: Span
    line: int
    column: int
    text: str
    kind: ReadKind
    sources: tuple[StatusSource, ...]
    unknown: str = ""
    pipelines: tuple[tuple[StatusSource, ...], ...] = ()


def status_reads(script: Script) -> tuple[StatusRead, ...]:
    """Whose status each `$?`, `pipestatus` and bare `return` or `exit` of `script` reads.

    In the order of the text. `pipestatus` is that of the script's shell: `$PIPESTATUS` is an
    ordinary variable in zsh, and `$status` in bash. () where the text nests too deeply.
    """
    pattern = READS[script.dialect]
    if not pattern.search(script.text) and not JUMP.search(script.text):
        return ()
    try:
        with deep_stack():
            walk = _Walk(script)
            walk.to_the_end()
    except RecursionError:
        return ()
    return tuple(walk.told())


class Flow(NamedTuple):
    """What is known where a command begins: the commands that may have set the status last.

    `pipelines` are those that `pipestatus` may be of, by their segments; `pipefail` has the values
    that the option may have.
    """

    status: frozenset[Span]
    pipelines: frozenset[tuple[Span, ...]]
    pipefail: frozenset[bool]

    def by(self, span: Span) -> Flow:
        """After a command at `span`, which leaves `pipestatus` alone."""
        return self._replace(status=frozenset({span}))


Way = Flow | None  # None: nothing gets here.
BOTH = frozenset({False, True})
# Where nothing gets, readings are found all the same.
NOWHERE = Flow(frozenset(), frozenset(), BOTH)


def _before(what: Span, pipefail: bool | None = None) -> Flow:
    """Where none of the text's commands has run yet, for one of the reasons in `UNKNOWN`."""
    is_on = BOTH if pipefail is None else frozenset({pipefail})
    return Flow(frozenset({what}), frozenset({(what,)}), is_on)


def _fewer(spans: frozenset[Span]) -> frozenset[Span]:
    return spans if len(spans) <= MOST_SOURCES else frozenset(sorted(spans)[-MOST_SOURCES:])


def _joined(one: Way, other: Way) -> Way:
    if one is None or other is None or one == other:
        return one if other is None else other
    pipelines = one.pipelines | other.pipelines
    if len(pipelines) > MOST_SOURCES:
        pipelines = frozenset(sorted(pipelines)[-MOST_SOURCES:])
    return Flow(_fewer(one.status | other.status), pipelines, one.pipefail | other.pipefail)


class _Reading(NamedTuple):
    """A place in the text that reads: where, and whether the segments of a pipeline."""

    span: Span
    kind: ReadKind


class _Part(NamedTuple):
    """What is expanded in a command, in the order of the text: a reading or nested code."""

    at: int
    reading: _Reading | None
    substitution: Substitution | None


class _Walk:
    """The walk over one script."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.zsh = script.dialect is Dialect.ZSH
        self.bash = script.dialect is Dialect.BASH
        self.lines = LineIndex(script.text)
        self.readings = [
            _Reading(
                Span(*it.span()),
                ReadKind.SEGMENTS if "pipestatus" in it[0].lower() else ReadKind.STATUS,
            )
            for it in READS[script.dialect].finditer(script.text)
        ]
        self.starts = [it.span.start for it in self.readings]
        self.heredocs = {it.redirection: it for it in script.heredocs}
        self.parts: dict[Span, tuple[_Part, ...]] = {}
        self.functions: dict[str, list[Segment]] = {}
        for segment in script.functions:
            for word in segment.words if not segment.command_word else ():
                self.functions.setdefault(script.source(word), []).append(segment)
        self.found: dict[_Reading, Flow] = {}
        self.calls: dict[str, Flow] = {}
        # How each function ended, and each loop's body.
        self.ends: dict[str, Flow] = {}
        self.turns: dict[Span, Flow] = {}
        self.is_changed = False
        # What leaves the subshells, functions and loops around: by `exit`, `return`, `break`.
        self.exits: list[Way] = [None]
        self.returns: list[Way] = [None]
        self.breaks: list[Way] = []

    def to_the_end(self) -> None:
        """Walk until nothing is added."""
        start = _before(NOTHING_YET, self.first_pipefail())
        for _ in range(MOST_ROUNDS):
            self.is_changed = False
            end = self.lists(self.script.pipelines, start)
            for name, bodies in self.functions.items():
                entry = self.calls.get(name)
                if name.startswith("TRAP") and self.zsh:
                    entry = _before(A_TRAP)
                elif entry is None:
                    entry = _before(THE_CALLER)._replace(pipefail=(end or start).pipefail)
                self.function(name, bodies, entry)
            if not self.is_changed:
                return

    def first_pipefail(self) -> bool:
        first = self.script.text.partition("\n")[0]
        flags = [word for word in first.split()[1:] if word[:1] in {"-", "+"}]
        is_line = first.startswith("#!") and bool(flags)
        return is_line and "pipefail" in changed(frozenset(), ["set", *flags], self.script.dialect)

    def told(self) -> Iterator[StatusRead]:
        """What was found, in the order of the text."""
        text = self.script.text
        for reading, flow in sorted(self.found.items()):
            span = reading.span
            line, column = self.lines.position(span.start, "utf-32")
            pipelines = sorted(flow.pipelines) if reading.kind is ReadKind.SEGMENTS else []
            spans = flow.status
            if reading.kind is ReadKind.SEGMENTS:
                index = INDEX.search(text, span.start, span.end)
                asked = [self.segment_asked(it, index) for it in pipelines]
                spans = frozenset(span for each in asked for span in each)
                spans |= {each[0] for each in pipelines if each[0].start < 0}
            unknown = "; ".join(UNKNOWN[it] for it in sorted(spans) if it.start < 0)
            if not flow.status:
                unknown = "nothing gets here"
            yield StatusRead(
                span,
                line + 1,
                column + 1,
                text[span.start : span.end],
                reading.kind,
                tuple(self.source(it) for it in sorted(spans) if it.start >= 0),
                unknown,
                tuple(
                    tuple(self.source(it) for it in each)
                    for each in pipelines
                    if each[0].start >= 0
                ),
            )

    def segment_asked(
        self, pipeline: tuple[Span, ...], index: re.Match[str] | None
    ) -> tuple[Span, ...]:
        """The segments of a pipeline that `[index]` is of; zsh counts from 1, bash from 0."""
        if index is None:
            return pipeline
        at = int(index[1][:4]) - self.zsh
        return pipeline[at : at + 1] if at >= 0 else ()

    def source(self, span: Span) -> StatusSource:
        line = self.lines.line_of(span.start) + 1
        return StatusSource(span, line, self.script.text[span.start : span.end])

    # Lists and pipelines.

    def lists(self, pipelines: Sequence[Pipeline], way: Way) -> Way:
        """What is known after these pipelines."""
        first = 0
        for position, pipeline in enumerate(pipelines):
            if way is None:
                # Nothing gets here; what stands here is walked as if it did.
                self.lists(pipelines[first:], NOWHERE)
                return None
            if pipeline.connector is Connector.NONE or position == len(pipelines) - 1:
                way = self.sublist(pipelines[first : position + 1], way)
                first = position + 1
        return way

    def sublist(self, pipelines: Sequence[Pipeline], flow: Flow) -> Way:
        """What is known after pipelines joined by `&&` and `||`."""
        if pipelines[0].background or pipelines[0].coproc:
            self.forked(pipelines, flow)
            return flow.by(Span(pipelines[0].span.start, pipelines[-1].span.end))
        return self.foreground(pipelines, flow)

    def foreground(self, pipelines: Sequence[Pipeline], flow: Flow) -> Way:
        way = self.pipeline(pipelines[0], flow)
        for pipeline in pipelines[1:]:
            before = way or NOWHERE
            after = self.pipeline(pipeline, before)
            way = None if way is None else _joined(way, after)
        return way

    def forked(self, pipelines: Sequence[Pipeline], flow: Flow) -> Way:
        """What a subshell ends with that runs these pipelines."""
        self.exits.append(None)
        breaks, self.breaks = self.breaks, []
        returns, self.returns = self.returns, [None]
        way: Way = flow
        if pipelines and pipelines[0].background:
            way = self.foreground(pipelines, flow)
        elif pipelines:
            way = self.lists(pipelines, flow)
        way = _joined(way, _joined(self.exits.pop(), self.returns[-1]))
        self.breaks, self.returns = breaks, returns
        return way

    def pipeline(self, pipeline: Pipeline, flow: Flow) -> Way:
        segments = pipeline.segments
        if len(segments) == 1:
            return self.segment(segments[0], flow)
        last_here = self.zsh
        ends: list[Way] = []
        for segment in segments:
            if last_here and segment is segments[-1]:
                ends.append(self.segment(segment, flow))
            else:
                alone = (Pipeline(segment.span, (segment,)),)
                ends.append(self.forked(alone, flow))
        if ends[-1] is None:
            return None
        counted = ends if True in flow.pipefail else ends[-1:]
        status = frozenset[Span]().union(*(it.status for it in counted if it))
        after = ends[-1] if last_here else flow
        return after._replace(
            status=_fewer(status), pipelines=frozenset({tuple(it.span for it in segments)})
        )

    # Commands.

    def segment(self, segment: Segment, flow: Flow) -> Way:
        if segment.kind is SegmentKind.FUNCTION and not segment.command_word:
            return flow.by(segment.span)
        inside = self.expanded(segment, flow)
        if segment.kind is SegmentKind.SIMPLE:
            return self.simple(segment, flow, inside)
        if segment.kind in {SegmentKind.CONDITION, SegmentKind.ARITHMETIC}:
            return self.alone(segment.span, flow, keeps_segments=self.zsh)
        after = self.compound(segment, inside)
        if after is None:
            return None
        own = frozenset({(segment.span,)})
        if segment.kind is SegmentKind.SUBSHELL:
            return after._replace(pipelines=own)
        if self.zsh and after.pipelines != inside.pipelines:
            is_function = segment.kind is SegmentKind.FUNCTION
            kept = after.pipelines if is_function else after.pipelines & inside.pipelines
            return after._replace(pipelines=kept | own)
        return after

    def alone(self, span: Span, flow: Flow, *, keeps_segments: bool = False) -> Flow:
        """What is known after one command."""
        after = flow.by(span)
        return after if keeps_segments else after._replace(pipelines=frozenset({(span,)}))

    def expanded(self, segment: Segment, flow: Flow) -> Flow:
        """What is known after the expansions in a command's own words; they are walked, too.

        zsh and bash set the status by each substitution, dash does not.
        """
        known = self.parts.get(segment.span)
        if known is None:
            known = self.parts[segment.span] = tuple(self.parts_of(segment))
        for part in known:
            if part.reading is not None:
                self.read(part.reading, flow)
            if part.substitution is None:
                continue
            after = self.forked(part.substitution.pipelines, flow)
            waits = part.substitution.kind in {*IN_PARENTHESES, SubstitutionKind.FUNCTION}
            if waits and after is not None and (self.zsh or self.bash):
                flow = flow._replace(status=after.status)
        return flow

    def parts_of(self, segment: Segment) -> Iterator[_Part]:
        """What is expanded in a command's own words and here-documents, in the order of the text."""
        found = [_Part(it.span.start, None, it) for it in segment.substitutions]
        own_end = min(
            (body.pipelines[0].span.start for body in segment.bodies if body.pipelines),
            default=segment.span.end,
        )
        inner = [it.span for it in segment.substitutions]
        found += self.readings_in(Span(segment.span.start, own_end), inner, quotes=True)
        for redirection in segment.redirections:
            heredoc = self.heredocs.get(redirection.span)
            if heredoc is not None and not heredoc.quoted:
                found += [_Part(it.span.start, None, it) for it in heredoc.substitutions]
                inner = [it.span for it in heredoc.substitutions]
                found += self.readings_in(heredoc.body, inner, quotes=False)
        yield from sorted(found, key=lambda it: it.at)

    def readings_in(self, span: Span, inner: Iterable[Span], *, quotes: bool) -> Iterator[_Part]:
        """The readings between `span`'s ends that are no text: not quoted, not in nested code."""
        first = bisect.bisect_left(self.starts, span.start)
        last = bisect.bisect_left(self.starts, span.end)
        if first == last:
            return
        skipped = {it.start: it.end for it in inner}
        code = set(_unquoted(self.script.text, span, skipped, quotes=quotes))
        for reading in self.readings[first:last]:
            if reading.span.start in code and self.is_reading(reading, span):
                yield _Part(reading.span.start, reading, None)

    def is_reading(self, reading: _Reading, around: Span) -> bool:
        """Whether a bare `pipestatus` is read: only where numbers are, not `pipestatus=…`."""
        text = self.script.text
        if text.startswith("$", reading.span.start):
            return True
        return text.startswith("((", around.start)

    def read(self, reading: _Reading, flow: Flow) -> None:
        known = self.found.get(reading)
        after = _joined(known, flow)
        if after is not None and after != known:
            self.found[reading] = after
            self.is_changed = True

    def simple(self, segment: Segment, before: Flow, flow: Flow) -> Way:
        """A simple command: `before` its expansions, and after them."""
        source = self.script.source
        if not segment.words:
            return self.alone(
                segment.span, before, keeps_segments=self.zsh and bool(segment.assignments)
            )
        words = tuple(source(word) for word in segment.words)
        at = 0
        while words[at] in PREFIXES and at + 1 < len(words) and not words[at + 1].startswith("-"):
            at += 1
        span = Span(segment.words[0].start, segment.span.end)
        word, words = words[at], words[at:]
        if word in JUMPS:
            self.jump(segment, span, words, flow)
            if word == "return" and self.bash and len(self.returns) == 1:
                return self.alone(span, before)
            return None
        after = self.alone(span, before)
        if word in OPTION_COMMANDS:
            return after._replace(pipefail=self.after_options(words, before.pipefail))
        if word == "trap" and len(segment.words) > at + 2:
            self.trap(segment.words[at + 1])
        if word in self.functions and at == 0:
            self.call(word, before._replace(status=flow.status))
            end = self.ends.get(word)
            if end is not None:
                # zsh forgets no pipeline where a function ends with one.
                left = frozenset(it for it in end.pipelines if self.zsh and len(it) > 1)
                return Flow(after.status, after.pipelines | left, end.pipefail)
        return after

    def after_options(self, words: Sequence[str], before: frozenset[bool]) -> frozenset[bool]:
        """The values that pipefail may have after a command that changes options."""
        return frozenset(
            "pipefail"
            in changed(frozenset({"pipefail"} if is_on else ()), words, self.script.dialect)
            for is_on in before
        )

    def jump(self, segment: Segment, span: Span, words: Sequence[str], flow: Flow) -> None:
        """`exit` and the like: without a number it reads the status, and the end has that."""
        word = words[0]
        if word not in LEAVING:
            if self.breaks:
                self.breaks[-1] = _joined(self.breaks[-1], self.alone(span, flow))
            return
        end = self.alone(span, flow)
        if len(words) == 1:
            self.read(_Reading(span, ReadKind.JUMP), flow)
            end = flow
        if word == "return" and len(self.returns) > 1:
            self.returns[-1] = _joined(self.returns[-1], end)
        else:
            self.exits[-1] = _joined(self.exits[-1], end)

    def call(self, name: str, flow: Flow) -> None:
        known = self.calls.get(name)
        after = _joined(known, flow)
        if after is not None and after != known:
            self.calls[name] = after
            self.is_changed = True

    def function(self, name: str, bodies: Sequence[Segment], entry: Flow) -> None:
        """Walk the bodies of a function, and remember how it ends."""
        way: Way = None
        for segment in bodies:
            way = _joined(way, self.in_function(segment, entry))
        end = _joined(self.ends.get(name), way)
        if end is not None and end != self.ends.get(name):
            self.ends[name] = end
            self.is_changed = True

    def in_function(self, segment: Segment, entry: Flow) -> Way:
        """What is known after the body of a function."""
        breaks, self.breaks = self.breaks, []
        self.returns.append(None)
        way: Way = entry
        for body in segment.bodies:
            way = self.lists(body.pipelines, way)
        way = _joined(way, self.returns.pop())
        self.breaks = breaks
        return way

    def trap(self, word: Span) -> None:
        """The readings in the text of a trap, which is a constant in single quotes."""
        inner = constant_trap(self.script.source(word))
        if inner is None or not self.script.source(word).startswith("'"):
            return
        script = parse(inner, self.script.dialect)
        if script.problems:
            return
        shift = word.start + 1
        walk = _Walk(script)
        walk.lists(script.pipelines, _before(A_TRAP))
        for reading, found in walk.found.items():
            moved = _Reading(reading.span.shifted(shift), reading.kind)
            self.read(moved, _shifted(found, shift))

    def compound(self, segment: Segment, flow: Flow) -> Way:
        """What is known after a compound command."""
        bodies = segment.bodies
        kind = segment.kind
        if kind is SegmentKind.FUNCTION:
            return self.in_function(segment, flow)
        if kind is SegmentKind.SUBSHELL and bodies:
            after = self.forked(bodies[0].pipelines, flow)
            return None if after is None else flow._replace(status=after.status)
        if kind is SegmentKind.TRY and len(bodies) == 2:
            before = self.lists(bodies[0].pipelines, flow)
            after = self.lists(bodies[1].pipelines, before or NOWHERE)
            return None if before is None or after is None else before
        if kind is SegmentKind.IF:
            return self.if_(segment, flow)
        if kind is SegmentKind.CASE:
            way: Way = flow.by(segment.span)
            for body in bodies:
                way = _joined(way, self.lists(body.pipelines, flow))
            return way
        if kind in LOOPS or kind is SegmentKind.REPEAT:
            return self.loop(segment, flow)
        way = flow
        for body in bodies:
            way = self.lists(body.pipelines, way)
        return way

    def if_(self, segment: Segment, flow: Flow) -> Way:
        after: Way = None
        condition: Way = flow
        is_open = False
        for body in segment.bodies:
            start = condition or NOWHERE
            if body.role is Role.CONDITION:
                condition = self.lists(body.pipelines, start)
                is_open = True
            else:
                after = _joined(after, self.lists(body.pipelines, start))
                if not is_open:
                    return after
                is_open = False
        return None if condition is None else _joined(after, condition.by(segment.span))

    def loop(self, segment: Segment, flow: Flow) -> Way:
        """A loop: it may not run at all, and a later turn begins where one ended."""
        start = _joined(flow, self.turns.get(segment.span)) or flow
        self.breaks.append(None)
        condition: Way = start
        bodies = list(segment.bodies)
        if segment.kind in {SegmentKind.WHILE, SegmentKind.UNTIL} and len(bodies) > 1:
            condition = self.lists(bodies.pop(0).pipelines, start)
        end: Way = condition
        for body in bodies:
            end = self.lists(body.pipelines, end)
        left = self.breaks.pop()
        turn = _joined(self.turns.get(segment.span), _joined(end, left))
        if turn is not None and turn != self.turns.get(segment.span):
            self.turns[segment.span] = turn
            self.is_changed = True
        if condition is None:
            return left
        never = condition.by(segment.span)
        return _joined(_joined(never, end), left)


def _shifted(flow: Flow, by: int) -> Flow:
    """What is known in a text that begins `by` characters earlier."""
    return flow._replace(
        status=frozenset(it.shifted(by) if it.start >= 0 else it for it in flow.status),
        pipelines=frozenset(
            tuple(it.shifted(by) if it.start >= 0 else it for it in each) for each in flow.pipelines
        ),
    )


def _unquoted(text: str, span: Span, skipped: dict[int, int], *, quotes: bool) -> Iterator[int]:
    """The offsets in `span` of what begins an expansion: outside single quotes and `skipped`."""
    at, end = span
    is_double = False
    while at < end:
        if at in skipped:
            at = max(skipped[at], at + 1)
            continue
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if quotes and char == '"':
            is_double = not is_double
        elif quotes and char == "'" and not is_double:
            close = text.find("'", at + 1, end)
            if text.startswith("$", at - 1):
                while close > 0 and text[close - 1] == "\\":
                    close = text.find("'", close + 1, end)
            at = end if close < 0 else close + 1
            continue
        else:
            yield at
        at += 1
