"""Ranges of commands together with their heredocs, whose lines follow the command."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script


def with_heredocs(script: Script, spans: Iterable[Span]) -> list[Span]:
    """The ranges of commands, each extended to the last line of its heredocs."""
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
    """The offset where the heredoc around `offset` is opened; `offset` itself if it is in none."""
    for heredoc in script.heredocs:
        if heredoc.span.start <= offset < heredoc.span.end:
            return heredoc.redirection.start
    return offset
