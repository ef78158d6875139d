"""Show what runs in this workspace's server, whoever started it.

An editor, an agent and `zsh-ls run --shared` in one workspace share one list.
Without a server there is none.

    zsh-ls tasks             the tasks that run
    zsh-ls tasks --all       and those that have ended and are kept
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls tasks` takes."""
    parser.add_argument("--all", action="store_true", help="the ended ones that are kept, too")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    from zsh_ls.cli.house import faults_said
    from zsh_ls.cli.task_list import print_tasks

    return faults_said(print_tasks(arguments))
