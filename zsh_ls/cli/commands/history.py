"""Search what was run, here first, and put a line on the prompt.

WORDs are parts of the line, in any order and case. On a terminal it is a
full-screen list: type to search, Enter takes the line, Tab only the lines of
this project, Escape leaves. With the hook of `zsh-ls init` the line stands on
the prompt then; nothing is run. Elsewhere it is a list, newest first.
"""

from __future__ import annotations

import argparse
import os
import sys

CANCELLED, FAILED = 1, 125
# The server within an editor's extension comes without the libraries that draw.
NOT_INSTALLED = "zsh-ls: the list needs libraries that are not installed: pip install rich textual"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls history` takes."""
    parser.add_argument("words", nargs="*", metavar="WORD", help="what the line holds")
    parser.add_argument("--here", action="store_true", help="of the project of this folder alone")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--limit", type=int, default=50, help="how many lines, 50 by default")
    parser.add_argument("--pick", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or the line that was chosen in it."""
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.history import History
    from zsh_ls.sidecar.memory import MemoryUnavailable
    from zsh_ls.system.projects import current_folder

    is_list = arguments.json or not (sys.stdin.isatty() and _draws(arguments.pick))
    # Without `--here` the folder only says which lines come first, and it may have been removed.
    folder = os.getcwd() if arguments.here else current_folder() or os.sep
    try:
        history = History(settings_here(), folder, only_here=arguments.here)
    except (MemoryUnavailable, OSError) as problem:
        print(f"zsh-ls: {problem}", file=sys.stderr)
        return FAILED
    if is_list:
        from zsh_ls.cli.picking.listing import print_lines

        return print_lines(history, arguments.words, arguments.limit, as_json=arguments.json)
    try:
        from zsh_ls.cli.picking import pick
    except ModuleNotFoundError as missing:
        if missing.name not in ("rich", "textual"):
            raise
        print(NOT_INSTALLED, file=sys.stderr)
        return FAILED
    line = pick(history, " ".join(arguments.words) or os.environ.get("ZSH_LS_QUERY", ""))
    if not arguments.pick and _is_put_on_prompt(line or ""):
        return 0  # to leave the list is no failure, for memory and for the prompt
    if line is None:
        return CANCELLED
    print(line)
    return 0


def _is_put_on_prompt(line: str) -> bool:
    """Whether the shell that started this program puts the line on its prompt."""
    from zsh_ls.alan.terminal import put_on_prompt, spool_beside
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.memory import path_chosen

    try:
        return put_on_prompt(spool_beside(path_chosen(settings_here())), os.getppid(), line)
    except OSError:
        return False


def _draws(is_captured: bool) -> bool:
    """Whether there is a terminal to draw on; a shell that waits for the line has standard output."""
    shown = sys.stderr if is_captured else sys.stdout
    return shown.isatty() and os.environ.get("TERM") != "dumb"
