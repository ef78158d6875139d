"""How one door starts another: the rooms of doors are strangers, and the command line opens them all."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def serve_lsp() -> NoReturn:
    """Speak LSP on standard input and output; ends with the exit status."""
    _import_nothing_from_here()
    from zsh_ls.server.main import main  # noqa: PLC0415  only the door that is opened is imported

    main()


def serve_mcp(*, colour: bool) -> int:
    """Speak MCP on standard input and output; gives the exit status."""
    _import_nothing_from_here()
    from zsh_ls.mcp.main import main  # noqa: PLC0415

    return main(colour=colour)


def _import_nothing_from_here() -> None:
    """Look for no module in the folder this was started in: editors start it in the workspace.

    What this program and its Python are installed in stays, wherever that is.
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
