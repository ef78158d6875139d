"""From nothing to a running server, in the order that lets an editor wait least."""

from __future__ import annotations

import gc
import logging
import os
import sys
from typing import NoReturn

from zsh_ls.system import programs
from zsh_ls.system.exiting import flush
from zsh_ls.tasks.supervision.supervisor import supervise

from . import boot, known_shells
from .client import Client

OBJECTS_BETWEEN_COLLECTIONS = 20_000
LOOP_WAITS_AT_MOST_S = 0.001


def main() -> NoReturn:
    """Answer `initialize`, then import what the rest needs, serve, and end with the exit status.

    The process the editor started stays behind to watch over this one and its tasks.
    """
    supervise()
    # Imports make many objects and little garbage: looking for it every 700 objects, as is usual,
    # costs a tenth of the start; never looking costs 10 MiB.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    # Threads read long texts; Python's own 5 ms would be waited at each system call of the loop.
    sys.setswitchinterval(LOOP_WAITS_AT_MOST_S)
    wire = boot.take_wire()
    beginning = boot.begin(wire, _shells)

    # After the first answer: these import everything that is heavy.
    from .opening import open_sidecar, settings_of_this_process  # noqa: PLC0415
    from .server import ShellLanguageServer  # noqa: PLC0415
    from .session import serve  # noqa: PLC0415

    settings, problems = settings_of_this_process()
    server = ShellLanguageServer(open_sidecar, settings, _shells, problems)
    server.warnings.attach()
    _leave(serve(server, wire, beginning))


def _leave(status: int) -> NoReturn:
    """End now: everything is said and closed, and a thread may still be reading a long text for nobody."""
    logging.shutdown()
    flush()
    os._exit(status)


def _shells(client: Client) -> dict[str, str]:
    """The shells that are there for this client; none of a workspace that it does not trust is started."""
    programs.distrust(() if client.is_trusted_at_first else client.folders)
    return known_shells.remembered() or _shells_asked()


def _shells_asked() -> dict[str, str]:
    """The first start, or a shell has changed: each is asked for its version, which takes longer."""
    from zsh_ls.tasks.process.shells import find_shells  # noqa: PLC0415

    versions = {shell.kind: shell.version for shell in find_shells()}
    known_shells.remember(versions)
    return versions
