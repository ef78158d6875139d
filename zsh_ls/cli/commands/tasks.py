"""Show what runs in this workspace's server, whoever started it.

An editor, an agent and `zsh-ls run --shared` in one workspace share one list; detached runs (`zsh-ls
run --detach`) are on it without a server too.

    zsh-ls tasks             the tasks that run
    zsh-ls tasks --all       ended ones too, and detached ones elsewhere
    zsh-ls tasks --watch     live, with keys to look at, type into and stop them
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

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
    from zsh_ls.cli.servers import ENDED_ELSEWHERE, NO_SERVER, may_have_detached, may_have_server

    is_there = arguments.watch or arguments.all or may_have_server() or may_have_detached()
    if not is_there:
        print(NO_SERVER, ENDED_ELSEWHERE, sep="\n", file=sys.stderr)
        if arguments.json:
            print('{"tasks": [], "count": 0}')
        return 0
    if arguments.watch:
        from zsh_ls.cli.session import run_reporting_errors

        try:
            from zsh_ls.cli.watching import watch
        except ModuleNotFoundError as missing:
            if missing.name not in ("rich", "textual"):
                raise
            print(NOT_INSTALLED, file=sys.stderr)
            return 1
        return run_reporting_errors(watch())
    from zsh_ls.cli.task_list import print_tasks

    return print_tasks(arguments)
