"""What can be done in a script where it stands: code actions, and code lenses.

Code actions mend a place, ignore what is said of it, run or explain it, or tell why
its run failed. A code lens runs all of a script (DOC-7), or says how many of its
commands fail unnoticed (FATE-8): it takes a line of the screen and moves the text
below, so all stand above the first line. A single line is run by its code action or a
key, and what it left stands behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from zsh_ls.answers.failures import unnoticed_line
from zsh_ls.insights.history import lens
from zsh_ls.insights.suppression import ignore_fix
from zsh_ls.lazy import attrs, re
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Fix, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Script, SegmentKind
from zsh_ls.model.words import Basis
from zsh_ls.shell.ide.cursor import command_at, heredoc_opening, pipeline_at, with_heredocs
from zsh_ls.shell.ide.runnable import statement_at
from zsh_ls.shell.ide.test_files import Runner, command_of, runner_of, test_at
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread
from zsh_ls.sidecar.documents.insights import Scripts
from zsh_ls.sidecar.documents.store import Read, path_of

from .types import Action, ActionKind, DocumentInsight, Lens, LensKind

# A line of a megabyte may have thousands; nobody reads a longer menu.
MOST_MENDED = 20
# Helix and Kakoune have always something selected: the character below the cursor.
BLOCK_CURSOR = 1
BEGINNING = Span(0, 0)
# Their commands are the words of a test framework: what becomes of the file when one fails says nothing.
_TESTS = re.compile(r"(?:\.bats|\.zunit|_spec\.(?:sh|bash|zsh|ksh))\Z")
WHY = "Why did this fail?"
OWN_BASES = (Basis.EXACT, Basis.COMMAND)


async def actions(scripts: Scripts, uri: str, span: Span, *, may_run: bool) -> list[Action]:
    """What is offered at a place or for a selection, the mending first."""
    insights = await scripts.insights(uri)
    read = await scripts.readings.reading(uri)
    if read is None:
        return []
    found = partial(_found, read, insights, span, uri, may_run=may_run)
    offered = await run_maybe_in_thread(len(read.script.text), found)
    document = scripts.readings.find(uri)
    failed = [] if document is None else document.failed_tasks(span)
    asking = (Action(ActionKind.WHY, WHY, it.span, task_id=it.failed_task) for it in failed)
    return [*offered, *asking]


def _found(
    read: Read, insights: Sequence[DocumentInsight], span: Span, uri: str, *, may_run: bool
) -> list[Action]:
    # Someone who asks anywhere on a line asks about what is said of the line.
    text = read.script.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    end = end if end >= 0 else len(text)
    touched = [it for it in insights if it.span.start <= end and start <= it.span.end]
    mending = _mending(read.script, touched[:MOST_MENDED])
    everything = _of_everything(it.insight.fix for it in insights)
    return [*mending, *everything, *_running(read, span, uri, may_run=may_run)]


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


def _running(read: Read, span: Span, uri: str, *, may_run: bool) -> Iterator[Action]:
    """The selection, else the command of the line or the test that it is in; what it does."""
    is_selection = span.end - span.start > BLOCK_CURSOR
    runner, path = runner_of(read.script.text, uri), path_of(uri)
    if runner is not None and path is not None and not is_selection:
        test = test_at(runner, path, read.script.text, span.start) if may_run else None
        if test is not None:
            yield Action(ActionKind.RUN, "Run this test", test[0], command=test[1])
        may_run = False
    if is_selection:
        target = _selected(read.script.text, span)
    else:
        target = statement_at(read.script, heredoc_opening(read.script, span.start))
        if target is not None:
            (target,) = with_heredocs(read.script, [target])
    if may_run and target is not None:
        title = "Run the selection" if is_selection else "Run this line"
        yield Action(ActionKind.RUN, title, target)
    if command_at(read.script, span.start) is not None:
        pipeline = pipeline_at(read.script, span.start)
        if pipeline is not None:
            yield Action(ActionKind.EXPLAIN, "Explain this command", pipeline.span)


def lines_at(script: Script, span: Span) -> tuple[int, int] | None:
    """The lines, from 1, of the selection, else of the statement of the line; None where that has none."""
    text = script.text
    if span.end - span.start > BLOCK_CURSOR:
        target = _selected(text, span)
    else:
        line = text.rfind("\n", 0, heredoc_opening(script, span.start)) + 1
        target = statement_at(script, line)
        if target is not None:
            (target,) = with_heredocs(script, [target])
    if target is None:
        return None
    return text.count("\n", 0, target.start) + 1, text.count("\n", 0, target.end - 1) + 1


def _selected(text: str, span: Span) -> Span | None:
    """A selection without the white space around it; None where all of it is comments."""
    chosen = text[span.start : span.end]
    if all(line.lstrip()[:1] in ("", "#") for line in chosen.splitlines()):
        return None
    start = span.start + len(chosen) - len(chosen.lstrip())
    end = span.end - (len(chosen) - len(chosen.rstrip()))
    return Span(start, end) if start < end else None


async def lenses(scripts: Scripts, uri: str, *, may_run: bool) -> list[Lens]:
    """Those of an open document as it stands now; none where it is not open."""
    runnable = await _of_running(scripts, uri) if may_run else []
    # A huge text is not waited for: its lens comes once its fates are known.
    failures = await scripts.fates.known(uri)
    if failures is None or not failures.counts.unnoticed or _TESTS.search(uri):
        return runnable
    return [*runnable, Lens(LensKind.FAILURES, BEGINNING, unnoticed_line(failures.counts))]


async def _of_running(scripts: Scripts, uri: str) -> list[Lens]:
    read = await scripts.readings.reading(uri)
    if read is None:
        return []
    script = read.script
    runner = runner_of(script.text, uri)
    if runner is not None:
        return _of_tests(runner, uri)
    whole = await scripts.history_of_script(uri)
    return await run_maybe_in_thread(len(script.text), lambda: list(_of_script(script, whole)))


def _of_tests(runner: Runner, uri: str) -> list[Lens]:
    """Files of tests are run by their runner; no shell can run, trace or rehearse what is in them."""
    path = path_of(uri)
    if path is None:
        return []
    return [Lens(LensKind.BLOCK, BEGINNING, command=command_of(runner, path))]


def _of_script(script: Script, history: CommandHistory) -> Iterator[Lens]:
    """Run, trace and rehearse; a library, of functions and no more, does nothing when it is run."""
    if any(not _defines(pipeline) for pipeline in script.pipelines):
        if history.estimate is not None and history.estimate.basis not in OWN_BASES:
            # How long other scripts take says nothing of this one.
            history = attrs.evolve(history, estimate=None)
        yield Lens(LensKind.SCRIPT, BEGINNING, lens(history))
        yield Lens(LensKind.TRACE, BEGINNING)
        yield Lens(LensKind.REHEARSE, BEGINNING)


def _defines(pipeline: Pipeline) -> bool:
    return all(
        segment.kind is SegmentKind.FUNCTION and not segment.command_word
        for segment in pipeline.segments
    )
