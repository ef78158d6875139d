"""Whether a process with a given id is still running, for every package."""

from __future__ import annotations

import os


def is_there(process_id: object) -> bool:
    """Whether a process with that id runs here; one of a client in another container does not."""
    if type(process_id) is not int or process_id <= 0:
        return False
    try:
        os.kill(process_id, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True
