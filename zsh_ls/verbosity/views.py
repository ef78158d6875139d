"""Chooses the view of an output: the first matching row of the decision table (docs/verbosity.md)."""

from __future__ import annotations

import re

from .context import RenderContext
from .failures import failed
from .plan import Plan, whole
from .successes import succeeded

_URL = re.compile(r"https?://[^\s\"'<>)\]]*[\w/]")


def view(now: RenderContext) -> Plan:
    """The plan for an output."""
    state = now.outcome.state
    if now.recorded.requested_full or state == "timed out":
        return whole(now.total)
    if state == "running":
        return _running(now)
    return failed(now) if state == "failed" else succeeded(now)


def _running(now: RenderContext) -> Plan:
    """Row 4: one line for a running server, everything for any other running command."""
    if now.operation != "dev_server":
        return whole(now.total)
    found = _URL.search(now.lines.text)
    return Plan(now.total, instead=f"running {found[0]}" if found else "running")
