"""Show what runs in this workspace's server, whoever started it.

An editor, an agent and `zsh-ls run --shared` in one workspace share one list.
Without a server there is none.

    zsh-ls tasks             the tasks that run
    zsh-ls tasks --all       and those that have ended and are kept
    zsh-ls tasks --watch     live, with keys to look at, type into and stop them
"""

from __future__ import annotations

import argparse
import sys

# The server within an editor's extension comes without the libraries that draw.
NOT_INSTALLED = "zsh-ls: --watch needs libraries that are not installed: pip install rich textual"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls tasks` takes."""
    parser.add_argument("--all", action="store_true", help="the ended ones that are kept, too")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="as JSON")
    shown.add_argument("--watch", action="store_true", help="a full-screen view that keeps up")


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or watch it."""
    from zsh_ls.cli.servers import NO_SERVER, may_have_server

    if not arguments.watch and not may_have_server():
        print(NO_SERVER, file=sys.stderr)
        if arguments.json:
            print('{"tasks": [], "count": 0}')
        return 0
    from zsh_ls.cli.session import run_reporting_errors

    if arguments.watch:
        try:
            from zsh_ls.cli.watching import watch
        except ModuleNotFoundError as missing:
            if missing.name not in ("rich", "textual"):
                raise
            print(NOT_INSTALLED, file=sys.stderr)
            return 1
        return run_reporting_errors(watch())
    from zsh_ls.cli.task_list import print_tasks

    return run_reporting_errors(print_tasks(arguments))
