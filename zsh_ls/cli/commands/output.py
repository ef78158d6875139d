"""Print the whole output of a past run.

Without a TASK, of the last one of this workspace that ended.

    zsh-ls output                    everything, as a terminal would show it
    zsh-ls output --lines 100:200    from line 100 to line 200, both included
    zsh-ls output 3f9a01bc --raw     the very bytes
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls output` takes."""
    parser.add_argument(
        "task", nargs="?", metavar="TASK", help="a task id, as the status line shows it"
    )
    parser.add_argument(
        "--lines", type=_range, metavar="A:B", help="lines A to B, 1-based; either may be left out"
    )
    parser.add_argument(
        "--raw", action="store_true", help="the bytes as they came, escape codes and all"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the output page by page, so that a GiB needs no GiB of memory."""
    from zsh_ls.cli.paging import print_output
    from zsh_ls.cli.session import with_sidecar

    return with_sidecar(lambda sidecar: print_output(sidecar, arguments))


def _range(text: str) -> tuple[int | None, int | None]:
    first, colon, last = text.partition(":")
    try:
        low, high = (int(part) if part else None for part in (first, last if colon else first))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected A:B, two line numbers, got {text!r}") from None
    if any(number is not None and number < 1 for number in (low, high)):
        raise argparse.ArgumentTypeError("lines are counted from 1")
    return low, high
