"""The editor may die without a word: its process is looked for, and the server goes when it has gone.

A thread, so that an event loop that is stuck does not outlive its editor.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

LOOK_EVERY_S = 5.0
PATIENCE_S = 3.0
LOST = 1


def watch_client(process_id: int | None, leave: Callable[[], None]) -> None:
    """Call `leave` once the client's process or our parent has gone; end the process if that does not.

    A process that cannot be seen at the start (another machine's or container's) is not looked for.
    """
    watched = process_id if process_id is not None and _is_there(process_id) else None
    thread = threading.Thread(target=_watch, args=(watched, os.getppid(), leave), daemon=True)
    thread.start()


def _watch(process_id: int | None, parent: int, leave: Callable[[], None]) -> None:
    waiting = threading.Event()
    while os.getppid() == parent and (process_id is None or _is_there(process_id)):
        waiting.wait(LOOK_EVERY_S)
    leave()
    waiting.wait(PATIENCE_S)
    os._exit(LOST)


def _is_there(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OverflowError:
        return False
    except PermissionError:
        return True
    return True
