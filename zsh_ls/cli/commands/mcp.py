"""Speak MCP over standard input and output: what agents start.

Joins the zsh-ls server of this workspace where an editor has started one, so
that person and agent share one list of tasks; else stands alone. Ends with its
standard input and takes its own tasks with it. Needs the extra: pip install
'zsh-ls[mcp]'. Configuration for common agents: docs/agents.md.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls mcp` takes."""
    parser.add_argument("--color", action="store_true", help="colour the texts (escape codes)")
    parser.add_argument(
        "--shell", metavar="S", help="runs all in this shell: zsh, bash, sh or a path"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve one agent; 1 where the SDK is not installed."""
    from zsh_ls._entry_points import serve_mcp

    return serve_mcp(colour=arguments.color, shell=arguments.shell)
