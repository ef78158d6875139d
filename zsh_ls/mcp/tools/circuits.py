"""Circuits as lines, for the two tools that show them."""

from __future__ import annotations

from zsh_ls.model.results import CircuitList


def lines(circuits: CircuitList) -> str:
    """One line a circuit that is not closed."""
    found = [
        f"{it.state} after {it.timeouts} timeouts, next try in {it.retry_in_s:.0f}s: {it.command}"
        for it in circuits.open
    ]
    return "\n".join(found) or "No command is blocked."
