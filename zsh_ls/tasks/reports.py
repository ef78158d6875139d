"""Where shells leave their exit reports: a private folder of this process, in memory where that can be."""

from __future__ import annotations

import os
import shutil

from zsh_ls._passing_folder import passing_folder, sweep

from .hooks import Report, find_report

_PREFIX = "zsh-ls-reports-"


class Reports:
    """The reports of this process's tasks; what processes that crashed left is removed on the way."""

    def __init__(self) -> None:
        sweep(_PREFIX, in_memory=True)
        self.folder = passing_folder(_PREFIX, in_memory=True)

    def prefix(self, task_id: str) -> str:
        """How the names of a task's files begin."""
        return f"{self.folder}/{task_id}."

    def take(self, task_id: str, exit_status: int | None) -> Report | None:
        """What a task's shell reported, and nothing of it is left; see `find_report`."""
        prefix = f"{task_id}."
        names = [name for name in os.listdir(self.folder) if name.startswith(prefix)]
        for name in names:
            os.unlink(f"{self.folder}/{name}")
        return find_report((name.removeprefix(prefix) for name in names), exit_status)

    def remove(self) -> None:
        """The last task has ended."""
        shutil.rmtree(self.folder, ignore_errors=True)
