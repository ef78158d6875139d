"""Ending this process even if its event loop or a thread is stuck."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable

PATIENCE_S = 3.0
"""How long a regular exit may take; then the supervisor ends what is left, within another second."""
LOST = 1


def leave_within(seconds: float, status: int) -> Callable[[], None]:
    """Exit with `status` after `seconds`, unless the returned function is called before."""
    called_off = threading.Event()
    threading.Thread(target=_leave, args=(seconds, status, called_off), daemon=True).start()
    return called_off.set


def flush() -> None:
    """Flush standard output and error, which `os._exit` does not."""
    for stream in filter(
        None, (sys.stdout, sys.stderr)
    ):  # one that was closed at the start is None
        with contextlib.suppress(
            OSError, ValueError
        ):  # the reader is gone, or the stream is closed
            stream.flush()


def leave_with(descriptor: int, seconds: float = PATIENCE_S) -> None:
    """Exit `seconds` after the other end of a pipe, socket or terminal has closed.

    What is still in it can be read during that time.
    """
    if hasattr(select, "poll"):
        threading.Thread(target=_watch, args=(descriptor, seconds), daemon=True).start()


def _watch(descriptor: int, seconds: float) -> None:
    ends = select.poll()
    # Wait for the hangup only, not for data to read.
    ends.register(descriptor, getattr(select, "POLLRDHUP", 0))
    while not ends.poll():
        pass
    _leave(seconds, LOST, threading.Event())


def _leave(seconds: float, status: int, called_off: threading.Event) -> None:
    if not called_off.wait(seconds):
        os._exit(status)
