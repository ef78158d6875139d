"""Moves the database off network file systems, on which SQLite's WAL does not work.

WAL needs memory that processes share (sqlite.org/wal.html). The database is then in
a private folder under LOCAL_ROOT.
"""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path

NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ncpfs", "fuse.rclone"}
)
MOUNTS = Path("/proc/self/mountinfo")
LOCAL_ROOT = Path("/var/tmp")


def local_path(path: Path, mounts: str | None = None, root: Path = LOCAL_ROOT) -> Path:
    """`path`, or if that is on a network file system, a path in a private local folder."""
    table = _mounts() if mounts is None else mounts
    if file_system_of(path, table) not in NETWORK_FILE_SYSTEMS:
        return path
    folder = root / f"zsh-ls-{os.getuid()}"
    name = blake2b(os.fsencode(path), digest_size=8).hexdigest()
    return folder / f"{name}.db" if _is_private(folder) else path


def _mounts() -> str:
    try:
        return MOUNTS.read_text(errors="surrogateescape")
    except OSError:
        return ""


def file_system_of(path: Path, mounts: str) -> str | None:
    """The type of the file system that `path` is on, from a `mountinfo` table (proc(5))."""
    found: tuple[int, str] | None = None
    for line in mounts.splitlines():
        fields, _, tail = line.partition(" - ")
        columns = fields.split(" ")
        if len(columns) < 5 or not tail:
            continue
        place = Path(columns[4].encode().decode("unicode_escape"))
        depth = len(place.parts)
        if path.absolute().is_relative_to(place) and (found is None or depth >= found[0]):
            found = depth, tail.split(" ")[0]
    return found[1] if found else None


def _is_private(folder: Path) -> bool:
    """Whether `folder`, created if missing, is the user's own and closed to others."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    )
