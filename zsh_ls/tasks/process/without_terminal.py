"""What a command without a terminal is given instead of an editor and a pager (RUN-17)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from zsh_ls.lazy import re

_EDITOR_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "no-editor")
_ONE_WORD = re.compile(r"[\w/.+@,:-]+", re.ASCII)


def quoted(text: str) -> str:
    """`text` as one word of any shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _editor(file: str) -> str:
    """The value of EDITOR without a terminal: `file` itself, so that it can be started without a shell.

    A path that needs quoting, or that is not executable, is run by `/bin/sh`.
    """
    if _ONE_WORD.fullmatch(file) and os.access(file, os.X_OK):
        return file
    return f"/bin/sh {quoted(file)}"


WITHOUT_TERMINAL: Mapping[str, str] = {
    **dict.fromkeys(("GIT_EDITOR", "EDITOR", "VISUAL"), _editor(_EDITOR_FILE)),
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
"""Variables of a command without a terminal, so that nothing waits for an editor or a pager (RUN-17)."""
