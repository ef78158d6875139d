"""Say what zsh-ls finds here: shells, memory, terminal, environment; exits 1 where something is wrong."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls doctor` takes."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings."""
    from zsh_ls.cli.reports import print_doctor
    from zsh_ls.cli.session import with_sidecar

    return with_sidecar(lambda sidecar: print_doctor(sidecar, arguments))
