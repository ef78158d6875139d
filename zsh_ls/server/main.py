"""Starting the server, in the order that makes the editor wait least."""

from __future__ import annotations

import gc
import logging
import os
import sys
from typing import NoReturn

from zsh_ls.system.exiting import flush
from zsh_ls.tasks.supervision.supervisor import supervise

from . import boot, first_findings
from .known_shells import shell_versions

OBJECTS_BETWEEN_COLLECTIONS = 20_000
LOOP_WAITS_AT_MOST_S = 0.001


def main() -> NoReturn:
    """Answer `initialize`, tell the findings of a first script, import the rest, serve, and exit.

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
    beginning = first_findings.tell(wire, boot.begin(wire, shell_versions))

    # Imported after the first answer, as they import everything large.
    from . import lsp_types  # noqa: PLC0415

    lsp_types.load()
    from zsh_ls.sidecar.config import from_environment  # noqa: PLC0415

    from .server import ShellLanguageServer, open_sidecar  # noqa: PLC0415
    from .session import serve  # noqa: PLC0415

    settings, problems = from_environment(os.environ)
    server = ShellLanguageServer(open_sidecar, settings, shell_versions, problems)
    server.warnings.attach()
    leave(serve(server, wire, beginning))


def leave(status: int) -> NoReturn:
    """Exit at once, without waiting for threads that may still read a long text."""
    logging.shutdown()
    flush()
    os._exit(status)
