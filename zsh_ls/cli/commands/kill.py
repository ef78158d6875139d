"""End a task with all its descendants, whoever started it.

The task is one of this workspace's server, or a detached one (`zsh-ls run --detach`) of any workspace. It
is asked to end first (TERM), and killed after two seconds; the answer comes when nothing is
left of it.

    zsh-ls kill 3f9a01bc
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls kill` takes."""
    parser.add_argument(
        "tasks", nargs="+", metavar="TASK", help="a task id, as the status line shows it"
    )


def run(arguments: argparse.Namespace) -> int:
    """End them; exits 1 where one of them could not be ended."""
    from zsh_ls.cli.killing import end_tasks
    from zsh_ls.cli.session import run_reporting_errors

    return run_reporting_errors(end_tasks(arguments.tasks))
