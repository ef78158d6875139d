"""Arguments and output of the commands that change the memory."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TextIO

from zsh_ls.sidecar.config import Settings, from_environment
from zsh_ls.sidecar.memory import Summary

_SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def settings_of_terminal() -> Settings:
    """The settings from environment variables; prints what is wrong with them."""
    settings, problems = from_environment(os.environ)
    for problem in problems:
        print(f"zsh-ls: {problem}", file=sys.stderr)
    return settings


def progress_on(stream: TextIO) -> Callable[[Summary], None] | None:
    """A function that shows the progress of an import on a terminal; None for other streams."""
    if not stream.isatty():
        return None

    def show(summary: Summary) -> None:
        print(f"\r{summary.seen:,} rows, {summary.taken:,} new", end="", file=stream, flush=True)

    return show


def print_summary(summary: Summary, path: Path, *, as_json: bool) -> None:
    """Print what was imported and what was not, and what the source does not record."""
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
