"""Show or reset the commands that NEVERHANG refuses after three timeouts.

NEVERHANG refuses a command for five minutes that ran into its time limit three
times within an hour in a project, so that nobody waits for it in vain again.

zsh-ls circuit                         the circuits that are not closed
zsh-ls circuit reset                   close them all
zsh-ls circuit reset 'sleep 1000'      close that command's
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls circuit` takes."""
    parser.add_argument("action", nargs="?", choices=["status", "reset"], default="status")
    parser.add_argument(
        "line", nargs="?", metavar="COMMAND", help="a command line, as one argument"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the circuits that are not closed."""
    from zsh_ls.cli.reports import print_circuit
    from zsh_ls.cli.session import with_sidecar

    return with_sidecar(lambda sidecar: print_circuit(sidecar, arguments))
