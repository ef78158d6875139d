"""Keep ignored signals of this process from being inherited by its children.

A script that starts an editor in the background makes it ignore SIGINT, `nohup` SIGHUP, some launchers
SIGCHLD. Children inherit that, and a shell cannot undo it: Ctrl-C would do nothing in a terminal, and
the exits of children would be lost.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

_IGNORED_BY_OTHERS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


def restore_child_dispositions() -> None:
    """Start children with the default action of ignored signals; this process still ignores them.

    Does nothing outside the main thread, the only one in which Python can set signal handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _IGNORED_BY_OTHERS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _do_nothing)  # exec resets handled signals, but not ignored ones
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """A handler that has the same effect as ignoring the signal."""
