"""Speak LSP over standard input and output: what editors start.

Ends when the client says so, closes the pipe or vanishes, and takes every
task with it.
"""

from __future__ import annotations

from typing import NoReturn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `serve` takes; `--stdio` is the only way and may be left out."""
    parser.add_argument("--stdio", action="store_true", help="use standard input and output")


def run(args: argparse.Namespace) -> NoReturn:
    """Serve one client; the exit status is 0 only after a proper `shutdown`."""
    from zsh_ls._entry_points import serve_lsp

    serve_lsp()
