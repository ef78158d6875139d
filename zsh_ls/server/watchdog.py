"""The editor may die without a word: its process is looked for, and the server goes when it has gone.

A thread, so that an event loop that is stuck does not outlive its editor.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from .client import is_there

LOOK_EVERY_S = 5.0
PATIENCE_S = 3.0
LOST = 1


def watch_client(process_id: int | None, leave: Callable[[], None]) -> None:
    """Call `leave` once the client's process or our parent has gone; end the process if that does not."""
    thread = threading.Thread(target=_watch, args=(process_id, os.getppid(), leave), daemon=True)
    thread.start()


def _watch(process_id: int | None, parent: int, leave: Callable[[], None]) -> None:
    waiting = threading.Event()
    while os.getppid() == parent and (process_id is None or is_there(process_id)):
        waiting.wait(LOOK_EVERY_S)
    leave()
    waiting.wait(PATIENCE_S)
    os._exit(LOST)
