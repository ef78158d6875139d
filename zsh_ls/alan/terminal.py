"""Runs in the user's terminals: hooks in the shells write them to files, the sidecar imports these.

A hook is the code that an interactive shell evaluates so that memory learns from it
(`zsh_ls/cli/terminal/hook.*`); an editor that is told what its terminals run writes the
same records. Each command is a record of six fields, each terminated
by NUL: session, begin and end (Unix seconds), exit status, pipestatus, text. The session
is followed by a new line and the folder in which the command began; shells that evaluated
the hook of an earlier version write none.

Incomplete records are left out. Only regular files of the folder are read, each up
to the size that a shell writes at most.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.words import Origin
from zsh_ls.shell.status.usage import is_usage_failure
from zsh_ls.shell.template.identity import identify
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import is_safe

SPOOL_FOLDER = "terminal"
MOST_BYTES = 4 << 20
"""How much a shell writes at most while no sidecar imports it."""
WRITTEN, TAKEN, LAST_LINE = ".log", ".taken", ".last"
HOOKED = ".hook"
"""Of an empty file by which a shell with the hook is known to editors, named by its process id."""
DAY_S = 86_400.0
# A shell counts characters, which take up to four bytes.
READ_BYTES = 4 * MOST_BYTES
_log = logging.getLogger(__name__)


def spool_beside(database: Path) -> Path:
    """The folder beside the database that the shells' hooks write to."""
    return database.parent / SPOOL_FOLDER


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


FIELDS = len(_Record._fields)


def sweep(spool: Path) -> None:
    """Remove what shells left that have ended: last-line files after a day, marks of the hook."""
    for left in spool.glob(f"*{LAST_LINE}"):
        if left.lstat().st_mtime < time.time() - DAY_S:
            left.unlink(missing_ok=True)
    for mark in spool.glob(f"*{HOOKED}"):
        if mark.stem.isdecimal() and not _is_running(int(mark.stem)):
            mark.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def read_entries(path: Path) -> Iterator[CompletedRun]:
    """The runs of a file in their order; none if the file cannot be read."""
    try:
        text = read_bytes(path, READ_BYTES, follow_links=False).decode("utf-8", "replace")
    except NotRead as problem:
        _log.warning("what a shell wrote down is left out: %s", problem)
        return
    fields = text.split("\0")
    for at in range(0, len(fields) - FIELDS, FIELDS):
        run = run_of(fields[at : at + FIELDS])
        if run is not None:
            yield run


def run_of(fields: Sequence[str]) -> CompletedRun | None:
    """The run of a record's FIELDS, None where they say none."""
    record = _Record._make(fields)
    try:
        began_s, ended_s = float(record.began), float(record.ended)
        exit_status = int(record.status)
        pipestatus = tuple(map(int, record.statuses.split())) or (exit_status,)
    except ValueError:
        return None
    session, _, folder = record.session.partition("\n")
    name = identify(record.text) if exit_status else None
    return CompletedRun(
        command=record.text,
        shell="",
        exit=exit_status,
        pipestatus=pipestatus,
        outcome=outcome_of(exit_status),
        duration_s=max(0.0, ended_s - began_s),
        started_at=began_s,
        session=session,
        cwd=folder if os.path.isabs(folder) else "",
        origin=Origin.TERMINAL,
        # What it printed is not known: only what its exit alone says.
        is_usage_failure=name is not None
        and is_usage_failure(name.command, exit_status, "", name.template),
    )
