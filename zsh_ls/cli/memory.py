"""The memory of this user, opened by a command that works on it directly, and what such commands print."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TextIO

from zsh_ls.alan.compat.ancestor import copy_beside
from zsh_ls.alan.importers import Summary
from zsh_ls.alan.learning.reading_ahead import ReadingAhead
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.location import local_path
from zsh_ls.alan.store.store import Store
from zsh_ls.alan.terminal import spool_beside
from zsh_ls.sidecar.config import Places, Settings, from_environment

_SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


@contextmanager
def memory_of_this_user() -> Iterator[Store]:
    """The store that servers of this user share; raises `Unusable` where it cannot be written."""
    with memory_read_ahead() as (store, _):
        yield store


@contextmanager
def memory_read_ahead() -> Iterator[tuple[Store, ReadingAhead]]:
    """The same, with what reads the commands of a long history ahead for it."""
    settings = _settings()
    ahead = ReadingAhead(tuple(settings.redact))
    path = path_of_memory(settings)
    connection = open_database(path)
    store = Store(connection, half_life_h=settings.half_life_h, trace=ahead.trace)
    try:
        store.take_in_ancestor()
        store.take_in_terminal(spool_beside(path))
        yield store, ahead
    finally:
        ahead.close()
        store.close()


def _settings() -> Settings:
    settings, problems = from_environment(os.environ)
    for problem in problems:
        print(f"zsh-ls: {problem}", file=sys.stderr)
    return settings


def path_of_memory(settings: Settings) -> Path:
    """Where the memory of this user is."""
    chosen = Path(settings.database) if settings.database else Places.of_this_user().database
    return local_path(chosen)


def drop_copy() -> Path | None:
    """Remove the copy of a zsh-tool database that was kept beside the memory; gives where it was."""
    copy = copy_beside(path_of_memory(from_environment(os.environ)[0]))
    if not copy.exists():
        return None
    copy.unlink()
    return copy


def progress_on(stream: TextIO) -> Callable[[Summary], None] | None:
    """Shows on a terminal how far an import is; on anything else there is nothing to show."""
    if not stream.isatty():
        return None

    def show(summary: Summary) -> None:
        print(f"\r{summary.seen:,} rows, {summary.taken:,} new", end="", file=stream, flush=True)

    return show


def print_summary(summary: Summary, path: Path, *, as_json: bool) -> None:
    """What was taken and what was left, and what the source did not know."""
    if as_json:
        print(json.dumps(_as_json(summary)))
        return
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{summary.taken:,} runs taken in from {path}")
    if summary.known_before:
        print(f"{summary.known_before:,} were known already")
    for reason, count in summary.left.most_common():
        print(f"{count:,} left: {reason}")
    if summary.without_exit:
        print(f"{summary.without_exit:,} without an exit: they count for no success and no failure")
    if summary.without_duration:
        print(f"{summary.without_duration:,} without a duration: they are no samples of estimates")


def _as_json(summary: Summary) -> dict[str, object]:
    return {
        "taken": summary.taken,
        "known_before": summary.known_before,
        "left": dict(summary.left),
        "without_exit": summary.without_exit,
        "without_duration": summary.without_duration,
    }


def moment(text: str, now: float) -> float | None:
    """The Unix time that `2h` (ago) or an ISO 8601 time, local without a zone, means; else None."""
    if span := _SPAN.fullmatch(text.strip()):
        return now - float(span[1]) * _SECONDS[span[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError):
        return None
