"""Ends the server when the editor's process has ended, even if the pipes stay open.

It is a thread, so that a stuck event loop does not outlive its editor. On Linux a pidfd gives the end of
the process at once, whether it is reaped or not, and even if its id is reused.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable

from zsh_ls.system.exiting import LOST, PATIENCE_S, leave_within
from zsh_ls.system.process_ids import is_there

LOOK_EVERY_S = 5.0


def watch_client(process_id: int | None, leave: Callable[[], None]) -> None:
    """Call `leave` when the client's process or our parent has ended; exit if that does not help."""
    client = None if process_id is None else _handle(process_id)
    watching = (process_id, client, os.getppid(), leave)
    threading.Thread(target=_watch, args=watching, daemon=True).start()


def _watch(
    process_id: int | None, client: int | None, parent: int, leave: Callable[[], None]
) -> None:
    while os.getppid() == parent and not _has_ended(process_id, client):
        pass
    leave_within(PATIENCE_S, LOST)
    leave()


def _has_ended(process_id: int | None, handle: int | None) -> bool:
    """Whether the process has ended; waits up to LOOK_EVERY_S for that."""
    if process_id is not None and not is_there(process_id):
        return True
    if handle is None:
        time.sleep(LOOK_EVERY_S)
        return False
    end = select.poll()
    end.register(handle, select.POLLIN)
    return bool(end.poll(LOOK_EVERY_S * 1000))


def _handle(process_id: int) -> int | None:
    """A descriptor that becomes readable when the process ends; None without pidfds."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(process_id)
    except OSError:  # it has just ended, or is another user's: `is_there` is polled instead
        return None
