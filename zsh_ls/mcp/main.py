"""Starting the MCP server: `zsh-ls mcp`.

`initialize` is answered before the SDK is there, whose imports take most of a second: agents wait for that
answer before they show themselves, and some give a server up that is slow.
"""

from __future__ import annotations

import importlib.util
import sys

from zsh_ls.tasks.supervision.supervisor import supervise

from .opening import Opening

MISSING = "zsh-ls mcp: the MCP SDK is not installed; this installs it: {command}"


def main(*, colour: bool, shell: str | None = None) -> int:
    """Speak MCP on standard input and output until it ends; gives the exit status.

    The server runs in a child process; the process that was started stays as its supervisor.
    """
    supervise()
    if any(importlib.util.find_spec(it) is None for it in ("mcp", "mcp_types")):
        from zsh_ls.system.installation import adding  # noqa: PLC0415

        print(MISSING.format(command=adding("mcp")), file=sys.stderr)  # noqa: T201
        return 1
    # A shell that is none is said before anything is waited for.
    opening = Opening() if shell is None else None
    if opening is not None:
        opening.answer()
    from .serving import serve  # noqa: PLC0415  the SDK, after the answer

    return serve(colour=colour, shell=shell, opening=opening)
