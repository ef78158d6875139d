"""Starting the MCP server: `zsh-ls mcp`.

`initialize` and `tools/list` are answered before the SDK is there, whose imports take a second of processor
time: agents wait for these answers before they show themselves, and some give a server up that is slow.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from zsh_ls.sidecar.config import Settings, changed
from zsh_ls.sidecar.config_file import personal_settings
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
    settings = _settings(shell)
    if settings is None:
        return 2
    opening = Opening()
    opening.answer()
    with opening.listing():
        # The SDK, after the answer.
        from .sdk import load_little  # noqa: PLC0415

        load_little()
        from .serving import serve  # noqa: PLC0415

    return serve(settings, colour=colour, shell=shell, opening=opening)


def _settings(shell: str | None) -> Settings | None:
    """The person's settings with this shell; None where it is none, which is said."""
    personal = personal_settings(os.environ)
    for problem in personal.problems:
        print(f"zsh-ls mcp: {problem}", file=sys.stderr)  # noqa: T201
    if shell is None:
        return personal.settings
    settings, wrong = changed(personal.settings, {"shell": shell})
    if wrong:
        problem = wrong[0].removeprefix("shell: ").partition(";")[0]
        print(f"zsh-ls mcp: --shell: {problem}", file=sys.stderr)  # noqa: T201
        return None
    return settings
