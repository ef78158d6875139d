"""Starts the LSP and MCP servers for the command line: frontends do not import each other."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def serve_lsp() -> NoReturn:
    """Speak LSP on standard input and output; ends with the exit status."""
    _import_nothing_from_here()
    from zsh_ls.server.main import main  # noqa: PLC0415  only the frontend that runs is imported

    main()


def serve_mcp(*, colour: bool, shell: str | None = None) -> int:
    """Speak MCP on standard input and output; gives the exit status."""
    _import_nothing_from_here()
    from zsh_ls.mcp.main import main  # noqa: PLC0415

    return main(colour=colour, shell=shell)


def _import_nothing_from_here() -> None:
    """Drop the current folder from `sys.path`: editors start this program in the workspace.

    Otherwise a module of the workspace could be imported and run. The folders that zsh-ls and
    its Python are installed in stay, even below the current one.
    """
    here = os.path.realpath(os.getcwd())
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    site = getattr(sys.modules.get("site"), "USER_SITE", None)
    own = (package, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, site)
    roots = [os.path.realpath(root) for root in own if root]

    def is_of_the_workspace(folder: str) -> bool:
        real = os.path.realpath(folder)
        is_own = real == roots[0] or any(real.startswith(root + os.sep) for root in roots[1:])
        return not is_own and (real == here or real.startswith(here + os.sep))

    sys.path[:] = [it for it in sys.path if not is_of_the_workspace(it) or not os.path.isdir(it)]
