"""Finds the commands of a script that a user may also run interactively, so that memory knows them.

`statement_at` is what a person means by the line of the cursor: a list with all that it joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Script, SegmentKind
from zsh_ls.system.sorting import sorted_in_turns

# Python 3.11 takes ten times as long to look up a member of an enumeration as a name.
_NONE, _SIMPLE = Connector.NONE, SegmentKind.SIMPLE
MAX_LINE_LENGTH = 4_000  # longer ones are not typed in a terminal


def runnable_lines(script: Script) -> list[Span]:
    """The ranges of simple pipelines and of whole `a && b` lists, also in bodies, in order.

    Code in substitutions and compound commands are left out: a loop is part of a
    script, not a command in a history.
    """
    # A dict keeps the order, which is nearly sorted: sorting a set of 200,000 would block all other
    # threads for a quarter of a second, as a key of C would for a tenth.
    found = dict.fromkeys(_within(script.pipelines))
    short = (span for span in found if span[1] - span[0] <= MAX_LINE_LENGTH)
    return sorted_in_turns(short, _pair)


def statement_at(script: Script, offset: int) -> Span | None:
    """The innermost list of commands around a place, whole; None where it only defines functions.

    Before the first word of a line it is that word's.
    """
    line = script.text.rfind("\n", 0, offset) + 1
    if not script.text[line:offset].strip(" \t"):
        offset += len(script.text[offset:]) - len(script.text[offset:].lstrip(" \t"))
    found: list[Pipeline] = []
    around = _list_around(script.pipelines, offset)
    while around:
        found = around
        bodies = (
            body for pipeline in found for segment in pipeline.segments for body in segment.bodies
        )
        around = next(filter(None, (_list_around(body.pipelines, offset) for body in bodies)), [])
    segments = [segment for pipeline in found for segment in pipeline.segments]
    if all(it.kind is SegmentKind.FUNCTION and not it.command_word for it in segments):
        return None
    return Span(found[0].span.start, found[-1].span.end)


def _list_around(pipelines: Sequence[Pipeline], offset: int) -> list[Pipeline]:
    """The pipelines joined by `&&` and `||` whose text holds a place."""
    joined: list[Pipeline] = []
    for pipeline in pipelines:
        joined.append(pipeline)
        if pipeline.connector is Connector.NONE:
            if joined[0].span.start <= offset <= joined[-1].span.end:
                return joined
            joined = []
    if joined and joined[0].span.start <= offset <= joined[-1].span.end:
        return joined
    return []


def _within(pipelines: Sequence[Pipeline]) -> Iterator[Span]:
    waiting = [pipelines]
    while waiting:
        joined: list[Pipeline] = []
        for pipeline in waiting.pop():
            if pipeline.connector is not _NONE:
                joined.append(pipeline)
            elif joined:
                joined.append(pipeline)
                plain = [each.span for each in joined if _is_plain(each)]
                yield from plain
                if len(plain) == len(joined):
                    yield Span(joined[0].span.start, joined[-1].span.end)
                joined = []
            elif _is_plain(pipeline):
                yield pipeline.span
            for segment in pipeline.segments:
                if segment.bodies:
                    waiting += [body.pipelines for body in segment.bodies]


def _is_plain(pipeline: Pipeline) -> bool:
    return all(it.kind is _SIMPLE and it.words for it in pipeline.segments)


def _pair(span: Span) -> tuple[int, int]:
    start, end = span
    return start, end
