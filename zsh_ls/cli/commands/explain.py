"""Explain a command: what it does, what is known of it, what its exits mean.

Nothing of it is run. Manual pages, A.L.A.N.'s memory and the static rules tell.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls explain` takes."""
    parser.add_argument("line", metavar="COMMAND", help="a command line, as one argument")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation."""
    from zsh_ls.cli.answering import print_answer
    from zsh_ls.cli.session import with_sidecar

    return with_sidecar(
        lambda sidecar: print_answer(sidecar.explain(arguments.line), as_json=arguments.json)
    )
