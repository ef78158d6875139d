"""Asking a program of the system for a fact."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

TIMEOUT_S = 3.0


def output_of(command: Sequence[str]) -> str:
    """What a program prints; nothing where it is missing, fails or hangs."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True, errors="replace"
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
