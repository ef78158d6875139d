"""From nothing to a running server, in the order that lets an editor wait least."""

from __future__ import annotations

import gc
import sys

from zsh_ls.tasks.supervisor import supervise

from . import boot, known_shells

OBJECTS_BETWEEN_COLLECTIONS = 20_000
LOOP_WAITS_AT_MOST_S = 0.001


def main() -> int:
    """Answer `initialize`, then import what the rest needs, and serve; gives the exit status.

    The process the editor started stays behind to watch over this one and its tasks.
    """
    supervise()
    # Imports make many objects and little garbage: looking for it every 700 objects, as is usual,
    # costs a tenth of the start; never looking costs 10 MiB.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    # Threads read long texts; Python's own 5 ms would be waited at each system call of the loop.
    sys.setswitchinterval(LOOP_WAITS_AT_MOST_S)
    wire = boot.take_wire()
    shells = known_shells.remembered() or _shells_asked()
    beginning = boot.begin(wire, shells)

    # After the first answer: these import everything that is heavy.
    from .opening import open_sidecar, settings_of_this_process  # noqa: PLC0415
    from .server import Server  # noqa: PLC0415
    from .session import serve  # noqa: PLC0415

    settings, problems = settings_of_this_process()
    server = Server(open_sidecar, settings, shells, problems)
    server.warnings.attach()
    return serve(server, wire, beginning)


def _shells_asked() -> dict[str, str]:
    """The first start, or a shell has changed: each is asked for its version, which takes longer."""
    from zsh_ls.sidecar.shells import Shells  # noqa: PLC0415

    versions = dict(Shells().versions())
    known_shells.remember(versions)
    return versions
