"""What is said of the word under a pointer: nothing of it is run, and nothing is started to find out.

Only what can be told is said: a word that is only an argument, a command that
nobody knows and a flag that no page tells of have no hover.
"""

from __future__ import annotations

from functools import partial

from zsh_ls.answers.explain import explain_flag, explain_function
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.ide.cursor import WordRole, command_at, pipeline_at, word_at
from zsh_ls.shell.ide.runnable import MAX_LINE_LENGTH
from zsh_ls.shell.manpages.page import page_names
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread
from zsh_ls.sidecar.documents.store import Readings

from .types import Hover


async def hover(
    readings: Readings, asking: Asking, uri: str, offset: int, now: float
) -> Hover | None:
    """What the flag at a place does, or the pipeline around a command's name, or a function of the script."""
    read = await readings.parsed(uri)
    segment = None if read is None else command_at(read.script, offset)
    if read is None or segment is None or _is_long(segment.span):
        return None
    placed = word_at(read.script, segment, offset)
    if placed is None or placed.part is WordRole.ARGUMENT:
        return None
    if placed.part is WordRole.FLAG:
        pages = page_names(read.script.source(segment.span))
        page = await asking.pages.first(pages, read.script.dialect)
        answer = None if page is None else explain_flag(placed.word.text, page)
        return None if answer is None else Hover(placed.span, answer)
    found = await _of_command(asking, read.script, offset, placed.span, now)
    if found is not None:
        return found
    explained = partial(explain_function, read.script, placed.word.text)
    own = await run_maybe_in_thread(len(read.script.text), explained)
    return None if own is None else Hover(placed.span, own)


async def _of_command(
    asking: Asking, script: Script, offset: int, span: Span, now: float
) -> Hover | None:
    """The answer of `zsh/explain` at the same place."""
    pipeline = pipeline_at(script, offset)
    if pipeline is None or _is_long(pipeline.span):
        return None
    command = script.source(pipeline.span)
    answer = await asking.explain(command, now, dialect=script.dialect)
    return None if answer.kind == "fallback" else Hover(span, answer)


def _is_long(span: Span) -> bool:
    return span.end - span.start > MAX_LINE_LENGTH
