"""Fill the memory from a history that is there.

zsh-ls import atuin                    from atuin's database
zsh-ls import zsh-history [FILE]       from zsh's extended history
zsh-ls import histdb [FILE]            from zsh-histdb's database
zsh-ls import zsh-tool [FILE]          from the database of zsh-tool

Exits and durations are taken where the source knows them and stay unknown
where it does not. Secrets are redacted on the way in. Nothing is taken twice;
interrupted with Ctrl-C, the next time goes on from there.
"""

from __future__ import annotations

import argparse

INTERNAL_ERROR_STATUS = 125


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls import` takes."""
    parser.add_argument("source", choices=["atuin", "zsh-history", "histdb", "zsh-tool"])
    parser.add_argument("file", nargs="?", metavar="FILE", help="where the history is")
    parser.add_argument("--json", action="store_true", help="the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Take the history in and say what was taken and what was left."""
    import os
    import sys

    from zsh_ls.cli.memory import print_summary, progress_on, settings_of_terminal
    from zsh_ls.sidecar.memory import MemoryUnavailable, import_history

    try:
        summary, path = import_history(
            settings_of_terminal(),
            arguments.source,
            arguments.file,
            os.environ,
            progress_on(sys.stderr),
        )
    except MemoryUnavailable as error:
        print(f"zsh-ls: {error}", file=sys.stderr)
        return INTERNAL_ERROR_STATUS
    print_summary(summary, path, as_json=arguments.json)
    return 0
