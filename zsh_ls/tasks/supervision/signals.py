"""What this process was started to ignore stays its own affair.

A script that starts an editor in the background has SIGINT ignored in it, `nohup` has SIGHUP, some
launchers have SIGCHLD; all of it is handed down, and a shell cannot take it back. Ctrl-C would do
nothing in a terminal, and no exit would be known of any child.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

_IGNORED_BY_OTHERS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


def restore_child_dispositions() -> None:
    """From now on children start with these signals as they are by default; this process still ignores them.

    Python changes this in its main thread alone: elsewhere nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _IGNORED_BY_OTHERS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _nothing)  # an exec resets what is handled, not what is ignored
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _nothing(number: int, frame: FrameType | None) -> None:
    """As good as ignored."""
