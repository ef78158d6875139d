"""Running a program of the system for a fact."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.system.bounded_probe import printed_by

TIMEOUT_S = 3.0


def output_of(command: Sequence[str]) -> str:
    """The output of a program; empty if it is missing, fails, hangs or prints too much."""
    return printed_by(command, timeout_s=TIMEOUT_S).decode("utf-8", "replace")
