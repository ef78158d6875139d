"""Fill the memory from a history that is there.

zsh-ls import atuin                    from atuin's database
zsh-ls import zsh-history [FILE]       from zsh's extended history
zsh-ls import histdb [FILE]            from zsh-histdb's database
zsh-ls import zsh-tool [FILE]          from the database of zsh-tool

Exits and durations are taken where the source knows them and stay unknown
where it does not. Secrets are redacted on the way in. Nothing is taken twice;
interrupted with Ctrl-C, the next time goes on from there.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from zsh_ls.sidecar.memory import Summary

INTERNAL_ERROR_STATUS = 125


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls import` takes."""
    parser.add_argument("source", choices=["atuin", "zsh-history", "histdb", "zsh-tool"])
    parser.add_argument("file", nargs="?", metavar="FILE", help="where the history is")
    parser.add_argument("--json", action="store_true", help="the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Take the history in and say what was taken and what was left."""
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.memory import MemoryUnavailable, import_history

    # Millions of rows take a while; only a person looks on.
    on_progress = _print_progress if sys.stderr.isatty() else None
    try:
        summary, path = import_history(
            settings_here(), arguments.source, arguments.file, os.environ, on_progress
        )
    except MemoryUnavailable as error:
        print(f"zsh-ls: {error}", file=sys.stderr)
        return INTERNAL_ERROR_STATUS
    if arguments.json:
        fields = ("taken", "known_before", "left", "without_exit", "without_duration")
        print(json.dumps({name: getattr(summary, name) for name in fields}))
    else:
        _print_summary(summary, path)
    return 0


def _print_progress(summary: Summary) -> None:
    line = f"\r{summary.seen:,} rows, {summary.taken:,} new"
    print(line, end="", file=sys.stderr, flush=True)


def _print_summary(summary: Summary, path: Path) -> None:
    """Print what was imported and what was not, and what the source does not record."""
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
