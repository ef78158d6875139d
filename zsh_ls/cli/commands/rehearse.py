"""What a script would do, shown by running it in a sandbox.

A copy of the workspace (the nearest folder with .git, else this one if it holds the
script, else the script's) is all it can write, beside temporary folders of its own;
there is no network, no other process and no socket. Programs that only read run.
Those that work on files run where all they write is in the copy. All others are
stand-ins: they note how they were called, print nothing and succeed. Below each line
stands what ran or would have run, the files it would write, and what would destroy,
publish or reach the network. What it asks for it reads from the standard input, where
that is a file or a pipe.

With --fail what runs on that line fails, and what then differs is told; with
--fail-each each line in its turn, beside what `zsh-ls failures` says of it.

The exit status is 0 whatever the script did, 2 for wrong usage or a script that
cannot be read, 3 where there is no sandbox or the workspace is too large; then
nothing was run.

    zsh-ls rehearse deploy.sh staging
    zsh-ls rehearse --fail 7 deploy.sh
    yes | zsh-ls rehearse uninstall.sh
    zsh-ls rehearse --json clean.zsh | jq '.lines[].writes[]'
"""

from __future__ import annotations

import argparse
from typing import TypeVar

N = TypeVar("N", int, float)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls rehearse` takes."""
    parser.add_argument("script", metavar="SCRIPT", help="the script's file")
    words = parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARG", help="its own arguments"
    )
    words.required = False  # or argparse would say that it is missing together with SCRIPT
    parser.add_argument("--fail", type=_line, metavar="LINE", help="what runs on this line fails")
    parser.add_argument(
        "--fail-each", action="store_true", help="the same for every line, one after the other"
    )
    parser.add_argument(
        "--real", action="store_true", help="run the stand-ins' programs too, inside the sandbox"
    )
    parser.add_argument(
        "--timeout", type=_seconds, metavar="S", default=60.0, help="seconds for a run (60)"
    )
    parser.add_argument(
        "--max-copy", type=_size, metavar="MB", default=500, help="largest workspace to copy (500)"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Rehearse and print; 2 for a script that cannot be read, 3 where it is refused."""
    from zsh_ls.cli.rehearsing import print_rehearsal

    return print_rehearsal(arguments)


def _line(text: str) -> int:
    return _number(text, int, "a line, from 1", 1e9)


def _size(text: str) -> int:
    return _number(text, int, "megabytes from 1 to 1000000", 1_000_000)


def _seconds(text: str) -> float:
    return _number(text, float, "seconds above 0, at most 3600", 3600)


def _number(text: str, kind: type[N], expected: str, most: float) -> N:
    try:
        value = kind(text)
    except ValueError:
        value = kind(0)
    if not 0 < value <= most:
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
    return value
