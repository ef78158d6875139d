"""The editor may die without a word: its process is watched, and the server goes when it has gone.

A thread, so that an event loop that is stuck does not outlive its editor. Where the kernel tells of a
process's end (Linux), it is known at once, be the dead one reaped or not, and whoever gets its number.
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
    """Call `leave` once the client's process or our parent has gone; end the process if that does not."""
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
    """Whether the process has ended; waits a while for it to."""
    if process_id is not None and not is_there(process_id):
        return True
    if handle is None:
        time.sleep(LOOK_EVERY_S)
        return False
    end = select.poll()
    end.register(handle, select.POLLIN)
    return bool(end.poll(LOOK_EVERY_S * 1000))


def _handle(process_id: int) -> int | None:
    """What becomes readable when the process ends; None where the system has no such thing."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(process_id)
    except OSError:  # it has just gone, or may not be watched: it is looked for
        return None
