"""The lines of a script that a person would run by themselves, and so memory may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Script, SegmentKind

LONGEST_LINE = 4_000  # nobody runs a longer one by hand


def runnable_lines(script: Script) -> list[Span]:
    """The ranges of simple pipelines and of whole `a && b` lists, those in bodies too, in order.

    Code in substitutions is left out, and compound commands: a loop is run as
    part of a script, not as a line of history.
    """
    # In the order of the text already, or nearly: sorting a set of 200,000 takes a quarter of a second,
    # in which nobody else runs.
    found = dict.fromkeys(_within(script.pipelines))
    return sorted((span for span in found if span.end - span.start <= LONGEST_LINE), key=tuple)


def _within(pipelines: Sequence[Pipeline]) -> Iterator[Span]:
    joined: list[Pipeline] = []
    for pipeline in pipelines:
        if pipeline.connector is not Connector.NONE:
            joined.append(pipeline)
        elif joined:
            yield from _of_list([*joined, pipeline])
            joined = []
        elif _is_plain(pipeline):
            yield pipeline.span
        for segment in pipeline.segments:
            for body in segment.bodies:
                yield from _within(body.pipelines)


def _of_list(joined: Sequence[Pipeline]) -> Iterator[Span]:
    """The plain pipelines of one list, and the whole of it where all are plain."""
    plain = [pipeline.span for pipeline in joined if _is_plain(pipeline)]
    yield from plain
    if len(plain) == len(joined):
        yield Span(joined[0].span.start, joined[-1].span.end)


def _is_plain(pipeline: Pipeline) -> bool:
    for segment in pipeline.segments:
        if segment.kind is not SegmentKind.SIMPLE or not segment.words:
            return False
    return True
