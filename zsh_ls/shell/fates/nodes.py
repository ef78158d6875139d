"""A parsed script as the commands that a failure passes through on its way up.

A node is what runs as one: a command, a list, a pipeline, a compound command. Nodes know nothing of
states; `interpreter` says what running them does. `low` and `high` bound the places (commands that have
a fate, numbered in the order they are met) inside a node, `calls` names what it may call.

The text of a script falls into units: the script itself, each function, the commands of each trap. A
unit has a number that no other one ever has, and what is said of its commands and offsets is said by that
number (`place_in`, `offset_in`), so that its nodes hold wherever its text stands: `Known` keeps units from
one version of a script to the next.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from zsh_ls.lazy import re
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Heredoc,
    Pipeline,
    Role,
    Script,
    Segment,
    SegmentKind,
    Substitution,
    SubstitutionKind,
)
from zsh_ls.shell.syntax.parser import parse

JUMPS = frozenset({"exit", "return", "break", "continue", "logout", "bye"})
PREFIXES = frozenset({"command", "builtin", "noglob", "-"})
DECLARES = frozenset(
    {"export", "local", "typeset", "declare", "readonly", "integer", "float", "private"}
)
TESTS = frozenset({SegmentKind.CONDITION, SegmentKind.ARITHMETIC})
# Commands that look at statuses among their words, or run these.
LOOKS = frozenset({"[", "test", "let", "wait", "trap", *JUMPS})
PRINTS = frozenset({"echo", "print", "printf"})
PLAIN_KINDS = frozenset({"external", "builtin"})
NO_WORK = frozenset({"true", ":", "false"})
SOURCE = frozenset({"source", "."})
SOURCES = re.compile(r"(?:\bsource|(?<!\S)\.)[ \t]")
# One script takes in so many files at most.
MOST_SOURCED = 20
READS_STATUS = re.compile(r"\$\??\{?#?(?:\?|pipestatus|PIPESTATUS|status\b)")
NO_CALLS: frozenset[str] = frozenset()
WORD = re.compile(r"[^\W\d]\w*")
# A value that may be the number that a variable holds.
IS_NUMBER = re.compile(r"[\"']?(?:\$\(\(|\$\{?\w+(?:\[[^]]*\])?(?::[-=][^}]*)?\}?[\"']?$)")
NAME = re.compile(r"[^\s;&|()<>\"'`$={}]+")
# `: "${name:?}"` ends the shell where the variable is not set, `: "$name"` with nounset.
UNSET_ENDS = re.compile(r"\$\{\w+:?\?")
UNSET_LOOK = re.compile(r"\$\{\w+:?\?|\$[A-Za-z_]|\$\{[A-Za-z_]\w*\}")
IN_PARENTHESES = frozenset({SubstitutionKind.COMMAND, SubstitutionKind.BACKQUOTE})
WAITS_FOR_ANY = re.compile(r"\bwait[ \t]+-n\b")
REDIRECTS_ITSELF = re.compile(r"\bexec[ \t]+(?:\{?\w+\}?)?[<>&]")
SEVERAL_WORDS = re.compile(r"\sin\s([^;\n]*)")
SEVERAL_TIMES = re.compile(r"repeat\s+(?:[2-9]|[1-9]\d+)\b")
FALLS = re.compile(r"\s*;&")
CONSTANT_WORD = re.compile(r"(?<!\S)[\w./-]+(?!\S)")
TRAP_FUNCTIONS = {"TRAPEXIT": "EXIT", "TRAPZERR": "ERR", "TRAPERR": "ERR"}


# What ran is a sum of numbers, one for each command: different ones have different sums.
MASK = (1 << 61) - 1


def trace_of(place: int) -> int:
    """The number of a command in the sum of what ran."""
    return pow(place + 3, 17, MASK)


# A place is the number of its unit and a position in that; so is an offset.
PLACE_BITS = 24
POSITION = (1 << PLACE_BITS) - 1
OFFSET_BITS = 32
OFFSET = (1 << OFFSET_BITS) - 1


class Node:
    """Something that runs as one."""

    __slots__ = ("calls", "high", "low", "offset")
    low: int
    high: int
    offset: int
    calls: frozenset[str]


class CommandNode(Node):
    """A command without its substitutions: `word` and all `words` as written, `place` or -1.

    `trap` is the number of the unit of commands that a `trap` is given, -1 if it is no constant. `callee`
    is the name of the function or of the sourced file that it runs, "" where it runs none that is known.
    """

    __slots__ = ("callee", "kind", "place", "trap", "word", "words")

    def __init__(self, kind: str, word: str, words: tuple[str, ...], place: int) -> None:
        self.kind = kind
        self.word = word
        self.words = words
        self.place = place
        self.trap = -1
        self.callee = word if kind == "call" else ""


class Unit(Node):
    """A text whose nodes hold wherever it stands: a script, a function, the commands of a trap.

    `spans` are the ranges of its commands, counted from its start; `following` the offset of what runs
    next, for each command that another one follows in a `Plain`; `inner` the units inside, with their
    starts. `words` are the names that stand in it, `seen` those of them that are functions, `statuses`
    those that hold a status. `changes_traps`: it sets a trap, or replaces the shell. `numbers` are its own
    and those of the units inside. `summaries` is what `AbstractInterpreter` found out about it.
    """

    __slots__ = (
        "body",
        "changes_traps",
        "following",
        "inner",
        "is_told",
        "names",
        "number",
        "numbers",
        "seen",
        "spans",
        "statuses",
        "summaries",
        "words",
    )

    next_number = itertools.count()

    def __init__(self, names: tuple[str, ...] = (), *, is_told: bool = True) -> None:
        self.number = next(self.next_number)
        self.numbers = frozenset({self.number})
        self.names = names
        self.is_told = is_told
        self.changes_traps = False
        self.spans: list[Span] = []
        self.following: dict[int, int] = {}
        self.inner: list[tuple[Unit, int]] = []
        self.words: frozenset[str] = frozenset()
        self.seen: frozenset[str] = frozenset()
        self.statuses: frozenset[str] = frozenset()
        self.summaries: dict[object, Any] = {}
        self.body: Node
        self.calls = NO_CALLS
        self.low = self.high = 0
        self.offset = self.offset_in(0)

    def offset_in(self, offset: int) -> int:
        """An offset that is counted from the unit's start, with the unit's number."""
        return self.number << OFFSET_BITS | offset

    def finish(self, body: Node) -> None:
        """All its nodes are made."""
        self.body, self.calls, self.high, self.offset = (
            body,
            body.calls,
            len(self.spans),
            body.offset,
        )
        self.numbers = self.numbers.union(*(inner.numbers for inner, _ in self.inner))


class Expanded(Node):
    """A command after the substitutions in its words, one after the other."""

    __slots__ = ("command", "parts")

    def __init__(self, parts: tuple[Node, ...], command: CommandNode) -> None:
        self.parts = parts
        self.command = command


class ListNode(Node):
    """Lists one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Node, ...]) -> None:
        self.items = items


class Plain(ListNode):
    """Commands one after the other that change nothing but the status, and run nothing else.

    `trace` and `external` are what `AbstractInterpreter` sums up of their usual run.
    """

    __slots__ = ("external", "places", "trace")
    items: tuple[CommandNode, ...]

    def __init__(self, items: tuple[CommandNode, ...]) -> None:
        super().__init__(items)
        self.places = [it.place for it in items]
        self.trace = sum(trace_of(place) for place in self.places) & MASK
        self.external = sum(it.kind == "external" for it in items)


class Group(ListNode):
    """`{ … }`."""

    __slots__ = ()


class AndOr(Node):
    """Pipelines joined by `&&` and `||`; `ands[i]` joins the one at i to the next."""

    __slots__ = ("ands", "parts")

    def __init__(self, parts: tuple[Node, ...], ands: tuple[bool, ...]) -> None:
        self.parts = parts
        self.ands = ands


class Job(Node):
    """A list that runs in the background."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Negated(Node):
    """`! pipeline`."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Pipe(Node):
    """Two or more segments."""

    __slots__ = ("segments",)

    def __init__(self, segments: tuple[Node, ...]) -> None:
        self.segments = segments


class Subshell(Node):
    """`( … )`, or a substitution where `substitutes` is set."""

    __slots__ = ("body", "substitutes")

    def __init__(self, body: Node, substitutes: bool = False) -> None:
        self.body = body
        self.substitutes = substitutes


class If(Node):
    """`if`, with its conditions, their bodies, and the last one or None."""

    __slots__ = ("bodies", "conditions", "otherwise")

    def __init__(
        self, conditions: tuple[Node, ...], bodies: tuple[Node, ...], otherwise: Node | None
    ) -> None:
        self.conditions = conditions
        self.bodies = bodies
        self.otherwise = otherwise


class Loop(Node):
    """A loop, with a condition where it is `while` or `until`; `is_repeated`: for several words.

    `is_menu`: a `select`, which ends with its input.
    """

    __slots__ = ("body", "condition", "is_menu", "is_repeated", "until")

    def __init__(
        self,
        condition: Node | None,
        body: Node,
        until: bool,
        is_repeated: bool = False,
        is_menu: bool = False,
    ) -> None:
        self.condition = condition
        self.body = body
        self.until = until
        self.is_repeated = is_repeated
        self.is_menu = is_menu


class Case(Node):
    """`case`; any arm may be taken."""

    __slots__ = ("arms",)

    def __init__(self, arms: tuple[Node, ...]) -> None:
        self.arms = arms


class Try(Node):
    """zsh's `{ … } always { … }`; `ends_shell`: it stands last in a subshell or a substitution."""

    __slots__ = ("always", "body", "ends_shell")

    def __init__(self, body: Node, always: Node) -> None:
        self.body = body
        self.always = always
        self.ends_shell = False


class Anonymous(Node):
    """zsh's `() { … }`, a function that runs at once."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Define(Node):
    """The definition of a function, whose text is a unit."""

    __slots__ = ("names", "unit")

    def __init__(self, names: tuple[str, ...], unit: Unit) -> None:
        self.names = names
        self.unit = unit


# The script that is read where a script sources the file that a word names; None if it is not known.
Sources = Callable[[str], Script | None]


class Known:
    """Functions of scripts that were looked at lately, by their texts, with what was found out about them.

    After an edit of a script only the functions that were touched are taken apart and run anew. The
    texts that are kept have at most `most` characters together; those not used for longest go first.
    Several threads may use it: what one of them lets go, another one makes anew.
    """

    def __init__(self, most: int = 400_000) -> None:
        self.most = most
        self.length = 0
        self.units: OrderedDict[tuple[object, ...], list[Unit]] = OrderedDict()

    def of(self, key: tuple[object, ...], fits: Callable[[Unit], bool]) -> Unit | None:
        """A unit of this key that fits."""
        found = tuple(self.units.get(key, ()))
        if found:
            with suppress(KeyError):
                self.units.move_to_end(key)
        return next(filter(fits, found), None)

    def keep(self, key: tuple[object, ...], length: int, unit: Unit) -> None:
        """Keep a unit of so many characters."""
        if length > self.most // 4:
            return
        kept = self.units.setdefault(key, [])
        # As many as stand beside each other in one script, or fit different ones.
        if len(kept) >= MOST_ALIKE:
            kept.pop(0)
        else:
            self.length += length
        kept.append(unit)
        while self.length > self.most and len(self.units) > 1:
            with suppress(KeyError):
                gone, units = self.units.popitem(last=False)
                self.length -= len(units) * len(str(gone[0]))


MOST_ALIKE = 8


class ScriptNodes:
    """A script's nodes: `main` is the unit of its own text, `functions` has the others that have names.

    `units` has all units by their numbers, `starts` where each of them begins in the text. Those of
    sourced files are `foreign`: their offsets are all that of the command that sources the file.
    """

    def __init__(
        self, script: Script, known: Known | None = None, sources: Sources | None = None
    ) -> None:
        self.dialect = script.dialect
        self.known = Known() if known is None else known
        self.functions: dict[str, Unit] = {}
        self.units: dict[int, Unit] = {}
        self.starts: dict[int, int] = {}
        self.foreign: set[int] = set()
        self.sourced = dict(sourced_files(script, sources)) if sources else {}
        every = (script, *(it for it in self.sourced.values() if it is not None))
        self.names = frozenset(
            it.source(word)
            for it in every
            for segment in it.functions
            if not segment.command_word
            for word in segment.words
        )
        self.status_names = frozenset[str]().union(*map(_status_names, every))
        self.reads_pipestatus = any("pipestatus" in it.text.lower() for it in every)
        self.waits = any("$!" in it.text or "wait" in it.text for it in every)
        # bash's `wait -n` also has the exit of a job that ended before a bare `wait` did.
        self.waits_for_any = (
            self.dialect is Dialect.BASH
            and any(WAITS_FOR_ANY.search(it.text) for it in every)
            and sum(pipeline.background == "&" for it in every for pipeline in it.every_pipeline())
            > 1
        )
        # `exec 3<file`, which in zsh reads the status of the last substitution.
        self.redirects_itself = self.dialect is Dialect.ZSH and any(
            REDIRECTS_ITSELF.search(it.text) for it in every
        )
        # Functions whose here-documents end behind them have a part that is not in their text.
        self.heredocs = [it for it in script.heredocs if it.substitutions]
        self.script = script
        self.used: set[int] = set()
        self.commands = 0
        self.main = Unit()
        for word, sourced in self.sourced.items():
            if sourced is not None:
                file = Unit((f"source {word}",))
                file.finish(_Builder(self, sourced, file, 0).lists(sourced.pipelines))
                self.foreign |= file.numbers
                self.add(file, 0)
        self.starts |= dict.fromkeys(self.foreign, _first_source(script) if self.foreign else 0)
        self.main.finish(_Builder(self, script, self.main, 0).lists(script.pipelines))
        self.add(self.main, 0)

    def add(self, unit: Unit, start: int) -> None:
        """A unit whose text begins at `start`, and the units inside it."""
        self.units[unit.number] = unit
        self.starts[unit.number] = start
        self.commands += len(unit.spans)
        for name in unit.names:
            if name in self.functions:
                # The last definition is the one that calls are taken to mean; the commands of the
                # others have fates all the same.
                self.functions[f"{name} {len(self.functions)}"] = self.functions[name]
            self.functions[name] = unit
        for inner, offset in unit.inner:
            self.add(inner, start + offset)

    def offset(self, offset: int) -> int:
        """Where an offset of a unit is in the text of the script."""
        number = offset >> OFFSET_BITS
        if number in self.foreign:
            return self.starts[number]
        return self.starts[number] + (offset & OFFSET)

    def span(self, place: int) -> Span:
        """The range of a command in the text of the script."""
        number = place >> PLACE_BITS
        start = self.starts[number]
        span = self.units[number].spans[place & POSITION]
        return Span(span.start + start, span.end + start)

    def places(self) -> Iterator[int]:
        """All commands that have a fate."""
        for number, unit in self.units.items():
            if number in self.foreign:
                continue
            for position in range(len(unit.spans)):
                yield number << PLACE_BITS | position

    def function(self, script: Script, segment: Segment, names: tuple[str, ...]) -> Unit:
        """The unit of a function, which may be known from another version of the script."""
        start, end = segment.span
        text = script.source(segment.span)
        # What is in the text of a trap, has a here-document that ends behind it, or takes in a file, is
        # made anew.
        is_known = (
            script is self.script
            and not any(start <= it.redirection.start < end < it.span.end for it in self.heredocs)
            and not (self.sourced and SOURCES.search(text))
        )
        reads = self.reads_pipestatus, self.redirects_itself
        key = (text, self.dialect, names, bool(script.problems), reads)

        def fits(unit: Unit) -> bool:
            return (
                self.used.isdisjoint(unit.numbers)
                and unit.words & self.names == unit.seen
                and unit.words & self.status_names == unit.statuses
            )

        unit = self.known.of(key, fits) if is_known else None
        if unit is None:
            unit = Unit(names)
            unit.words = frozenset(NAME.findall(text)) | frozenset(WORD.findall(text))
            unit.seen = unit.words & self.names
            unit.statuses = unit.words & self.status_names
            body = segment.bodies[0].pipelines if segment.bodies else ()
            unit.finish(_Builder(self, script, unit, start).lists(body))
            if is_known:
                self.known.keep(key, len(text), unit)
        self.used |= unit.numbers
        return unit


def sourced_files(script: Script, sources: Sources) -> Iterator[tuple[str, Script | None]]:
    """The files that a script sources, and those that these do, by the words that name them."""
    met: dict[str, Script | None] = {}
    waiting = [script]
    while waiting and len(met) < MOST_SOURCED:
        one = waiting.pop()
        if not SOURCES.search(one.text):
            continue
        for pipeline in one.every_pipeline():
            for segment in pipeline.segments:
                if segment.command_word not in SOURCE or len(segment.words) < 2:
                    continue
                word = one.source(segment.words[1])
                if word in met:
                    continue
                found = met[word] = sources(word)
                yield word, found
                if found is not None:
                    waiting.append(found)


def _first_source(script: Script) -> int:
    """The offset of the first command that sources a file."""
    return min(
        (
            segment.span.start
            for pipeline in script.every_pipeline()
            for segment in pipeline.segments
            if segment.command_word in SOURCE
        ),
        default=0,
    )


def _status_names(script: Script) -> frozenset[str]:
    """Variables that hold a status which something looks at.

    They are assigned from `$?` or `$!`, after `||`, or from one of these; and a test, a jump or `wait` has
    them among its words, or a variable that has.
    """
    text = script.text
    if "$?" not in text and "$!" not in text and "||" not in text and "status" not in text.lower():
        return frozenset()
    assigned: list[tuple[str, str]] = []
    found: set[str] = set()
    waiting = [script.pipelines]
    while waiting:
        after_or = False
        for pipeline in waiting.pop():
            for segment in pipeline.segments:
                values = [(it.name, script.source(it.value)) for it in segment.assignments]
                if segment.command_word in DECLARES:
                    values += [_declared(script.source(word)) for word in segment.words[1:]]
                elif after_or and not segment.words:
                    found.update(name for name, value in values if value)
                assigned += values
                waiting += [body.pipelines for body in segment.bodies]
                waiting += [each.pipelines for each in segment.substitutions]
            after_or = pipeline.connector is Connector.OR
    used = [
        (name, value, set(re.findall(r"\$\{?(\w+)", value)) if IS_NUMBER.match(value) else set())
        for name, value in assigned
    ]
    looked_at = _looked_at(script)
    before = -1
    while before != len(found) + len(looked_at):
        before = len(found) + len(looked_at)
        for name, value, mentioned in used:
            if READS_STATUS.search(value) or "$!" in value or mentioned & found:
                found.add(name)
            if name in looked_at:
                looked_at |= mentioned
    return frozenset(found & looked_at)


def _looked_at(script: Script) -> set[str]:
    """The names in the words of what looks at values: tests, jumps, `wait`, traps."""
    found: set[str] = set()
    for pipeline in script.every_pipeline():
        for segment in pipeline.segments:
            if segment.kind in TESTS:
                found.update(WORD.findall(script.source(segment.span)))
            elif any(script.source(it) in LOOKS for it in segment.words[:2]):
                found.update(*(WORD.findall(script.source(word)) for word in segment.words))
    return found


def _declared(written: str) -> tuple[str, str]:
    name, _, value = written.partition("=")
    return name, value


def constant_trap(written: str) -> str | None:
    """The commands in the word that a trap is given, without its quotes; None if it is no constant."""
    quote = written[:1] if written[:1] in {"'", '"'} else ""
    if quote and (len(written) < 2 or written[-1] != quote):
        return None
    inner = written[1:-1] if quote else written
    if inner in {"", "-"} or (quote != "'" and re.search(r"[$`\\]", inner)) or "'" in inner:
        return None
    return inner


class _Builder:
    """Makes the nodes of one unit, which begins at `start` in the text of `script`."""

    def __init__(self, program: ScriptNodes, script: Script, unit: Unit, start: int) -> None:
        self.program = program
        self.script = script
        self.unit = unit
        self.start = start
        self.first = unit.offset_in(0) - start
        self.heredocs: dict[Span, Heredoc] = {it.redirection: it for it in script.heredocs}

    def finished(self, node: Node, low: int, offset: int, inside: Iterable[Node]) -> Node:
        """A node whose commands begin with the position `low`, and whose text at `offset`."""
        node.low = low
        node.high = len(self.unit.spans)
        node.offset = self.first + offset
        calls = {name for it in inside for name in it.calls}
        node.calls = frozenset(calls) if calls else NO_CALLS
        return node

    def lists(self, pipelines: Sequence[Pipeline]) -> Node:
        low = len(self.unit.spans)
        items: list[Node] = []
        start = 0
        for position, pipeline in enumerate(pipelines):
            if pipeline.connector is Connector.NONE or position == len(pipelines) - 1:
                items.append(self.and_or(pipelines[start : position + 1]))
                start = position + 1
        if len(items) > 1:
            items = list(self.joined(items))
        if len(items) == 1 and self.script.dialect is not Dialect.ZSH:
            # zsh begins and ends each item of a list in a way of its own.
            return items[0]
        offset = pipelines[0].span.start if pipelines else 0
        return self.finished(ListNode(tuple(items)), low, offset, items)

    def joined(self, items: Iterable[Node]) -> Iterator[Node]:
        """The items of a list, plain commands that follow each other as one."""
        plain: list[CommandNode] = []
        for item in items:
            if isinstance(item, CommandNode) and item.kind in PLAIN_KINDS and item.place >= 0:
                plain.append(item)
                continue
            yield from self.as_one(plain)
            plain = []
            yield item
        yield from self.as_one(plain)

    def as_one(self, plain: list[CommandNode]) -> Iterator[Node]:
        """Plain commands as one node, where there are several."""
        if len(plain) < 2:
            yield from plain
            return
        node = Plain(tuple(plain))
        node.low, node.offset, node.calls = plain[0].low, plain[0].offset, frozenset()
        node.high = plain[-1].high
        for command, following in itertools.pairwise(plain):
            self.unit.following[command.place] = following.offset
        yield node

    def and_or(self, pipelines: Sequence[Pipeline]) -> Node:
        if len(pipelines) == 1 and not (pipelines[0].background or pipelines[0].coproc):
            return self.pipeline(pipelines[0])
        low = len(self.unit.spans)
        parts = [self.pipeline(it) for it in pipelines]
        offset = pipelines[0].span.start
        node = parts[0]
        if len(parts) > 1:
            ands = tuple(it.connector is Connector.AND for it in pipelines[:-1])
            node = self.finished(AndOr(tuple(parts), ands), low, offset, parts)
        if pipelines[0].background or pipelines[0].coproc:
            node = self.finished(Job(node), low, offset, [node])
        return node

    def pipeline(self, pipeline: Pipeline) -> Node:
        if len(pipeline.segments) == 1 and not pipeline.negated:
            return self.segment(pipeline.segments[0])
        low = len(self.unit.spans)
        segments = [self.segment(it) for it in pipeline.segments]
        offset = pipeline.span.start
        node = segments[0]
        if len(segments) > 1:
            node = self.finished(Pipe(tuple(segments)), low, offset, segments)
        if pipeline.negated:
            node = self.finished(Negated(node), low, offset, [node])
        return node

    def place(self, start: int, end: int) -> int:
        """The place of a command that has a fate; -1 in a text whose offsets are not known."""
        unit = self.unit
        if not unit.is_told:
            return -1
        unit.spans.append(Span(start - self.start, end - self.start))
        return unit.number << PLACE_BITS | len(unit.spans) - 1

    def segment(self, segment: Segment) -> Node:
        low = len(self.unit.spans)
        kind = segment.kind
        parts = [self.substituted(it) for it in segment.substitutions]
        for redirection in segment.redirections:
            heredoc = self.heredocs.get(redirection.span)
            if heredoc:
                parts += [self.substituted(it) for it in heredoc.substitutions]
        offset = segment.span.start
        if kind is SegmentKind.SIMPLE:
            command = self.simple(segment)
        elif kind in {SegmentKind.CONDITION, SegmentKind.ARITHMETIC}:
            text = self.script.source(segment.span)
            place = self.place(*segment.span)
            command = self.command("test", segment.command_word, (text,), place, segment)
        else:
            node = self.compound(segment, low)
            if not parts:
                return node
            # The words of a loop or a `case` come first, and their exits are lost.
            return self.finished(ListNode((*parts, node)), low, offset, [*parts, node])
        if not parts:
            return command
        return self.finished(Expanded(tuple(parts), command), low, offset, [*parts, command])

    def substituted(self, substitution: Substitution) -> Node:
        low = len(self.unit.spans)
        body = self.lists(substitution.pipelines)
        waited = (
            substitution.kind in IN_PARENTHESES or substitution.kind is SubstitutionKind.FUNCTION
        )
        node: Node = Subshell(body, True) if waited else Job(body)
        _mark_last(body)
        return self.finished(node, low, substitution.span.start, [body])

    def command(
        self, kind: str, word: str, words: tuple[str, ...], place: int, segment: Segment
    ) -> CommandNode:
        node = CommandNode(kind, word, words, place)
        node.high = len(self.unit.spans)
        node.low = node.high - (place >= 0)
        start = segment.words[0].start if segment.words else segment.span.start
        node.offset = self.first + start
        node.calls = frozenset({word}) if kind == "call" else NO_CALLS
        return node

    def simple(self, segment: Segment) -> CommandNode:
        source = self.script.source
        if not segment.words:
            values = tuple(f"{it.name}={source(it.value)}" for it in segment.assignments)
            last = segment.substitutions[-1] if segment.substitutions else None
            has_code = bool(segment.assignments and last and last.pipelines)
            place = self.place(*segment.span) if has_code else -1
            kind = "assign with code" if has_code else "assign"
            return self.command(kind, "", values, place, segment)
        words = tuple(source(word) for word in segment.words)
        at = 0
        while words[at] in PREFIXES and at + 1 < len(words) and not words[at + 1].startswith("-"):
            at += 1
        word, words = words[at], words[at:]
        if word in JUMPS:
            return self.command("jump", word, words, -1, segment)
        place = self.place(segment.words[0].start, segment.span.end)
        if word in self.program.names and at == 0:
            return self.command("call", word, words, place, segment)
        node = self.command(self.kind_of(word, words), word, words, place, segment)
        if node.kind in {"trap", "exec"}:
            self.unit.changes_traps = True
        if word == "trap" and len(words) > 2:
            self.trap(node, segment.words[1])
        elif word in SOURCE and len(words) > 1:
            sourced = self.program.sourced.get(words[1])
            node.callee = "" if sourced is None else f"source {words[1]}"
            if node.callee and self.script is self.program.script:
                file = self.program.functions[node.callee]
                self.program.starts |= dict.fromkeys(file.numbers, segment.span.start)
            node.calls = frozenset({node.callee}) if node.callee else NO_CALLS
        return node

    def kind_of(self, word: str, words: tuple[str, ...]) -> str:
        if word in {"[", "test"}:
            return "test"
        if word == ":" and (found := [it for it in words if UNSET_LOOK.search(it)]):
            return "look" if any(UNSET_ENDS.search(it) for it in found) else "look under nounset"
        if word == "exec" and len(words) == 1 and self.script.dialect is Dialect.SH:
            return "opens"
        if word in NO_WORK:
            return "nothing"
        if word in DECLARES:
            return "declare"
        if word in SOURCE and len(words) > 1:
            return "source"
        if word == "eval" and re.search(r"[$`]", " ".join(words)):
            return "eval"
        if word in {"set", "setopt", "unsetopt", "emulate", "shopt", "trap", "wait"}:
            return word
        if word == "exec" and len(words) == 1:
            return "redirects" if self.script.dialect is Dialect.ZSH else "builtin"
        if word == "exec":
            return "exec"
        return "builtin" if word in PRINTS else "external"

    def trap(self, node: CommandNode, word: Span) -> None:
        """The commands of a trap whose text is a constant."""
        written = self.script.source(word)
        inner = constant_trap(written)
        if inner is None:
            return
        script = parse(inner, self.script.dialect)
        if script.problems:
            return
        # In double quotes, characters may stand for others.
        unit = Unit(is_told=written.startswith("'") and self.unit.is_told)
        unit.finish(_Builder(self.program, script, unit, 0).lists(script.pipelines))
        self.unit.inner.append((unit, word.start - self.start + (written[:1] in {"'", '"'})))
        node.trap = unit.number

    def compound(self, segment: Segment, low: int) -> Node:
        offset = segment.span.start
        if segment.kind is SegmentKind.FUNCTION:
            return self.function(segment, low)
        bodies = [self.lists(body.pipelines) for body in segment.bodies]
        node = self.compound_of(segment, bodies)
        return self.finished(node, low, offset, bodies)

    def compound_of(self, segment: Segment, bodies: list[Node]) -> Node:
        kind = segment.kind
        if not bodies:
            return ListNode(())
        if kind is SegmentKind.SUBSHELL:
            _mark_last(bodies[0])
            return Subshell(bodies[0])
        if kind is SegmentKind.TRY and len(bodies) == 2:
            return Try(bodies[0], bodies[1])
        if kind is SegmentKind.CASE:
            return Case(self.arms(segment, bodies))
        if kind in {SegmentKind.WHILE, SegmentKind.UNTIL} and len(bodies) == 2:
            return Loop(bodies[0], bodies[1], kind is SegmentKind.UNTIL)
        if kind in {SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.REPEAT}:
            # A menu ends with its input, which may be one line.
            is_menu = kind is SegmentKind.SELECT
            is_repeated = not is_menu and self.has_several(segment)
            return Loop(None, bodies[0], False, is_repeated, is_menu)
        if kind is SegmentKind.IF:
            roles = [body.role for body in segment.bodies]
            conditions = [
                it for it, role in zip(bodies, roles, strict=True) if role is Role.CONDITION
            ]
            others = [it for it, role in zip(bodies, roles, strict=True) if role is Role.BODY]
            otherwise = others[len(conditions)] if len(others) > len(conditions) else None
            return If(tuple(conditions), tuple(others[: len(conditions)]), otherwise)
        return Group(tuple(bodies))

    def arms(self, segment: Segment, bodies: list[Node]) -> tuple[Node, ...]:
        """The arms of a `case`; after one that ends in `;&` the next one runs."""
        arms = list(bodies)
        for at in range(len(arms) - 2, -1, -1):
            pipelines = segment.bodies[at].pipelines
            if pipelines and FALLS.match(self.script.text, pipelines[-1].span.end):
                both = (arms[at], arms[at + 1])
                offset = pipelines[0].span.start
                arms[at] = self.finished(ListNode(both), arms[at].low, offset, both)
        return tuple(arms)

    def has_several(self, segment: Segment) -> bool:
        """Whether a loop surely runs more than once: for two words that are constants, or so many times."""
        body = segment.bodies[0].pipelines
        head = self.script.text[segment.span.start : body[0].span.start if body else 0]
        if SEVERAL_TIMES.match(head):
            return True
        words = SEVERAL_WORDS.search(head)
        return words is not None and len(CONSTANT_WORD.findall(words[1])) > 1

    def function(self, segment: Segment, low: int) -> Node:
        if segment.command_word:
            body = self.lists(segment.bodies[0].pipelines if segment.bodies else ())
            return self.finished(Anonymous(body), low, segment.span.start, [body])
        names = tuple(self.script.source(word) for word in segment.words)
        unit = self.program.function(self.script, segment, names)
        self.unit.inner.append((unit, segment.span.start - self.start))
        return self.finished(Define(names, unit), len(self.unit.spans), segment.span.start, [])


def _mark_last(body: Node) -> None:
    """Tell each `always` that stands last in a shell of its own."""
    if isinstance(body, Try):
        body.ends_shell = True
    elif isinstance(body, ListNode) and body.items:
        _mark_last(body.items[-1])
    elif isinstance(body, If):
        for inner in (*body.bodies, *filter(None, [body.otherwise])):
            _mark_last(inner)
    elif isinstance(body, Case):
        for arm in body.arms:
            _mark_last(arm)
