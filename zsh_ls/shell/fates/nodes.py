"""A parsed script as the commands that a failure passes through on its way up.

A node is what runs as one: a command, a list, a pipeline, a compound command. Nodes know nothing of
states; `interpreter` says what running them does. `low` and `high` bound the places (commands that have
a fate, numbered in the order they are met) inside a node, `calls` names what it may call.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
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
PRINTS = frozenset({"echo", "print", "printf"})
PLAIN_KINDS = frozenset({"external", "builtin"})
NO_WORK = frozenset({"true", ":", "false"})
READS_STATUS = re.compile(r"\$\??\{?#?(?:\?|pipestatus|PIPESTATUS|status\b)")
NO_CALLS: frozenset[str] = frozenset()
IN_PARENTHESES = frozenset({SubstitutionKind.COMMAND, SubstitutionKind.BACKQUOTE})
TRAP_BEFORE = re.compile(r"\btrap\b")
SEVERAL_WORDS = re.compile(r"\sin\s([^;\n]*)")
CONSTANT_WORD = re.compile(r"(?<!\S)[\w./-]+(?!\S)")
TRAP_FUNCTIONS = {"TRAPEXIT": "EXIT", "TRAPZERR": "ERR", "TRAPERR": "ERR"}


# What ran is a sum of numbers, one for each command: different ones have different sums.
MASK = (1 << 61) - 1


def trace_of(place: int) -> int:
    """The number of a command in the sum of what ran."""
    return pow(3, 2 * place + 11, MASK)


class Node:
    """Something that runs as one."""

    __slots__ = ("calls", "high", "low", "offset")
    low: int
    high: int
    offset: int
    calls: frozenset[str]


class CommandNode(Node):
    """A command without its substitutions: `word` and all `words` as written, `place` or -1."""

    __slots__ = ("kind", "place", "word", "words")

    def __init__(self, kind: str, word: str, words: tuple[str, ...], place: int) -> None:
        self.kind = kind
        self.word = word
        self.words = words
        self.place = place


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
    """A loop, with a condition where it is `while` or `until`; `is_repeated`: for several words."""

    __slots__ = ("body", "condition", "is_repeated", "until")

    def __init__(
        self, condition: Node | None, body: Node, until: bool, is_repeated: bool = False
    ) -> None:
        self.condition = condition
        self.body = body
        self.until = until
        self.is_repeated = is_repeated


class Case(Node):
    """`case`; any arm may be taken."""

    __slots__ = ("arms",)

    def __init__(self, arms: tuple[Node, ...]) -> None:
        self.arms = arms


class Try(Node):
    """zsh's `{ … } always { … }`."""

    __slots__ = ("always", "body")

    def __init__(self, body: Node, always: Node) -> None:
        self.body = body
        self.always = always


class Anonymous(Node):
    """zsh's `() { … }`, a function that runs at once."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


class Define(Node):
    """The definition of a function."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names


class ScriptNodes:
    """A script's nodes: `body`, its `functions` by name, its `traps` by their number."""

    def __init__(self, script: Script) -> None:
        self.dialect = script.dialect
        self.spans: list[Span] = []
        # The offset of what runs next, for each command that another one follows in a `Plain`.
        self.following: dict[int, int] = {}
        self.functions: dict[str, Node] = {}
        self.traps: list[Node] = []
        # zsh's functions that are traps.
        self.trap_functions: dict[str, int] = {}
        self.trap_of: dict[CommandNode, int] = {}
        self.names = frozenset(
            script.source(word)
            for segment in script.functions
            if not segment.command_word
            for word in segment.words
        )
        self.status_names = _status_names(script)
        self.last_use = _last_uses(script, self.status_names)
        self.reads_pipestatus = "pipestatus" in script.text.lower()
        self.body = _Builder(self, script, 0).lists(script.pipelines)


def _status_names(script: Script) -> frozenset[str]:
    """Variables that hold a status: assigned from `$?` or `$!`, after `||`, or from one of these."""
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
    before = -1
    while before != len(found):
        before = len(found)
        for name, value in assigned:
            mentioned = {it.strip("${}") for it in re.findall(r"\$\{?\w+", value)}
            if READS_STATUS.search(value) or "$!" in value or mentioned & found:
                found.add(name)
    return frozenset(found)


def _last_uses(script: Script, names: frozenset[str]) -> dict[str, int]:
    """The offset where each of these names stands last, after which its value decides nothing.

    Without those that a trap or a function may read later. A name that stands in one function only
    is taken for a local one.
    """
    if not names:
        return {}
    spans = sorted(it.span for it in script.functions)
    starts = [it.start for it in spans]
    found: dict[str, int] = {}
    places: dict[str, set[int]] = {}
    for mention in re.finditer(r"\w+", script.text):
        name = mention[0]
        if name not in names:
            continue
        at = bisect.bisect_right(starts, mention.start()) - 1
        inside = at >= 0 and mention.start() < spans[at].end
        places.setdefault(name, set()).add(at if inside else -1)
        found[name] = mention.start()
        line = script.text.rfind("\n", 0, mention.start()) + 1
        if TRAP_BEFORE.search(script.text, line, mention.start()):
            places[name].add(-2)
    return {name: last for name, last in found.items() if len(places[name]) == 1}


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
    """Makes nodes of one text: the script, or a trap's, which begins `shift` characters later."""

    def __init__(
        self, program: ScriptNodes, script: Script, shift: int, *, told: bool = True
    ) -> None:
        self.program = program
        self.script = script
        self.shift = shift
        self.told = told
        self.heredocs: dict[Span, Heredoc] = {it.redirection: it for it in script.heredocs}

    def finished(self, node: Node, low: int, offset: int, inside: Iterable[Node]) -> Node:
        node.low = low
        node.high = len(self.program.spans)
        node.offset = offset + self.shift
        calls = {name for it in inside for name in it.calls}
        node.calls = frozenset(calls) if calls else NO_CALLS
        return node

    def lists(self, pipelines: Sequence[Pipeline]) -> Node:
        low = len(self.program.spans)
        items: list[Node] = []
        start = 0
        for position, pipeline in enumerate(pipelines):
            if pipeline.connector is Connector.NONE or position == len(pipelines) - 1:
                items.append(self.and_or(pipelines[start : position + 1]))
                start = position + 1
        if len(items) > 1:
            items = list(self.joined(items))
        if len(items) == 1:
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
            self.program.following[command.place] = following.offset
        yield node

    def and_or(self, pipelines: Sequence[Pipeline]) -> Node:
        if len(pipelines) == 1 and not (pipelines[0].background or pipelines[0].coproc):
            return self.pipeline(pipelines[0])
        low = len(self.program.spans)
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
        low = len(self.program.spans)
        segments = [self.segment(it) for it in pipeline.segments]
        offset = pipeline.span.start
        node = segments[0]
        if len(segments) > 1:
            node = self.finished(Pipe(tuple(segments)), low, offset, segments)
        if pipeline.negated:
            node = self.finished(Negated(node), low, offset, [node])
        return node

    def place(self, start: int, end: int) -> int:
        if not self.told:
            return -1
        self.program.spans.append(Span(start + self.shift, end + self.shift))
        return len(self.program.spans) - 1

    def segment(self, segment: Segment) -> Node:
        low = len(self.program.spans)
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
        low = len(self.program.spans)
        body = self.lists(substitution.pipelines)
        waited = (
            substitution.kind in IN_PARENTHESES or substitution.kind is SubstitutionKind.FUNCTION
        )
        node: Node = Subshell(body, True) if waited else Job(body)
        return self.finished(node, low, substitution.span.start, [body])

    def command(
        self, kind: str, word: str, words: tuple[str, ...], place: int, segment: Segment
    ) -> CommandNode:
        node = CommandNode(kind, word, words, place)
        node.low = place if place >= 0 else len(self.program.spans)
        node.high = len(self.program.spans)
        start = segment.words[0].start if segment.words else segment.span.start
        node.offset = start + self.shift
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
        if word == "trap" and len(words) > 2:
            self.trap(node, segment.words[1])
        return node

    def kind_of(self, word: str, words: tuple[str, ...]) -> str:
        if word in {"[", "test"}:
            return "test"
        if word in NO_WORK:
            return "nothing"
        if word in DECLARES:
            return "declare"
        if word in {"set", "setopt", "unsetopt", "emulate", "shopt", "trap", "wait"}:
            return word
        if word == "exec":
            return "exec" if len(words) > 1 else "builtin"
        return "builtin" if word in PRINTS else "external"

    def trap(self, node: CommandNode, word: Span) -> None:
        """The commands of a trap whose text is a constant."""
        written = self.script.source(word)
        inner = constant_trap(written)
        if inner is None:
            return
        told = written.startswith("'")
        script = parse(inner, self.script.dialect)
        if script.problems:
            return
        shift = self.shift + word.start + 1 if told else self.shift + word.start
        builder = _Builder(self.program, script, shift, told=told)
        self.program.trap_of[node] = len(self.program.traps)
        self.program.traps.append(builder.lists(script.pipelines))
        node.high = len(self.program.spans)

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
            return Subshell(bodies[0])
        if kind is SegmentKind.TRY and len(bodies) == 2:
            return Try(bodies[0], bodies[1])
        if kind is SegmentKind.CASE:
            return Case(tuple(bodies))
        if kind in {SegmentKind.WHILE, SegmentKind.UNTIL} and len(bodies) == 2:
            return Loop(bodies[0], bodies[1], kind is SegmentKind.UNTIL)
        if kind in {SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.REPEAT}:
            return Loop(None, bodies[0], False, self.has_several(segment))
        if kind is SegmentKind.IF:
            roles = [body.role for body in segment.bodies]
            conditions = [
                it for it, role in zip(bodies, roles, strict=True) if role is Role.CONDITION
            ]
            others = [it for it, role in zip(bodies, roles, strict=True) if role is Role.BODY]
            otherwise = others[len(conditions)] if len(others) > len(conditions) else None
            return If(tuple(conditions), tuple(others[: len(conditions)]), otherwise)
        return Group(tuple(bodies))

    def has_several(self, segment: Segment) -> bool:
        """Whether a loop surely runs for several words: two that are constants."""
        body = segment.bodies[0].pipelines
        head = self.script.text[segment.span.start : body[0].span.start if body else 0]
        words = SEVERAL_WORDS.search(head)
        return words is not None and len(CONSTANT_WORD.findall(words[1])) > 1

    def function(self, segment: Segment, low: int) -> Node:
        body = (
            self.lists(segment.bodies[0].pipelines)
            if segment.bodies
            else self.finished(ListNode(()), low, 0, [])
        )
        if segment.command_word:
            return self.finished(Anonymous(body), low, segment.span.start, [body])
        names = tuple(self.script.source(word) for word in segment.words)
        functions = self.program.functions
        for name in names:
            if name in functions:
                # The last definition is the one that calls are taken to mean; the commands of the
                # others have fates all the same.
                functions[f"{name} {len(functions)}"] = functions[name]
            functions[name] = body
            if name in TRAP_FUNCTIONS:
                self.program.trap_functions[name] = len(self.program.traps)
                self.program.traps.append(body)
        return self.finished(Define(names), len(self.program.spans), segment.span.start, [])
