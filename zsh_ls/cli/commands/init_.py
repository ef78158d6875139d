"""Print the code that lets the memory learn from your terminal.

~/.zshrc     eval "$(zsh-ls init zsh)"
~/.bashrc    eval "$(zsh-ls init bash)"

A leading space, a pattern in ZSH_LS_IGNORE or ZSH_LS_OFF=1 keeps commands out.
bash tells nothing of a line that its history did not take.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls init` takes."""
    parser.add_argument("shell", choices=["zsh", "bash"])


def run(arguments: argparse.Namespace) -> int:
    """Print the hook for this terminal, and make the folder it writes to."""
    import os

    from zsh_ls.alan.terminal import hook_for, spool_beside
    from zsh_ls.cli.memory import path_of_memory
    from zsh_ls.cli.session import terminal_session
    from zsh_ls.sidecar.config import from_environment
    from zsh_ls.system.private_folders import is_safe, make_private

    spool = spool_beside(path_of_memory(from_environment(os.environ)[0]))
    if spool.exists() and not is_safe(spool, is_ours=True):
        return 0  # what is there may be others'
    try:
        make_private(spool)
    except OSError:
        return 0  # a shell's start is no place to complain: there is nothing to learn into
    print(hook_for(arguments.shell, spool=spool, session=terminal_session()))
    return 0
