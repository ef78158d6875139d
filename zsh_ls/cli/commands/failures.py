"""What becomes of a script when each of its commands fails.

Prints each script with the fate of its commands beside the lines, and one line
of sum; nothing is run. A line has the worst fate of the commands that begin on
it, and those whose failure nobody notices are marked (`!`) and explained; a
fainter mark (`·`) is that of tests and of commands that hardly ever fail.

    stops           nothing else runs, and the script's exit is not 0
    stops-silently  nothing else runs, and the script's exit is 0
    handled         something else runs, and the script goes on
    reported        the same commands run, and the script's exit is not 0
    unnoticed       the same commands run, and the script's exit is 0
    unknown         the text does not tell

`-` reads standard input. The exit status is 0 whatever was found, 2 where a file
cannot be read or is no zsh, bash or sh script; the others are told all the same.

    zsh-ls failures deploy.sh
    zsh-ls failures --json *.sh | jq '.files[].counts.unnoticed'
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE…, --json."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a script, or -")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print what was found; 2 where a file could not be read."""
    from zsh_ls.cli.failing import print_failures

    return print_failures(arguments.files, as_json=arguments.json)
