"""What of a script can be run where it stands: all of it, and the lines that were run before (DOC-7).

A lens takes a line of the screen, so it must be worth one. A line that nobody
ever ran by itself has none: most lines of a script make sense only within it.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from zsh_ls.insights.history import lens
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Script, SegmentKind
from zsh_ls.model.words import Basis
from zsh_ls.shell.ide.cursor import with_heredocs
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread
from zsh_ls.sidecar.documents.insights import Scripts

from .types import Lens, LensKind

BEGINNING = Span(0, 0)


async def lenses(scripts: Scripts, uri: str) -> list[Lens]:
    """Those of an open document as it stands now; none where it is not open."""
    read = await scripts.readings.reading(uri)
    if read is None:
        return []
    known = await scripts.histories(read)
    past = await scripts.history_of_script(uri)
    script = read.script
    return await run_maybe_in_thread(
        len(script.text), lambda: [*_of_script(script, past), *_of_lines(script, known)]
    )


def _of_script(script: Script, past: CommandHistory) -> Iterator[Lens]:
    """Run and trace; a library, which defines functions and no more, does nothing when it is run."""
    if any(not _defines(pipeline) for pipeline in script.pipelines):
        yield Lens(LensKind.SCRIPT, BEGINNING, lens(_of_itself(past)))
        yield Lens(LensKind.TRACE, BEGINNING)


def _of_itself(past: CommandHistory) -> CommandHistory:
    """How long other scripts take says nothing of this one."""
    if past.estimate is None or past.estimate.basis is Basis.COMMAND:
        return past
    return attrs.evolve(past, estimate=None)


def _defines(pipeline: Pipeline) -> bool:
    return all(
        segment.kind is SegmentKind.FUNCTION and not segment.command_word
        for segment in pipeline.segments
    )


def _of_lines(script: Script, known: list[tuple[Span, CommandHistory]]) -> list[Lens]:
    """The commands that were run before, with their here-documents."""
    shown = list(_outermost(script, known))
    spans = with_heredocs(script, [span for span, _ in shown])
    return [
        Lens(LensKind.LINE, span, lens(past)) for span, (_, past) in zip(spans, shown, strict=True)
    ]


def _outermost(
    script: Script, known: list[tuple[Span, CommandHistory]]
) -> Iterator[tuple[Span, CommandHistory]]:
    """Of a list and its parts only the list."""
    begins = {pipeline.span.start for pipeline in script.pipelines}
    ends = {pipeline.span.end for pipeline in script.pipelines}
    until = 0
    for span, past in sorted(known, key=lambda one: (one[0].start, -one[0].end)):
        is_outermost = span.start in begins and span.end in ends
        if is_outermost and past.runs and span.start >= until:
            until = span.end
            yield span, past
