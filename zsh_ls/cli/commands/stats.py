"""Show what A.L.A.N. remembers: in all, or of one command.

A.L.A.N. (As Long As Necessary) is the memory of what ran: how long commands
take, how they end and fail. Says whose history a figure rests on and how many
runs it counts. On a terminal the durations of one command are drawn, over time
and as a histogram.
"""

from __future__ import annotations

import shlex

from zsh_ls.cli.plain_arguments import REMAINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_OPTIONS = ("--own", "--here", "--json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls stats` takes."""
    parser.usage = "zsh-ls stats [-h] [--own] [--here] [--json] [COMMAND [ARG ...]]"
    parser.add_argument("line", nargs="?", metavar="COMMAND", help="a line of shell, or a command")
    parser.add_argument("rest", nargs=REMAINDER, metavar="ARG", help="the command's own arguments")
    parser.add_argument(
        "--own", action="store_true", help="leave out what was done by hand or imported"
    )
    parser.add_argument(
        "--here", action="store_true", help="of this folder's project, where COMMAND ran 5 times"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the figures."""
    from zsh_ls.lazy import loading

    loading.load_little()
    from zsh_ls.cli.reports import print_stats
    from zsh_ls.cli.session import with_sidecar

    # What stands behind the command is ours where it is one of our options.
    while arguments.rest and arguments.rest[-1] in _OPTIONS:
        setattr(arguments, arguments.rest.pop().removeprefix("--"), True)
    if arguments.rest:
        arguments.line = shlex.join([arguments.line, *arguments.rest])
    return with_sidecar(lambda sidecar: print_stats(sidecar, arguments))
