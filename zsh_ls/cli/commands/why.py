"""Say why the last command failed: its exits, what memory knows, and a name that is near.

It is the last failed run of this terminal, else of the project; `zsh-ls why TASK` is of a
task whose output is kept. `zsh-ls why -` reads a run from standard input, as the key of
`zsh-ls init` gives it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

WRONG_USAGE = 2
LONGEST_RECORD = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls why` takes."""
    parser.add_argument("task", nargs="?", metavar="TASK", help="a task, or `-`: a record on stdin")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer."""
    from zsh_ls.cli.answering import print_answer
    from zsh_ls.cli.session import with_sidecar

    fields: list[str] = []
    if arguments.task is not None and arguments.task != "-":
        return with_sidecar(
            lambda sidecar: print_answer(sidecar.why_failed(arguments.task), as_json=arguments.json)
        )
    if arguments.task:
        text = sys.stdin.buffer.read(LONGEST_RECORD).decode("utf-8", "replace")
        fields = text.split("\0")[:-1]
    return with_sidecar(lambda sidecar: print_answer(sidecar.why(fields), as_json=arguments.json))
