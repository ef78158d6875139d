"""A process that is to end ends: whatever its event loop or one of its threads is stuck in."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable

PATIENCE_S = 3.0
"""How long an orderly end may take; what it starts is ended by who watches over it, within a second more."""
LOST = 1


def leave_within(seconds: float, status: int) -> Callable[[], None]:
    """End this process with `status` in so many seconds, if it lasts; gives what calls it off."""
    called_off = threading.Event()
    threading.Thread(target=_leave, args=(seconds, status, called_off), daemon=True).start()
    return called_off.set


def flush() -> None:
    """Let what was printed reach its reader, as an end without ceremony would not."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody listens any more
            stream.flush()


def leave_with(descriptor: int, seconds: float = PATIENCE_S) -> None:
    """End this process so long after the other end of a pipe, socket or terminal has closed.

    What still lies in it may be read meanwhile.
    """
    if hasattr(select, "poll"):
        threading.Thread(target=_watch, args=(descriptor, seconds), daemon=True).start()


def _watch(descriptor: int, seconds: float) -> None:
    ends = select.poll()
    # What is there to be read is no news here, but that nothing more will come is.
    ends.register(descriptor, getattr(select, "POLLRDHUP", 0))
    while not ends.poll():
        pass
    _leave(seconds, LOST, threading.Event())


def _leave(seconds: float, status: int, called_off: threading.Event) -> None:
    if not called_off.wait(seconds):
        os._exit(status)
