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

    from zsh_ls.cli.session import terminal_session
    from zsh_ls.sidecar.config_file import personal_settings
    from zsh_ls.sidecar.memory import terminal_hook

    # A shell's start is no place to complain of settings, or of a memory that cannot be written.
    hook = terminal_hook(
        personal_settings(os.environ).settings, arguments.shell, terminal_session()
    )
    if hook is not None:
        print(hook)
    return 0
