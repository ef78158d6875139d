"""Hovers on the word under the pointer: nothing of it is run, and no program is started to find out.

Only what can be told is said: a word that is only an argument and a flag that no
page tells of have no hover, a command that nobody knows has its fate alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial

from zsh_ls.answers.explain import explain_entries, explain_flag, explain_function
from zsh_ls.answers.failures import sentence
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.fates import Fate
from zsh_ls.shell.ide.cursor import PlacedWord, WordRole, command_at, pipeline_at, word_at
from zsh_ls.shell.ide.runnable import MAX_LINE_LENGTH
from zsh_ls.shell.manpages.page import page_names
from zsh_ls.shell.zsh_manual.lookup import ManualEntry, mentions
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread
from zsh_ls.sidecar.documents.insights import Scripts

from .types import Hover

# So many commands may begin before a place and still be around it, or stand before its command.
MOST_NESTED = 20


async def hover(
    scripts: Scripts,
    asking: Asking,
    uri: str,
    offset: int,
    now: float,
    *,
    tells_fate: bool = True,
) -> Hover | None:
    """What the word at a place does; at a command's beginning also what follows if it fails (FATE-8)."""
    read = await scripts.readings.parsed(uri)
    if read is None:
        return None
    placed = _word_at(read.script, offset)
    # An expansion in a word is told of before the word.
    found = await _by_manual(asking, read.script, offset)
    if found is None and placed is not None:
        found = await _described(asking, read.script, placed, offset, now)
    failures = await scripts.fates.known(uri) if tells_fate else None
    if failures is None:
        return found
    is_name = placed is not None and placed.part is WordRole.COMMAND
    fate = _fate_at(failures.commands, offset, is_name=is_name)
    if fate is None:
        return found
    start = fate.span.start
    word = placed.span if placed and is_name else Span(start, start + len(_first_word(fate)))
    return Hover(found.span if found else word, found.answer if found else None, sentence(fate))


def _word_at(script: Script, offset: int) -> PlacedWord | None:
    """The word of a command of ordinary length; None for one that is only an argument."""
    segment = command_at(script, offset)
    if segment is None or _is_long(segment.span):
        return None
    placed = word_at(script, segment, offset)
    return None if placed is None or placed.part is WordRole.ARGUMENT else placed


async def _by_manual(asking: Asking, script: Script, offset: int) -> Hover | None:
    """What zsh's manual says of the option, parameter, test, flags or qualifiers at a place.

    Of a test (`[[ -f x ]]`) in another shell that of test(1).
    """
    found = _mention_at(script, offset)
    if found is None:
        return None
    span, entries = found
    if script.dialect is Dialect.ZSH:
        return Hover(span, explain_entries(entries))
    page = await asking.pages.first(("test",)) if entries[0].kind == "test" else None
    answer = explain_flag(entries[0].name, page) if page else None
    return Hover(span, answer) if answer else None


def _mention_at(script: Script, offset: int) -> tuple[Span, Sequence[ManualEntry]] | None:
    pipeline = pipeline_at(script, offset)
    if pipeline is None:
        return None
    # Found around the place alone: whatever goes over the whole text would hold the loop up.
    start = script.text.rfind("\n", max(0, offset - MAX_LINE_LENGTH), offset) + 1
    end = script.text.find("\n", offset, offset + MAX_LINE_LENGTH)
    end = min(len(script.text), offset + MAX_LINE_LENGTH) if end < 0 else end
    if end - start > MAX_LINE_LENGTH:
        return None
    comment = bisect_left(script.comments, start, key=lambda it: it.start)
    if comment < len(script.comments):
        end = min(end, script.comments[comment].start)
    for place in mentions(script.text[start:end]):
        span = place.span.shifted(start)
        if span.start <= offset <= span.end:
            return span, place.entries
    return None


def _fate_at(fates: Sequence[Fate], offset: int, *, is_name: bool) -> Fate | None:
    """The fate of the innermost command around a place, if its first word or its name is there."""
    after = bisect_right(fates, offset, key=lambda it: it.span.start)
    near = fates[max(0, after - MOST_NESTED) : after]
    around = (it for it in near if offset < it.span.end)
    # Of commands that begin together the innermost ends first.
    inner = min(around, key=lambda it: (-it.span.start, it.span.end), default=None)
    if inner is None or is_name or offset <= inner.span.start + len(_first_word(inner)):
        return inner
    return None


def _first_word(fate: Fate) -> str:
    return "".join(fate.command.split(maxsplit=1)[:1])


async def _described(
    asking: Asking, script: Script, placed: PlacedWord, offset: int, now: float
) -> Hover | None:
    """What the flag at a place does, or the pipeline around a command's name, or a function of the script."""
    segment = command_at(script, offset)
    if segment is None:
        return None
    if placed.part is WordRole.FLAG:
        # What stands before it says whose flag it is: `git -C x log -n 5`, `sudo -u root ls -l`.
        before = script.source(Span(segment.span.start, placed.span.start))
        for dialect in (script.dialect, None):
            page = await asking.pages.first(page_names(before), dialect)
            answer = None if page is None else explain_flag(placed.word.text, page)
            if answer is not None:
                return Hover(placed.span, answer)
        return None
    found = await _of_command(asking, script, offset, placed.span, now)
    if found is not None:
        return found
    explained = partial(explain_function, script, placed.word.text)
    own = await run_maybe_in_thread(len(script.text), explained)
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
