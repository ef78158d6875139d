"""What can be done about a place of a script: mend it, ignore what is said of it, run or explain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from zsh_ls.insights.suppression import ignore_fix
from zsh_ls.model.insight import Fix, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script, SegmentKind
from zsh_ls.shell.ide.cursor import command_at, heredoc_opening, pipeline_at, with_heredocs
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread
from zsh_ls.sidecar.documents.insights import Scripts
from zsh_ls.sidecar.documents.store import Read

from .types import Action, ActionKind, DocumentInsight

# A line of a megabyte may have thousands; nobody reads a longer menu.
MOST_MENDED = 20
# Helix and Kakoune have always something selected: the character below the cursor.
BLOCK_CURSOR = 1


async def actions(scripts: Scripts, uri: str, span: Span, *, may_run: bool) -> list[Action]:
    """What is offered at a place or for a selection, the mending first."""
    insights = await scripts.insights(uri)
    read = await scripts.readings.reading(uri)
    if read is None:
        return []
    found = partial(_found, read, insights, span, may_run=may_run)
    return await run_maybe_in_thread(len(read.script.text), found)


def _found(
    read: Read, insights: Sequence[DocumentInsight], span: Span, *, may_run: bool
) -> list[Action]:
    lines = _whole_lines(read.script.text, span)
    touched = [it for it in insights if it.span.start <= lines.end and lines.start <= it.span.end]
    mending = _mending(read.script, touched[:MOST_MENDED])
    everything = _of_everything(it.insight.fix for it in insights)
    return [*mending, *everything, *_running(read, span, may_run=may_run)]


def _whole_lines(text: str, span: Span) -> Span:
    """Someone who asks anywhere on a line asks about what is said of the line."""
    end = text.find("\n", span.end)
    return Span(text.rfind("\n", 0, span.start) + 1, end if end >= 0 else len(text))


def _mending(script: Script, insights: Sequence[DocumentInsight]) -> Iterator[Action]:
    for found in insights:
        if found.insight.fix is not None:
            fix = found.insight.fix
            yield Action(ActionKind.FIX, fix.title, found.span, fix.replacements, found)
    for found in insights:
        ignore = ignore_fix(script, found.insight)
        if ignore is not None:
            yield Action(ActionKind.IGNORE, ignore.title, found.span, ignore.replacements, found)


def _of_everything(fixes: Iterable[Fix | None]) -> Iterator[Action]:
    """All fixes of the document in one, those left out that touch an earlier one."""
    taken: list[Replacement] = []
    for replacements in sorted(fix.replacements for fix in fixes if fix is not None):
        if not taken or replacements[0].span.start > taken[-1].span.end:
            taken += replacements
    if taken:
        whole = Span(taken[0].span.start, taken[-1].span.end)
        yield Action(ActionKind.FIX_ALL, "Fix all that zsh-ls can", whole, tuple(taken))


def _running(read: Read, span: Span, *, may_run: bool) -> Iterator[Action]:
    """The selection, else the command of the line; what it does."""
    is_selection = span.end - span.start > BLOCK_CURSOR
    target = _selected(read.script.text, span) if is_selection else _line(read, span.start)
    if may_run and target is not None:
        title = "Run the selection" if is_selection else "Run this line"
        yield Action(ActionKind.RUN, title, target)
    if command_at(read.script, span.start) is not None:
        pipeline = pipeline_at(read.script, span.start)
        if pipeline is not None:
            yield Action(ActionKind.EXPLAIN, "Explain this command", pipeline.span)


def _selected(text: str, span: Span) -> Span | None:
    """A selection without the white space around it."""
    chosen = text[span.start : span.end]
    start = span.start + len(chosen) - len(chosen.lstrip())
    end = span.end - (len(chosen) - len(chosen.rstrip()))
    return Span(start, end) if start < end else None


def _line(read: Read, offset: int) -> Span | None:
    """The statement around a place, or around what opens the here-document there."""
    found = _statement(read, heredoc_opening(read.script, offset))
    return None if found is None else with_heredocs(read.script, [found])[0]


def _statement(read: Read, offset: int) -> Span | None:
    """The longest list of plain commands around a place, else the whole statement that is no definition."""
    around = [line for line in read.lines if line.start <= offset <= line.end]
    if around:
        return max(around, key=lambda line: line.end - line.start)
    for pipeline in read.script.pipelines:
        if pipeline.span.start <= offset <= pipeline.span.end:
            kinds = {segment.kind for segment in pipeline.segments}
            return None if SegmentKind.FUNCTION in kinds else pipeline.span
    return None
