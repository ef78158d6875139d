"""Formatting of a script (DOC-11): what shfmt writes, if it is the same commands, as edits of lines."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from zsh_ls.machine.shfmt import NAME, NotFormatted, NotInstalled, formatted
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.ide.same_commands import are_same
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar.documents.executor import run_in_thread
from zsh_ls.sidecar.documents.store import Readings, path_of

from .types import Edit

OTHER_COMMANDS = "shfmt would write other commands than these: nothing was changed."


async def format_edits(
    readings: Readings, uri: str, indent: int, within: Span | None = None
) -> list[Edit]:
    """The edits that format a script, or its lines within a range; `indent` blanks, 0 for tabs.

    Raises RequestRejected where shfmt cannot read it, or would write other commands.
    """
    parsed = await readings.parsed(uri)
    if parsed is None or parsed.too_costly:
        return []
    script = parsed.script
    try:
        text = await formatted(script.text, script.dialect, path_of(uri), indent)
    except NotFormatted as why:
        missing = NAME if isinstance(why, NotInstalled) else None
        raise RequestRejected(str(why), missing_program=missing) from None

    def edits() -> list[Edit]:
        if not are_same(script, parse(text, script.dialect)):
            raise RequestRejected(OTHER_COMMANDS)
        return _edits(script, text, within)

    return await run_in_thread(edits)


def _edits(script: Script, text: str, within: Span | None) -> list[Edit]:
    """What differs, in whole lines, ascending."""
    before, after = script.text.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found = []
    for first, last, new_first, new_last in _changes(before, after):
        span = Span(starts[first], starts[last])
        if within is None or (span.start < within.end and within.start < span.end):
            found.append(Edit(span, "".join(after[new_first:new_last])))
    return found


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Ranges of lines that differ, one by one where as many come as go: a range may want some of them."""
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for kind, first, last, new_first, new_last in codes:
        if kind == "replace" and last - first == new_last - new_first:
            for at in range(last - first):
                yield first + at, first + at + 1, new_first + at, new_first + at + 1
        elif kind != "equal":
            yield first, last, new_first, new_last
