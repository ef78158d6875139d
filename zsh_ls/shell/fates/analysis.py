"""The fates of a script's commands."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser.parser import deep_stack

from .because import (
    IN_CONDITION,
    IN_SUBSTITUTION,
    OPEN,
    Context,
    Reason,
    Rule,
    explained,
    sentence,
)
from .fate import Fate, FateKind
from .interpreter import (
    FOLLOWING,
    LATER,
    THE_CALL,
    AbstractInterpreter,
    Failure,
    Root,
    Split,
    TooMuchWork,
)
from .nodes import PLACE_BITS, CommandNode, Known, ScriptNodes, Sources
from .options import changed
from .state import ERREXIT, NEXT, End, State, Surroundings

ORDER = {kind: position for position, kind in enumerate(FateKind)}
# What one command's failure does by one way of reaching it: fate, exit, why, offset of what is next, and of
# the call that its function is reached by.
Way = tuple[FateKind, int, Reason, int, int]
# How many ways with the same fate are told apart, and so calls counted: functions may call each other in
# millions of ways.
MOST_WAYS = 8
# Functions of the scripts that this process looked at last.
KNOWN = Known()


def fates(
    script: Script, known: Known | None = None, sources: Sources | None = None
) -> tuple[Fate, ...]:
    """The fate of every command of `script`, in the order of the text.

    What `known` (of this process, if None) has of its functions from an earlier version is not worked out
    again. `sources` gives the script that a sourced file is, by the word that names it; without it, what a
    sourced file does is unknown. Where a script
    can run in too many ways, or nests too deeply to be followed, all are `unknown`; () where it nests
    too deeply to be taken apart. The work is bounded (`AbstractInterpreter.work`).
    """
    program = None
    try:
        with deep_stack(), _no_collection():
            program = ScriptNodes(script, KNOWN if known is None else known, sources)
            ways = _ways(script, program)
    except TooMuchWork:
        assert program is not None
        ways = _unknown(program, Rule.TOO_MUCH)
    except RecursionError:
        if program is None:
            return ()
        ways = _unknown(program, Rule.TOO_DEEP)
    told = _Told(program)
    spans = {place: program.span(place) for place in ways}
    return tuple(told.fate(spans[it], ways[it]) for it in sorted(ways, key=spans.__getitem__))


def _unknown(program: ScriptNodes, rule: Rule) -> dict[int, set[Way]]:
    way: Way = (FateKind.UNKNOWN, 0, Reason(rule), -1, -1)
    return {place: {way} for place in program.places()}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Python's search for cycles, which finds none here, would take a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # All that is young becomes old, without a search: the next one would go over every node.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _ways(script: Script, program: ScriptNodes) -> dict[int, set[Way]]:
    """What each command's failure does, by each way of reaching it."""
    interpreter = AbstractInterpreter(program)
    state = State(options=_first_options(script))
    collected = _Collected(program)
    result = interpreter.run(Root(program.main), state, Surroundings(), True)
    collected.add(result.splits, result.end)
    # A function that nobody calls is judged as if it were called at the end.
    functions = program.functions
    named = frozenset(name for own, unit in functions.items() for name in unit.calls if name != own)
    # The state at the end of the text, before its EXIT trap.
    after = interpreter.run(program.main, state, Surroundings(), True).end.state._replace(status=0)
    # An error trap that the script itself leads to is not judged for these.
    interpreter.failures += LATER
    for name in sorted(
        functions, key=lambda it: (it in named, program.starts[functions[it].number])
    ):
        unit = functions[name]
        if unit.number in program.foreign:
            continue
        if unit.number not in interpreter.now.called and not name.startswith("TRAP"):
            call = CommandNode("call", name, (name,), -1)
            call.low, call.high, call.offset, call.calls = 0, 0, unit.offset, frozenset({name})
            alone = interpreter.run(Root(call), after, Surroundings(), True)
            collected.add(alone.splits, alone.end)
    interpreter.failures -= LATER
    # What runs at a signal, before each command, or when a function returns, comes between any two commands.
    reached = interpreter.now.called
    for number in [it for it in program.units if it not in reached and it not in program.foreign]:
        unit = program.units[number]
        if unit.names or unit is program.main:
            continue
        before = result.end.state._replace(status=0, exit_trap=-1)
        alone = interpreter.run(unit, before, _between(script.dialect), True)
        usual = result.end if alone.end.signal == NEXT else alone.end
        collected.add(tuple(_restored(it, alone.end) for it in alone.splits), usual)
    collected.settle(interpreter)
    # A call that never returns (`|| die`) has no exit that could be its own.
    unreached = {
        place: ways
        for place, ways in _unknown(program, Rule.UNREACHED).items()
        if place not in collected.ways and _first_word(program, place) not in program.names
    }
    return collected.ways | unreached


def _first_word(program: ScriptNodes, place: int) -> str:
    start, end = program.span(place)
    return program.script.text[start:end].split(maxsplit=1)[0]


def _between(dialect: Dialect) -> Surroundings:
    """What is around a trap that stands between commands: bash minds its failures, zsh does not."""
    is_ignored = dialect is Dialect.ZSH
    return Surroundings(ignored=is_ignored, returns_ignored=is_ignored, trap="DEBUG")


def _restored(split: Split, usual: End) -> Split:
    """A failure in a trap behind which the shell has its status again."""
    if split.bad is not None and split.bad.signal != usual.signal:
        return split
    return Split(None, None, split.difference, members=[split])


def _first_options(script: Script) -> frozenset[str]:
    """The options of the interpreter line: `#!/bin/sh -e`."""
    first = script.text.partition("\n")[0]
    if not first.startswith("#!"):
        return frozenset()
    flags = [word for word in first.split()[1:] if word[:1] in {"-", "+"}]
    return changed(frozenset(), ["set", *flags], script.dialect)


class _Inward(NamedTuple):
    """What is known of a failure on the way from the end of the script inward to its command.

    The outermost reason decides, and the innermost next command is the first to run; what is around
    the place where it was decided explains the reason. `at` is the call that it was reached by.
    """

    why: Reason | None = None
    is_final: bool = False
    then: int = -1
    condition: Context | None = None
    call: Context | None = None
    is_not_inherited: bool = False
    at: int = -1

    def into(self, split: Split, kind: FateKind) -> _Inward:
        """What is known one step further inward."""
        # One for each split of each call: `_replace` would take most of the time.
        why, is_final, then, condition, call, is_not_inherited, at = self
        then = then if split.then == -1 else split.then
        at = at if split.call == -1 else split.call
        if split.why is not None and not is_final:
            # That an exit is lost does not say why something else ran before.
            is_weak = split.why.rule in LOST
            is_final = not is_weak or kind is not FateKind.HANDLED
            if not is_weak or why is None:
                around = _Inward(why, False, then, condition, call, is_not_inherited, at)
                why = around.explained(split.why, kind)
            if is_final:
                condition, call, is_not_inherited = None, None, False
        elif split.why is not None and split.why.rule in OPEN:
            why = split.why
        context = split.context
        if context is not None and not is_final:
            if context.at == THE_CALL:
                context = context._replace(at=at)
            if context.kind == IN_CONDITION:
                condition, call = context, None
            elif context.kind == IN_SUBSTITUTION:
                is_not_inherited = True
            elif condition is not None and not call:
                call = context
        return _Inward(why, is_final, then, condition, call, is_not_inherited, at)

    def explained(self, why: Reason, kind: FateKind) -> Reason:
        """A reason with what is around."""
        if why.at == THE_CALL:
            return why._replace(at=self.at)
        if why.rule is Rule.CONDITION and kind in {FateKind.UNNOTICED, FateKind.REPORTED}:
            return why._replace(rule=Rule.SAME_COMMANDS)
        if why.rule in LOST and kind is FateKind.REPORTED:
            return Reason(Rule.LAST)
        if why.rule is Rule.NOBODY_LOOKS and self.is_not_inherited:
            return Reason(Rule.NOT_INHERITED)
        return explained(why, self.condition, self.call)


# What is said where a failure has no effect at its place.
LOST = frozenset({Rule.NOBODY_LOOKS, Rule.IGNORED, Rule.RETURN_IGNORED, Rule.COMPOUND_BEFORE})


class _Collected:
    """What each command's failure does, by each way of reaching it."""

    def __init__(self, program: ScriptNodes) -> None:
        self.program = program
        self.ways: dict[int, set[Way]] = {}
        # Those of the commands of error traps, by the failure that the trap runs for.
        self.in_traps: dict[int, dict[Failure, set[Way]]] = {}
        # By the fate that they give, the ways by which a split was reached.
        self.marks: dict[FateKind, dict[Split, set[tuple[int, _Inward, Failure]]]] = {}

    def add(self, splits: tuple[Split, ...], usual: End) -> None:
        """Take in the splits of a run that ended as `usual`."""
        ways, units = self.ways, self.program.units
        foreign = self.program.foreign
        for split in splits:
            ok = split.ok or usual
            bad = split.bad or ok
            kind, status = _kind(ok, bad, split), bad.state.status
            # What errexit ended in any case has not the exit of this command.
            explains = FateKind.STOPS if bad.signal.startswith(ERREXIT) else kind
            marks = self.marks.setdefault(kind, {})
            waiting: list[tuple[Split, _Inward]] = [(split, _Inward())]
            while waiting:
                holder, known = waiting.pop()
                made = marks.setdefault(holder, set())
                if len(made) >= MOST_WAYS:
                    continue
                if holder.decides:
                    known = known.into(holder, explains)
                mark = (status, known, split.trap_at)
                if mark in made:
                    continue
                made.add(mark)
                # The first in the text comes first, as no more than so many ways are kept.
                for member in reversed(holder.members):
                    if isinstance(member, int):
                        if foreign and member >> PLACE_BITS in foreign:
                            continue
                        why = known.why or Reason(Rule.NOBODY_LOOKS)
                        told = FateKind.UNKNOWN if why.rule in OPEN else kind
                        then = known.then
                        if then == FOLLOWING:
                            then = units[member >> PLACE_BITS].following[member]
                        way = (told, status, why, then, known.at)
                        if split.trap >= 0:
                            by_failure = self.in_traps.setdefault(member, {})
                            by_failure.setdefault(split.trap_at, set()).add(way)
                        elif member in ways:
                            ways[member].add(way)
                        else:
                            ways[member] = {way}
                    else:
                        waiting.append((member, known))

    def settle(self, interpreter: AbstractInterpreter) -> None:
        """Take over what the commands of error traps do, each where its trap is reached first."""
        for member, by_failure in self.in_traps.items():
            first = min(by_failure, key=interpreter.failure_order)
            self.ways.setdefault(member, set()).update(by_failure[first])


def _kind(ok: End, bad: End, split: Split) -> FateKind:
    # Where errexit ends both runs and they differ, it ends this one for the failure, sooner or elsewhere.
    is_unchanged = split.bad is None and not split.difference
    is_the_same = is_unchanged or not bad.signal.startswith(ERREXIT)
    if bad.signal in {NEXT, ok.signal} and is_the_same:
        if split.difference:
            return FateKind.HANDLED
        return FateKind.REPORTED if bad.state.status else FateKind.UNNOTICED
    if bad.state.status:
        return FateKind.STOPS
    return FateKind.HANDLED if split.external > 0 else FateKind.STOPS_SILENTLY


class _Told:
    """Makes the fates of one script."""

    def __init__(self, program: ScriptNodes) -> None:
        self.program = program
        self.text = program.script.text
        self.lines = LineIndex(self.text)
        self.sentences: dict[Reason, str] = {}

    def fate(self, span: Span, ways: set[Way]) -> Fate:
        """The fate of the command at `span`, the worst of its ways."""
        others: tuple[tuple[FateKind, int], ...] = ()
        if len(ways) == 1:
            ((kind, status, why, then, _),) = ways
        else:
            worst = min({it[0] for it in ways}, key=ORDER.__getitem__)
            kind, status, why, then, _ = min((it for it in ways if it[0] is worst), key=self.rank)
            # Each call once for each fate that it gives.
            calls = {(it[0], it[4]) for it in ways if it[0] is not kind}
            others = tuple(sorted(Counter(it[0] for it in calls).items()))
        if then >= 0:
            then = self.program.offset(then)
        because = self.sentences.get(why)
        if because is None:
            at = self.program.offset(why.at) if why.at >= 0 else -1
            because = self.sentences[why] = sentence(why._replace(at=at), self.lines)
        command = self.text[span.start : span.end]
        lines = self.lines
        line = lines.line_of(span.start)
        column = span.start - lines.starts[line]
        end_line, end_column = line, column + len(command)
        if "\n" in command or "\r" in command:
            end_line, end_column = lines.position(span.end, "utf-32")
        return Fate(
            span,
            line + 1,
            column + 1,
            end_line + 1,
            end_column + 1,
            command,
            kind,
            because,
            lines.line_of(then) + 1 if then >= 0 else None,
            None if kind is FateKind.UNKNOWN else status,
            others,
            why.rule,
        )

    def rank(self, way: Way) -> tuple[object, ...]:
        """The place of a way among others with the same fate: what is first in the text."""
        _, status, why, then, _ = way
        at, then = (self.program.offset(it) if it >= 0 else it for it in (why.at, then))
        return status, why.rule, at, why.word, then
