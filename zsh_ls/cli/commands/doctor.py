"""Say what zsh-ls finds here; exits 1 where something is wrong.

Told are the shells, the memory, the settings, the terminal, the environment of
a login shell, the SDK that `zsh-ls mcp` needs, whether the terminal's shell
tells the memory what runs in it, agents' hooks, and the editors there are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls doctor` takes."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings."""
    from zsh_ls.cli.reports import print_doctor
    from zsh_ls.cli.session import with_sidecar

    return with_sidecar(lambda sidecar: print_doctor(sidecar, arguments))
