"""The lines of a traced script as stacks, for a profile: which line ran within which.

A trace holds totals by line, not calls. A line within a compound command stands below that; one of a function
below the dearest line that calls the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zsh_ls.lazy import re
from zsh_ls.model.results import TracedLine
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statements

from .speedscope import Frame


def stacks_of(
    file: str, lines: Sequence[TracedLine], script: Script
) -> tuple[tuple[float, tuple[Frame, ...]], ...]:
    """Each line's own time in milliseconds, with the lines it ran in, outermost first."""
    index = LineIndex(script.text)
    spans = {it.first_line: it.span for it in Statements(script, index.starts).all}
    ran = {it.line: it for it in lines if it.line in spans}
    functions = {script.source(name): it.span for it in script.functions for name in it.words}
    parents = {line: _parent(line, ran, spans, functions, script) for line in ran}
    within: dict[int, float] = {}
    for line, parent in parents.items():
        if parent is not None:
            within[parent] = within.get(parent, 0.0) + ran[line].total_ms
    found = []
    for line in sorted(ran):
        stack = tuple((file, it + 1) for it in reversed(list(_outwards(line, parents))))
        found.append((max(0.0, ran[line].total_ms - within.get(line, 0.0)), stack))
    return tuple(found)


def _outwards(line: int, parents: Mapping[int, int | None]) -> Iterator[int]:
    seen: set[int] = set()
    at: int | None = line
    while at is not None and at not in seen:
        seen.add(at)
        yield at
        at = parents[at]


def _parent(
    line: int,
    ran: Mapping[int, TracedLine],
    spans: Mapping[int, Span],
    functions: Mapping[str, Span],
    script: Script,
) -> int | None:
    own = spans[line]
    # What a definition on one line takes is what its body does.
    body = own if "\n" in script.source(own) else Span(own.start + 1, own.end)
    around = _function_around(body, functions)
    holding = [
        other
        for other in ran
        if other != line
        and _holds(spans[other], own)
        and _function_around(spans[other], functions) == around
        and spans[other] not in functions.values()
    ]
    if holding:
        return max(holding, key=lambda it: spans[it].start)
    if around is None:
        return None
    called = re.compile(rf"(?<![\w.-]){re.escape(around)}(?![\w.-])")
    callers = [
        other
        for other in ran
        if not _holds(functions[around], spans[other])
        and called.search(script.source(spans[other]))
        and spans[other] != functions[around]
    ]
    # A loop around the call holds the name as well.
    nearest = [
        it
        for it in callers
        if not any(it != other and _holds(spans[it], spans[other]) for other in callers)
    ]
    return max(nearest, key=lambda it: ran[it].total_ms) if nearest else None


def _function_around(span: Span, functions: Mapping[str, Span]) -> str | None:
    """The innermost function in which a command stands."""
    around = [name for name, it in functions.items() if it != span and _holds(it, span)]
    return max(around, key=lambda it: functions[it].start) if around else None


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
