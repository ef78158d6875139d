"""A command and its here-documents: their lines stand behind it and belong to what it runs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script


def with_heredocs(script: Script, spans: Iterable[Span]) -> list[Span]:
    """Ranges of commands, each up to the last line of the here-documents that it opens."""
    heredocs = sorted(script.heredocs, key=lambda it: it.redirection)
    opened = [heredoc.redirection.start for heredoc in heredocs]
    grown = []
    for span in spans:
        own = heredocs[bisect_left(opened, span.start) : bisect_left(opened, span.end)]
        grown.append(Span(span.start, max([span.end, *(_end(script, it.span) for it in own)])))
    return grown


def _end(script: Script, span: Span) -> int:
    """The end of the last line, without its line end."""
    return span.end - 1 if script.text[span.end - 1 : span.end] == "\n" else span.end


def opening(script: Script, offset: int) -> int:
    """Where the here-document around a place is opened; the place itself where it is in none."""
    for heredoc in script.heredocs:
        if heredoc.span.start <= offset < heredoc.span.end:
            return heredoc.redirection.start
    return offset
