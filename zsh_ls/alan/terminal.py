"""Runs in the user's terminals: hooks in the shells write them to files, the sidecar imports these.

A hook is the code that an interactive shell evaluates so that memory learns from it
(`zsh_ls/cli/terminal/hook.*`); what an editor tells of its own terminals
(`sidecar/terminals.py`) becomes a run by `terminal_run` as well. Each command of a hook is a
record of six fields, each terminated by NUL: session, begin and end (Unix seconds), exit
status, pipestatus, text. The session is followed by a new line and the folder in which the
command began; shells that evaluated the hook of an earlier version write none. The hooks of agents
(`cli/hooking.py`) write such records too, where no server runs: their exit and begin are empty where
the agent tells none.

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

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.words import Origin
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import files_ending, is_safe

SPOOL_FOLDER = "terminal"
MOST_BYTES = 4 << 20
"""How much a shell writes at most while no sidecar imports it."""
WRITTEN, TAKEN, LAST_LINE = ".log", ".taken", ".last"
AGENT_FILE = "agent-"
"""Begins the names of files in which agents' hooks write down runs, where no server takes them."""
HOOKED = ".hook"
"""Of an empty file by which a shell with the hook is known to editors, named by its process id."""
CHOSEN = ".line"
"""Of the line that a shell with the hook is to put on its next prompt, named by its process id."""
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
    for written in files_ending(spool, WRITTEN):
        status = written.lstat()
        if stat.S_ISREG(status.st_mode):
            written.rename(written.with_name(f"{written.stem}-{status.st_ino}{TAKEN}"))
    for moved in files_ending(spool, TAKEN):
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


def hooked_shells(spool: Path) -> Iterator[int]:
    """The process ids of the shells whose own hook tells memory what they run."""
    if is_safe(spool, is_ours=True):
        for mark in files_ending(spool, HOOKED):
            if mark.stem.isdecimal():
                yield int(mark.stem)


def put_on_prompt(spool: Path, shell: int, line: str) -> bool:
    """Hand a line to the next prompt of a shell; returns whether it has the hook that takes it."""
    if not is_safe(spool, is_ours=True) or not (spool / f"{shell}{HOOKED}").exists():
        return False
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(spool / f"{shell}{CHOSEN}", flags, 0o600), "wb") as file:
        file.write(line.encode("utf-8", "surrogateescape"))
    return True


def sweep(spool: Path) -> None:
    """Remove what shells left that have ended: their lines after a day, marks of the hook."""
    for left in files_ending(spool, LAST_LINE, CHOSEN):
        if left.lstat().st_mtime < time.time() - DAY_S:
            left.unlink(missing_ok=True)
    for mark in files_ending(spool, HOOKED):
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
    read = agent_run_of if path.name.startswith(AGENT_FILE) else run_of
    for at in range(0, len(fields) - FIELDS, FIELDS):
        run = read(fields[at : at + FIELDS])
        if run is not None:
            yield run


def run_of(fields: Sequence[str]) -> CompletedRun | None:
    """The run of a record's FIELDS, None where they say none, or what memory is told of anyway."""
    from zsh_ls.shell.words.ours import remembers_itself  # noqa: PLC0415

    record = _Record._make(fields)
    if remembers_itself(record.text):
        return None
    try:
        began_s, ended_s = float(record.began), float(record.ended)
        exit_status = int(record.status)
        pipestatus = tuple(map(int, record.statuses.split())) or (exit_status,)
    except ValueError:
        return None
    session, _, folder = record.session.partition("\n")
    return terminal_run(
        command=record.text,
        exit_status=exit_status,
        pipestatus=pipestatus,
        started_at=began_s,
        duration_s=max(0.0, ended_s - began_s),
        session=session,
        folder=folder if os.path.isabs(folder) else "",
    )


def agent_run_of(fields: Sequence[str]) -> CompletedRun | None:
    """The run of a record that an agent's hook wrote, None where it says none."""
    record = _Record._make(fields)
    try:
        ended_s = float(record.ended)
        began_s = float(record.began) if record.began else ended_s
        exit_status = int(record.status) if record.status else None
    except ValueError:
        return None
    session, _, folder = record.session.partition("\n")
    known = CompletedRun(
        command=record.text,
        shell="",
        exit=exit_status,
        pipestatus=() if exit_status is None else (exit_status,),
        outcome=None if exit_status is None else outcome_of(exit_status),
        duration_s=max(0.0, ended_s - began_s),
        is_timed=bool(record.began),
        started_at=began_s,
        session=session,
        cwd=folder if os.path.isabs(folder) else "",
        origin=Origin.AGENT,
    )
    return known if record.text.strip() else None


def terminal_run(
    *,
    command: str,
    exit_status: int,
    pipestatus: Sequence[int],
    started_at: float,
    duration_s: float,
    session: str,
    folder: str,
    project: str | None = None,
) -> CompletedRun:
    """A run that a terminal told of; what it printed is not known, only what its exit alone says."""
    from zsh_ls.shell.status.usage import is_usage_failure  # noqa: PLC0415
    from zsh_ls.shell.template.identity import identify  # noqa: PLC0415

    name = identify(command) if exit_status else None
    return CompletedRun(
        command=command,
        shell="",
        exit=exit_status,
        pipestatus=tuple(pipestatus),
        outcome=outcome_of(exit_status),
        duration_s=duration_s,
        started_at=started_at,
        session=session,
        cwd=folder,
        project=project,
        origin=Origin.TERMINAL,
        is_usage_failure=name is not None
        and is_usage_failure(name.command, exit_status, "", name.template),
    )
