"""The facts of the machine this runs on: `here()` gives their reader.

Linux is read from /proc and /sys, everything else through psutil. A fact that
cannot be read is an `Unavailable`, never an exception.
"""

from __future__ import annotations

import os

from zsh_ls.model.machine import Machine

from .proc import ProcMachine


def here() -> Machine:
    """The reader for this machine."""
    if os.path.exists("/proc/meminfo"):
        return ProcMachine()
    # psutil is installed only where /proc is missing.
    from .psutil_facts import PsutilMachine  # noqa: PLC0415

    return PsutilMachine()
