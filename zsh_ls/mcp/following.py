"""Progress of a task while a call waits for it, for clients that request it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zsh_ls.model.results import Progress

from .tool import ToolCall


@contextmanager
def following(call: ToolCall, is_meant: Callable[[Progress], bool]) -> Iterator[None]:
    """Within the context, progress for which `is_meant` is true is reported to the caller."""
    report = call.report
    if report is None:
        yield
        return

    def hear(news: Progress) -> None:
        if is_meant(news):
            report(news)

    unsubscribe = call.sidecar.on_progress(hear)
    try:
        yield
    finally:
        unsubscribe()


def said(news: Progress) -> str:
    """One line: how far the task is, its usual duration, and the last line it printed."""
    estimate = news.poll_meta.alan_estimate if news.poll_meta else None
    usual = (
        f"{estimate.completion_probability:.0%} of such runs have ended by now"
        if estimate
        else None
    )
    last = news.output.rstrip("\n").rpartition("\n")[2]
    return " · ".join(filter(None, [f"{news.elapsed_seconds:.0f}s", usual, last]))
