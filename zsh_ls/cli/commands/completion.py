"""Print the code that completes the commands and options of zsh-ls itself.

    zsh-ls completion zsh >~/.zfunc/_zsh-ls       with ~/.zfunc in fpath
    zsh-ls completion bash >~/.local/share/bash-completion/completions/zsh-ls
    zsh-ls completion fish >~/.config/fish/completions/zsh-ls.fish

The folder has to be there (`mkdir -p`); bash looks into that one where the
package bash-completion is installed. A shell that is open already completes
after `exec zsh`, and the like. What commands and options there are comes from
this version: print it anew after an update, or, slower, let each new shell ask:
`source <(zsh-ls completion bash)`.
"""

from __future__ import annotations

import argparse
import sys

SHELLS = ("zsh", "bash", "fish")
# What an argument is, by the name that its help gives it.
FILES = {"FILE", "PATH", "SCRIPT"}
FOLDERS = {"DIR"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls completion` takes."""
    parser.add_argument("shell", choices=SHELLS)


def run(arguments: argparse.Namespace) -> int:
    """Print the completions for one shell."""
    import shtab

    from zsh_ls.cli import full_parser

    parser = full_parser()
    _tell_what_is_a_file(parser)
    sys.stdout.write(shtab.complete(parser, arguments.shell))
    return 0


def _tell_what_is_a_file(parser: argparse.ArgumentParser) -> None:
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _tell_what_is_a_file(command)
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
