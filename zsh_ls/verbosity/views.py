"""The view of an output: the first row of the decision table that fits."""

from __future__ import annotations

import re

from .context import RenderContext
from .failures import failed
from .plan import Plan, whole
from .successes import succeeded

_URL = re.compile(r"https?://[^\s\"'<>)\]]*[\w/]")


def view(now: RenderContext) -> Plan:
    """What to show."""
    state = now.outcome.state
    if now.recorded.requested_full or state == "timed out":
        return whole(now.total)
    if state == "running":
        return _running(now)
    return failed(now) if state == "failed" else succeeded(now)


def _running(now: RenderContext) -> Plan:
    """Row 4: a server that runs is one line; of anything else nothing is left out while it runs."""
    if now.operation != "dev_server":
        return whole(now.total)
    found = _URL.search(now.lines.text)
    return Plan(now.total, instead=f"running {found[0]}" if found else "running")
