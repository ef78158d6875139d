"""Remove what was remembered, and what was learnt from it.

    zsh-ls forget 'make deploy'            all runs of that command
    zsh-ls forget --since 2h               of the last two hours (s, m, h, d, w)
    zsh-ls forget --since 2026-11-20T09:30 what ran since then, local time
    zsh-ls forget --project ~/work/site    what ran in that folder's project
    zsh-ls forget --all                    everything; asks first, but for --yes

What an import brought and was forgotten does not come back with the next
import, except after --all. Kept outputs of tasks are not touched.
"""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhdw])")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
INTERNAL_ERROR_STATUS = 125
NOT_SURE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls forget` takes."""
    meant = parser.add_mutually_exclusive_group(required=True)
    meant.add_argument("line", nargs="?", metavar="COMMAND", help="a command line, as one argument")
    meant.add_argument("--since", metavar="T", help="a span of time or a moment")
    meant.add_argument("--project", metavar="DIR", help="a folder of the project")
    meant.add_argument("--all", action="store_true", help="everything")
    parser.add_argument("--yes", action="store_true", help="with --all: do not ask")


def run(arguments: argparse.Namespace) -> int:
    """Forget, and say how much."""
    from zsh_ls.answers.formatting import count
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.memory import MemoryUnavailable, forget, project_meant

    if arguments.all and not arguments.yes and not _is_sure():
        return NOT_SURE
    since = None if arguments.since is None else moment(arguments.since, time.time())
    if arguments.since is not None and since is None:
        print(
            f"zsh-ls: --since: expected 2h or 2026-11-20T09:30, got {arguments.since!r}",
            file=sys.stderr,
        )
        return INTERNAL_ERROR_STATUS
    try:
        forgotten, copy = forget(
            settings_here(), command=arguments.line, since=since, project=arguments.project
        )
    except MemoryUnavailable as error:
        print(f"zsh-ls: {error}", file=sys.stderr)
        return INTERNAL_ERROR_STATUS
    # A worktree's runs are its repository's.
    whose = "" if arguments.project is None else f" of {project_meant(arguments.project)}"
    print(f"{count(forgotten, 'run')}{whose} forgotten")
    if copy:
        print(f"{copy} removed")
    return 0


def _is_sure() -> bool:
    """Ask whether everything is to be forgotten; without a terminal nobody can say so."""
    if not sys.stdin.isatty():
        print("zsh-ls: forget --all asks on a terminal; without one, say --yes", file=sys.stderr)
        return False
    print("Forget all that is remembered? [y/N] ", end="", file=sys.stderr, flush=True)
    is_sure = sys.stdin.readline().strip().lower() in ("y", "yes")
    if not is_sure:
        print("Nothing is forgotten.", file=sys.stderr)
    return is_sure


def moment(text: str, now: float) -> float | None:
    """The Unix time that `2h` (ago) or an ISO 8601 time, local without a zone, means; else None."""
    if span := SPAN.fullmatch(text.strip()):
        return now - float(span[1]) * SECONDS[span[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError):
        return None
