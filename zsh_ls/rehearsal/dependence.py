"""Which lines of a script rely on a value that a command would have given that did not run (REH-4).

A variable that a stand-in's `$(…)` set is not known, nor is one that was set from it, nor a file that
a stand-in wrote. Commands that read one, and those in the branches of a condition that does, rely on
it. This follows the text from top to bottom, with values as they were last set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Pipeline, Role, Script, Segment, SegmentKind
from zsh_ls.shell.syntax.lines import LineIndex

from .report import RehearsedCommand, RehearsedKind, RehearsedLine, UnknownValue, WriteAction

_DECLARES = frozenset(
    ["export", "local", "typeset", "declare", "readonly", "integer", "float", "private"]
)
_READS = frozenset({"read", "mapfile", "readarray"})
_NAME = re.compile(r"[A-Za-z_]\w*")
_REFERENCE = re.compile(r"\$\{?[#!]?([A-Za-z_]\w*)")
_CONDITIONAL = frozenset({SegmentKind.IF, SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.CASE})
_LOOPS = frozenset({SegmentKind.FOR, SegmentKind.SELECT})
MOST_TOLD = 4


@attrs.frozen
class _Set:
    """A place where names get values: its lines, the names read there, whether `$(…)` is in it."""

    first: int
    last: int
    names: tuple[str, ...]
    reads: frozenset[str]
    captures: bool


@attrs.frozen
class _Branch:
    """Lines that run as a condition says: those of the condition, what it reads, those of the bodies."""

    first: int
    last: int
    reads: frozenset[str]
    captures: bool
    body_first: int
    body_last: int


def with_dependences(
    lines: Sequence[RehearsedLine],
    script: Script,
    *,
    captured: Callable[[int, int], str | None],
    mask: Callable[[str], str],
    made: Container[str] = (),
) -> tuple[list[RehearsedLine], dict[int, tuple[UnknownValue, ...]]]:
    """The lines with what their commands rely on, and what lines without a command rely on.

    Those have builtins alone, such as tests, which decide more than all others. `captured` gives
    the first stand-in whose output the shell took between two lines; `made` are folders that are as
    they would be.
    """
    index = LineIndex(script.text)
    sets, branches = _found(script, index)
    sets.sort(key=lambda it: it.first)
    unknown: dict[str, UnknownValue] = {}
    conditional: list[tuple[int, int, UnknownValue]] = []
    files: dict[str, UnknownValue] = {}
    told = []
    relying: dict[int, tuple[UnknownValue, ...]] = {}
    done = 0
    for line in lines:
        if line.file is not None or not 0 < line.line <= index.line_count:
            told.append(line)
            continue
        while done < len(sets) and sets[done].first < line.line:
            _take(sets[done], unknown, captured)
            done += 1
        text = script.text[index.starts[line.line - 1] : index.line_end(line.line - 1)]
        # `x=$(a "$y")` over several lines relies on `y`, wherever in it a command stands.
        around = (it.reads for it in sets if it.first <= line.line <= it.last)
        read = frozenset(_REFERENCE.findall(text)).union(*around)
        found = {name: unknown[name] for name in sorted(read) if name in unknown}
        if found and not line.commands:
            relying[line.line] = tuple(found.values())[:MOST_TOLD]
        for branch in branches:
            if line.line == branch.first or branch.body_first <= line.line <= branch.body_last:
                conditional += _conditions(branch, unknown, captured)
        found |= {why.name: why for first, last, why in conditional if first <= line.line <= last}
        told.append(
            attrs.evolve(line, commands=tuple(_with(it, found, files) for it in line.commands))
        )
        stand_in = next((it for it in line.commands if it.kind is RehearsedKind.STUB), None)
        if stand_in is not None:
            said = mask(" ".join(stand_in.argv))
            for write in line.writes:
                if write.action is not WriteAction.REMOVE and write.path not in made:
                    files.setdefault(write.path, UnknownValue(write.path, line.line, said))
    return told, relying


def asking_lines(script: Script) -> frozenset[int]:
    """The lines of each `read` whose input is the script's own: no pipe, file or here-document."""
    index = LineIndex(script.text)
    fed = []
    for pipeline in script.every_pipeline():
        for segment in pipeline.segments:
            gets = any(it.operator.startswith("<") for it in segment.redirections)
            if gets or segment is not pipeline.segments[0]:
                fed.append(segment.span)
    return frozenset(
        index.line_of(segment.span.start) + 1
        for pipeline in script.every_pipeline()
        for segment in pipeline.segments
        if segment.command_word in _READS
        and not any(it.start <= segment.span.start < it.end for it in fed)
    )


def _conditions(
    branch: _Branch,
    unknown: dict[str, UnknownValue],
    captured: Callable[[int, int], str | None],
) -> Iterator[tuple[int, int, UnknownValue]]:
    """What the bodies of a branch rely on."""
    for name in branch.reads:
        if name in unknown:
            yield branch.body_first, branch.body_last, unknown[name]
    command = captured(branch.first, branch.last) if branch.captures else None
    if command is not None:
        why = UnknownValue("$(…)", branch.first, command)
        yield branch.body_first, branch.body_last, why


def _with(
    command: RehearsedCommand, found: dict[str, UnknownValue], files: dict[str, UnknownValue]
) -> RehearsedCommand:
    all_found = dict(found)
    if files:
        for word in command.argv[1:]:
            path = word if word.startswith("/") else f"{command.cwd}/{word}".replace("/./", "/")
            if path in files:
                all_found[path] = files[path]
        cwd = f"{command.cwd}/"
        all_found |= {path: why for path, why in files.items() if cwd.startswith(f"{path}/")}
    if not all_found:
        return command
    return attrs.evolve(command, depends_on=tuple(all_found.values())[:MOST_TOLD])


def _take(
    each: _Set, unknown: dict[str, UnknownValue], captured: Callable[[int, int], str | None]
) -> None:
    command = captured(each.first, each.last) if each.captures else None
    why: UnknownValue | None = None
    if command is not None:
        why = UnknownValue("", each.first, command)
    else:
        why = next((unknown[name] for name in each.reads if name in unknown), None)
    for name in each.names:
        if why is not None:
            unknown[name] = attrs.evolve(why, name=name)
        else:
            unknown.pop(name, None)


def _found(script: Script, index: LineIndex) -> tuple[list[_Set], list[_Branch]]:
    sets: list[_Set] = []
    branches: list[_Branch] = []
    for pipeline in script.every_pipeline():
        for segment in pipeline.segments:
            sets += _sets(segment, pipeline, script, index)
            if segment.kind in _CONDITIONAL:
                branches += _branches(segment, script, index)
    return sets, branches


def _sets(segment: Segment, pipeline: Pipeline, script: Script, index: LineIndex) -> Iterator[_Set]:
    first = index.line_of(segment.span.start) + 1
    last = index.line_of(max(segment.span.start, segment.span.end - 1)) + 1
    text = script.source(segment.span)
    names: tuple[str, ...] = ()
    if segment.kind is SegmentKind.SIMPLE and not segment.words:
        names = tuple(it.name for it in segment.assignments)
    elif segment.command_word in _DECLARES:
        written = (script.source(it) for it in segment.words[1:])
        names = tuple(it.partition("=")[0] for it in written if "=" in it)
    elif segment.command_word in _READS:
        written = (script.source(it) for it in segment.words[1:])
        names = tuple(it for it in written if _NAME.fullmatch(it))
        text = script.source(pipeline.span)
    elif segment.kind in _LOOPS and segment.words:
        names = (script.source(segment.words[0]),)
        # The words of the loop are on its first line, or up to `do`.
        body = segment.bodies[0].pipelines if segment.bodies else ()
        end = body[0].span.start if body else segment.span.end
        text = script.text[segment.span.start : end]
        last = index.line_of(max(segment.span.start, end - 1)) + 1
    if names:
        # `x=1` reads nothing of its own name, `x=$x.1` does.
        captures = "$(" in text or "`" in text or "<(" in text or segment.command_word in _READS
        yield _Set(first, last, names, frozenset(_REFERENCE.findall(text)), captures)


def _branches(segment: Segment, script: Script, index: LineIndex) -> Iterator[_Branch]:
    conditions = [it for it in segment.bodies if it.role is Role.CONDITION and it.pipelines]
    bodies = [it for it in segment.bodies if it.role is not Role.CONDITION and it.pipelines]
    if not bodies:
        return
    end = index.line_of(max(segment.span.start, segment.span.end - 1)) + 1
    body = index.line_of(bodies[0].pipelines[0].span.start) + 1
    first = index.line_of(segment.span.start) + 1
    pieces = [script.source(it.span) for each in conditions for it in each.pipelines]
    last = first
    if segment.kind is SegmentKind.CASE:
        pieces = [script.source(it) for it in segment.words]
    elif conditions:
        last = index.line_of(max(it.span.end - 1 for it in conditions[0].pipelines)) + 1
    reads = frozenset(name for it in pieces for name in _REFERENCE.findall(it))
    captures = any("$(" in it or "`" in it for it in pieces)
    yield _Branch(first, last, reads, captures, body, end)
