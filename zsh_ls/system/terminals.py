"""The name of a terminal session, by which memory knows what belongs to one terminal."""

from __future__ import annotations

import os
from pathlib import Path


def terminal_session(process: int = 0) -> str:
    """The session of a process, of this one for 0: the id of its leading shell and when that was started.

    The hooks of `zsh-ls init` work out the same name within the shell.
    """
    try:
        # A leader outside this container has no number here: the container's first process stands for it.
        leader = os.getsid(process) or 1
    except (OSError, OverflowError):
        return f"cli-{process}"
    try:
        status = Path(f"/proc/{leader}/stat").read_text(encoding="ascii", errors="replace")
        return f"cli-{leader}-{status.rpartition(')')[2].split()[19]}"
    except (OSError, IndexError):
        return f"cli-{leader}"
