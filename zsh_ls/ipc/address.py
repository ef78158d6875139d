"""Where sockets are: one a server and workspace, in a folder that only this user may enter.

A name is `<workspace>-<server>.sock`: a digest of the workspace's path, which
can be longer than a socket's may, and a random word, so that no two servers
ever want the same name. A socket gets its name when it already listens: one
that refuses a connection is dead for good, and may be removed by anybody.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from zsh_ls.system.private_folders import is_safe

SUFFIX = ".sock"
UNBORN = ".new"
# Long enough for any server to begin to listen and give its socket its name.
BIRTH_S = 60.0
# sockaddr_un: 108 bytes on Linux, 104 on macOS and the BSDs, with the final NUL.
LONGEST_PATH_BYTES = 103
NAME_BYTES = 34


def socket_folders(runtime: Path) -> tuple[Path, ...]:
    """The folders that may hold sockets, the best first; the second for where the first cannot be had.

    A path may be too long for a socket, and `runtime` may be another user's.
    """
    folders = (runtime, Path(f"/tmp/zsh-ls-{os.geteuid()}"))
    return tuple(
        it for it in folders if len(os.fsencode(it)) + 1 + NAME_BYTES <= LONGEST_PATH_BYTES
    )


def is_private(folder: Path) -> bool:
    """Whether `folder` is there, this user's, and nobody else may enter it or put another in its place."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return is_ours and not found.st_mode & 0o077 and is_safe(folder)


def prefix_of(workspace: Path) -> str:
    """How the names of a workspace's sockets begin."""
    return f"{_digest(os.fsencode(os.path.realpath(workspace)))}-"


def sockets(folders: Iterable[Path]) -> list[Path]:
    """All sockets in `folders`, the newest first."""
    named = [found for folder in folders for found in _named(folder, SUFFIX)]
    return [path for _, path in sorted(named, reverse=True)]


def abandoned(folder: Path) -> list[Path]:
    """Sockets in `folder` whose server died before it gave them their names."""
    oldest_s = time.time() - BIRTH_S
    return [path for made_at, path in _named(folder, UNBORN) if made_at < oldest_s]


def sockets_around(folders: Iterable[Path], place: Path) -> Iterator[Path]:
    """The sockets in `folders` of the workspaces that contain `place`, those of the nearest first."""
    known = sockets(folders)
    inside = Path(os.path.realpath(place))
    for workspace in (inside, *inside.parents) if known else ():
        prefix = prefix_of(workspace)
        yield from (path for path in known if path.name.startswith(prefix))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _named(folder: Path, suffix: str) -> Iterator[tuple[float, Path]]:
    """The sockets whose names end so, each with when it was made."""
    with os.scandir(folder) as entries:
        named = [entry for entry in entries if entry.name.endswith(suffix)]
    for entry in named:
        if (made_at := _made_at(entry)) is not None:
            yield made_at, Path(entry.path)


def _made_at(entry: os.DirEntry[str]) -> float | None:
    """When the socket was made; None for what is no socket or has just gone."""
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found.st_mtime if stat.S_ISSOCK(found.st_mode) else None
