"""The fates of a script's commands."""

from __future__ import annotations

from collections import Counter

from zsh_ls.model.syntax import Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser.parser import deep_stack

from .fate import Fate, FateKind
from .interpreter import AbstractInterpreter, Root, Split
from .nodes import CommandNode, ScriptNodes
from .options import changed
from .state import ERREXIT, NEXT, End, State, Surroundings

ORDER = {kind: position for position, kind in enumerate(FateKind)}
# What one command's failure does by one way of reaching it: fate, exit, why, offset of what is next.
Way = tuple[FateKind, int, str, int]
# How many ways with the same fate are told apart: functions may call each other in millions of ways.
MOST_WAYS = 8


def fates(script: Script) -> tuple[Fate, ...]:
    """The fate of every command of `script`, in the order of the text; () where it is too deep."""
    try:
        with deep_stack():
            return _fates(script)
    except RecursionError:
        return ()


def _fates(script: Script) -> tuple[Fate, ...]:
    program = ScriptNodes(script)
    interpreter = AbstractInterpreter(program)
    state = State(options=_first_options(script))
    ways: dict[int, set[Way]] = {}
    root = Root(program.body)
    result = interpreter.run(root, state, Surroundings(), True)
    _collect(result.splits, result.end, ways)
    # A function that nobody calls is judged as if it were called at the end.
    named = frozenset(
        name for own, body in program.functions.items() for name in body.calls if name != own
    )
    # The state at the end of the text, before its EXIT trap.
    after = interpreter.run(program.body, state, Surroundings(), False).end.state._replace(status=0)
    for name in sorted(program.functions, key=lambda it: (it in named, program.functions[it].low)):
        if name not in interpreter.called and not name.startswith("TRAP"):
            body = program.functions[name]
            call = CommandNode("call", name, (name,), -1)
            call.low, call.high, call.offset, call.calls = 0, 0, body.offset, frozenset({name})
            alone = interpreter.run(Root(call), after, Surroundings(), True)
            _collect(alone.splits, alone.end, ways)
    lines = LineIndex(script.text)
    return tuple(
        _fate(script, lines, program, place, ways[place])
        for place in sorted(ways, key=lambda it: program.spans[it])
    )


def _first_options(script: Script) -> frozenset[str]:
    """The options of the interpreter line: `#!/bin/sh -e`."""
    first = script.text.partition("\n")[0]
    if not first.startswith("#!"):
        return frozenset()
    flags = [word for word in first.split()[1:] if word[:1] in {"-", "+"}]
    return changed(frozenset(), ["set", *flags], script.dialect)


def _collect(splits: tuple[Split, ...], usual: End, ways: dict[int, set[Way]]) -> None:
    for split in splits:
        ok = split.ok or usual
        bad = split.bad or ok
        kind = _kind(ok, bad, split)
        # The outermost reason decides; the innermost next command is the first to run.
        waiting: list[tuple[Split, str, int]] = [(split, "", -1)]
        while waiting:
            holder, why, then = waiting.pop()
            why, then = why or holder.why, holder.then if holder.then >= 0 else then
            mark = (kind, bad.state.status, why, then)
            if holder.marks is None:
                holder.marks = {mark}
            elif mark in holder.marks or sum(it[0] is kind for it in holder.marks) >= MOST_WAYS:
                continue
            holder.marks.add(mark)
            for member in holder.members:
                if isinstance(member, int):
                    ways.setdefault(member, set()).add(mark)
                else:
                    waiting.append((member, why, then))


def _kind(ok: End, bad: End, split: Split) -> FateKind:
    # Where errexit ends both runs, it ends this one for the failure, sooner or elsewhere.
    if bad.signal in {NEXT, ok.signal} and not bad.signal.startswith(ERREXIT):
        if split.difference:
            return FateKind.HANDLED
        return FateKind.REPORTED if bad.state.status else FateKind.UNNOTICED
    if bad.state.status:
        return FateKind.STOPS
    return FateKind.HANDLED if split.external > 0 else FateKind.STOPS_SILENTLY


def _fate(
    script: Script, lines: LineIndex, program: ScriptNodes, place: int, ways: set[Way]
) -> Fate:
    kind, status, why, then = min(ways, key=lambda way: (ORDER[way[0]], way))
    others = Counter(way[0] for way in ways if way[0] is not kind)
    span = program.spans[place]
    line, column = lines.position(span.start, "utf-32")
    end_line, end_column = lines.position(span.end, "utf-32")
    return Fate(
        span,
        line + 1,
        column + 1,
        end_line + 1,
        end_column + 1,
        script.source(span),
        kind,
        why,
        lines.line_of(then) + 1 if then >= 0 else None,
        status,
        tuple(sorted(others.items())),
    )
