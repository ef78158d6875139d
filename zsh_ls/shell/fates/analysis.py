"""The fates of a script's commands."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from zsh_ls.model.syntax import Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser.parser import deep_stack

from .because import (
    IN_CONDITION,
    IN_SUBSTITUTION,
    Context,
    Reason,
    Rule,
    explained,
    sentence,
)
from .fate import Fate, FateKind
from .interpreter import AbstractInterpreter, Root, Split
from .nodes import CommandNode, ScriptNodes
from .options import changed
from .state import ERREXIT, NEXT, End, State, Surroundings

ORDER = {kind: position for position, kind in enumerate(FateKind)}
# What one command's failure does by one way of reaching it: fate, exit, why, offset of what is next.
Way = tuple[FateKind, int, Reason, int]
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


class _Inward(NamedTuple):
    """What is known of a failure on the way from the end of the script inward to its command.

    The outermost reason decides, and the innermost next command is the first to run; what is around
    the place where it was decided explains the reason.
    """

    why: Reason | None = None
    is_final: bool = False
    then: int = -1
    condition: Context | None = None
    call: Context | None = None
    is_not_inherited: bool = False

    def into(self, split: Split, kind: FateKind) -> _Inward:
        """What is known one step further inward."""
        now = self._replace(then=split.then) if split.then >= 0 else self
        if split.why is not None and not self.is_final:
            # That an exit is lost does not say why something else ran before.
            is_weak = split.why.rule in LOST
            is_final = not is_weak or kind is not FateKind.HANDLED
            if not is_weak or self.why is None:
                now = now._replace(why=self.explained(split.why, kind), is_final=is_final)
            if is_final:
                now = now._replace(condition=None, call=None, is_not_inherited=False)
        elif split.why is not None and split.why.rule is Rule.COMPUTED_TRAP:
            now = now._replace(why=split.why)
        context = split.context
        if context is None or now.is_final:
            return now
        if context.kind == IN_CONDITION:
            return now._replace(condition=context, call=None)
        if context.kind == IN_SUBSTITUTION:
            return now._replace(is_not_inherited=True)
        return now if now.condition is None or now.call else now._replace(call=context)

    def explained(self, why: Reason, kind: FateKind) -> Reason:
        """A reason with what is around."""
        if why.rule in LOST and kind is FateKind.REPORTED:
            return Reason(Rule.LAST)
        if why.rule is Rule.NOBODY_LOOKS and self.is_not_inherited:
            return Reason(Rule.NOT_INHERITED)
        return explained(why, self.condition, self.call)


# What is said where a failure has no effect at its place.
LOST = frozenset({Rule.NOBODY_LOOKS, Rule.IGNORED, Rule.RETURN_IGNORED})


def _collect(splits: tuple[Split, ...], usual: End, ways: dict[int, set[Way]]) -> None:
    for split in splits:
        ok = split.ok or usual
        bad = split.bad or ok
        kind, status = _kind(ok, bad, split), bad.state.status
        waiting = [(split, _Inward())]
        while waiting:
            holder, known = waiting.pop()
            known = known.into(holder, kind)
            mark = (kind, status, known)
            if holder.marks is None:
                holder.marks = {mark}
            elif mark in holder.marks or sum(it[0] is kind for it in holder.marks) >= MOST_WAYS:
                continue
            holder.marks.add(mark)
            for member in holder.members:
                if isinstance(member, int):
                    why = known.why or Reason(Rule.NOBODY_LOOKS)
                    told = FateKind.UNKNOWN if why.rule is Rule.COMPUTED_TRAP else kind
                    ways.setdefault(member, set()).add((told, status, why, known.then))
                else:
                    waiting.append((member, known))


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
        sentence(why, lines),
        lines.line_of(then) + 1 if then >= 0 else None,
        None if kind is FateKind.UNKNOWN else status,
        tuple(sorted(others.items())),
    )
