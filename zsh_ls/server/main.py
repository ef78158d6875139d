"""Starting the server, in the order that makes the editor wait least."""

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
    """Answer `initialize`, then import the rest, serve, and exit.

    The server runs in a child process; the one that the editor started stays as its supervisor.
    """
    supervise()
    # Imports create many objects and little garbage: collecting every 700 objects, the default, takes
    # a tenth of the start; never collecting costs 10 MiB.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    # While a thread reads a long text, the loop would wait for Python's default of 5 ms after each
    # system call.
    sys.setswitchinterval(LOOP_WAITS_AT_MOST_S)
    wire = boot.take_wire()
    beginning = boot.begin(wire, _shells)

    # Imported after the first answer, as they import everything large.
    from .opening import open_sidecar, settings_of_this_process  # noqa: PLC0415
    from .server import ShellLanguageServer  # noqa: PLC0415
    from .session import serve  # noqa: PLC0415

    settings, problems = settings_of_this_process()
    server = ShellLanguageServer(open_sidecar, settings, _shells, problems)
    server.warnings.attach()
    _leave(serve(server, wire, beginning))


def _leave(status: int) -> NoReturn:
    """Exit at once, without waiting for threads that may still read a long text."""
    logging.shutdown()
    flush()
    os._exit(status)


def _shells(client: Client) -> dict[str, str]:
    """The versions of installed shells; no executable in an untrusted workspace is run."""
    programs.distrust(() if client.is_trusted_at_first else client.folders)
    return known_shells.remembered() or _ask_shells()


def _ask_shells() -> dict[str, str]:
    """Run each shell for its version, at the first start and when a shell has changed."""
    from zsh_ls.tasks.process.shells import find_shells  # noqa: PLC0415

    versions = {shell.kind: shell.version for shell in find_shells()}
    known_shells.remember(versions)
    return versions
