"""Outputs that tasks left on disk, this process's or another's (`zsh-ls output`, zsh/output)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .stored_output import TASK_FILE, StoredOutput, StoredTask, open_stored, stored_task

_TASK_ID = re.compile(r"[0-9a-f]{8}\Z")


def past_output(
    spool_root: Path, task_id: str | None = None, *, workspace: str | None = None
) -> StoredOutput | None:
    """The kept output of `task_id`, else of the last task of `workspace` (any, if None) that ended."""
    if task_id is not None:
        return open_stored(spool_root / task_id) if _TASK_ID.match(task_id) else None
    for task in past_tasks(spool_root):
        if workspace in (None, task.workspace) and (kept := open_stored(spool_root / task.task_id)):
            return kept
    return None


def past_tasks(spool_root: Path) -> list[StoredTask]:
    """All tasks whose output is kept, the one that ended last first."""
    try:
        names = [name for name in os.listdir(spool_root) if _TASK_ID.match(name)]
    except OSError:
        return []
    tasks = (
        stored_task(spool_root / name) for name in names if (spool_root / name / TASK_FILE).exists()
    )
    return sorted((task for task in tasks if task), key=lambda task: task.ended_at, reverse=True)
