"""Print the code that lets the memory learn from your terminal.

~/.zshrc                     eval "$(zsh-ls init zsh)"
~/.bashrc                    eval "$(zsh-ls init bash)"
~/.config/fish/config.fish   zsh-ls init fish | source

After a failure one dim line says what is news, Ctrl-X y tells why (where
that key was free), and `zsh-ls history` puts a line on the prompt, with
--ctrl-r at Ctrl-R too. A leading space, a pattern in ZSH_LS_IGNORE or
ZSH_LS_OFF=1 keeps commands out; ZSH_LS_QUIET=1 only the line. bash tells
nothing of a line that its history did not take. To undo it, remove the line.
"""

from __future__ import annotations

import sys

from zsh_ls.cli.terminal import SHELLS, text_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls init` takes."""
    parser.add_argument("shell", choices=SHELLS)
    parser.add_argument("--ctrl-r", action="store_true", help="search history with Ctrl-R")


def run(arguments: argparse.Namespace) -> int:
    """Print the hook."""
    sys.stdout.write(text_for(arguments.shell, ctrl_r=arguments.ctrl_r))
    return 0
