"""Explain a command: what it does, what is known of it, what its exits mean.

Nothing of it is run. Manual pages, A.L.A.N.'s memory and the static rules tell.
One COMMAND is a line of shell; several words are a command and its arguments.
"""

from __future__ import annotations

import shlex

from zsh_ls.cli.plain_arguments import REMAINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls explain` takes."""
    parser.usage = "zsh-ls explain [-h] [--json] COMMAND [ARG ...]"
    parser.add_argument("line", metavar="COMMAND", help="a line of shell, or a command")
    rest = parser.add_argument(
        "rest", nargs=REMAINDER, metavar="ARG", help="the command's own arguments"
    )
    rest.required = False  # argparse would name it among what is missing
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation."""
    from zsh_ls.lazy import loading

    loading.load_little()
    from zsh_ls.cli.answering import print_answer
    from zsh_ls.cli.session import with_sidecar

    words = [arguments.line, *arguments.rest]
    as_json = arguments.json or words[1:][-1:] == ["--json"]
    if as_json and not arguments.json:
        words.pop()
    command = shlex.join(words) if len(words) > 1 else words[0]
    return with_sidecar(lambda sidecar: print_answer(sidecar.explain(command), as_json=as_json))
