"""Where shells leave their exit reports: a private folder of this process, in memory where that can be."""

from __future__ import annotations

import contextlib
import os
import shutil

from zsh_ls._passing_folder import passing_folder, sweep

from .hooks import Report, find_report

_PREFIX = "zsh-ls-reports-"


class Reports:
    """The reports of this process's tasks; what processes that crashed left is removed on the way."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError):
            sweep(_PREFIX, in_memory=True)
        self.folder = _new_folder()

    def prefix(self, task_id: str) -> str:
        """How the names of a task's files begin; in a new folder where somebody has removed the old one."""
        if not os.path.isdir(self.folder):
            self.folder = _new_folder()
        return f"{self.folder}/{task_id}."

    def take(self, task_id: str, exit_status: int | None) -> Report | None:
        """What a task's shell reported, and nothing of it is left; see `find_report`.

        Raises OSError where it left none and could not have: the folder is gone, or full.
        """
        prefix = f"{task_id}."
        names = [name for name in os.listdir(self.folder) if name.startswith(prefix)]
        for name in names:
            os.unlink(f"{self.folder}/{name}")
        report = find_report((name.removeprefix(prefix) for name in names), exit_status)
        if report is None:
            self._try_to_write(prefix)
        return report

    def _try_to_write(self, prefix: str) -> None:
        path = f"{self.folder}/{prefix}tried"
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        os.unlink(path)

    def remove(self) -> None:
        """The last task has ended."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _new_folder() -> str:
    """A private folder in the first place that has room for one; where none has, a path that is not there.

    Shells then report nothing, quietly, and the task says so.
    """
    try:
        return passing_folder(_PREFIX, in_memory=True)
    except OSError:
        return f"/nonexistent/{_PREFIX}{os.getpid()}"
