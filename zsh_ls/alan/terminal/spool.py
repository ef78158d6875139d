"""Reads the files that the shells' hooks write as executions; incomplete records are left out.

Only regular files of the folder are read, each up to the size that a shell writes at most.
"""

from __future__ import annotations

import logging
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.words import Origin
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import is_safe

from .hooks import MOST_BYTES

WRITTEN, TAKEN, LAST_LINE = ".log", ".taken", ".last"
DAY_S = 86_400.0
# A shell counts characters, which take up to four bytes.
READ_BYTES = 4 * MOST_BYTES
_log = logging.getLogger(__name__)


class SpoolFile(NamedTuple):
    """A file of records, renamed so that its shell no longer writes to it; `name` identifies it."""

    path: Path
    name: str


def waiting_files(spool: Path) -> Iterator[SpoolFile]:
    """The files to import; none if other users can write to the folder.

    Each file is renamed first, so that its shell writes later records to a new one.
    """
    if not is_safe(spool, is_ours=True) or spool.is_symlink():
        return
    for written in sorted(spool.glob(f"*{WRITTEN}")):
        status = written.lstat()
        if stat.S_ISREG(status.st_mode):
            written.rename(written.with_name(f"{written.stem}-{status.st_ino}{TAKEN}"))
    for moved in sorted(spool.glob(f"*{TAKEN}")):
        status = moved.lstat()
        if stat.S_ISREG(status.st_mode):
            yield SpoolFile(moved, f"{moved.name}:{status.st_mtime_ns}")


class _Record(NamedTuple):
    session: str
    began: str
    ended: str
    status: str
    statuses: str
    text: str


def sweep(spool: Path) -> None:
    """Remove the last-line files (see `hooks`) that bash shells left more than a day ago."""
    for left in spool.glob(f"*{LAST_LINE}"):
        if left.lstat().st_mtime < time.time() - DAY_S:
            left.unlink(missing_ok=True)


def read_entries(path: Path) -> Iterator[CompletedRun]:
    """The executions of a file in their order; none if the file cannot be read."""
    try:
        text = read_bytes(path, READ_BYTES, follow_links=False).decode("utf-8", "replace")
    except NotRead as problem:
        _log.warning("what a shell wrote down is left out: %s", problem)
        return
    fields = text.split("\0")
    for at in range(0, len(fields) - len(_Record._fields), len(_Record._fields)):
        execution = _execution(_Record._make(fields[at : at + len(_Record._fields)]))
        if execution is not None:
            yield execution


def _execution(record: _Record) -> CompletedRun | None:
    try:
        began_s, ended_s = float(record.began), float(record.ended)
        exit_status = int(record.status)
        pipestatus = tuple(map(int, record.statuses.split())) or (exit_status,)
    except ValueError:
        return None
    return CompletedRun(
        command=record.text,
        shell="",
        exit=exit_status,
        pipestatus=pipestatus,
        outcome=outcome_of(exit_status),
        duration_s=max(0.0, ended_s - began_s),
        started_at=began_s,
        session=record.session,
        origin=Origin.TERMINAL,
    )
