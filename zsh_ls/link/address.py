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
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".sock"
UNBORN = ".new"
# Long enough for any server to begin to listen and give its socket its name.
BIRTH_S = 60.0
# sockaddr_un: 108 bytes on Linux, 104 on macOS and the BSDs, with the final NUL.
LONGEST_PATH_BYTES = 103
NAME_BYTES = 34


class NotPrivate(OSError):
    """The folder of sockets is another user's, or others may enter it."""


def socket_folder(runtime: Path) -> Path:
    """The folder for sockets below `runtime`; a short stand-in where that path is too long for one."""
    if len(os.fsencode(runtime)) + 1 + NAME_BYTES <= LONGEST_PATH_BYTES:
        return runtime
    return Path(f"/tmp/zsh-ls-{os.geteuid()}")


def make_private(folder: Path) -> None:
    """Have `folder`, ours alone; raises NotPrivate where another has it or made it a link."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise NotPrivate(f"{folder} is not a folder of this user")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def is_private(folder: Path) -> bool:
    """Whether `folder` is there, this user's, and nobody else may enter it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return is_ours and not found.st_mode & 0o077


def prefix_of(workspace: Path) -> str:
    """How the names of a workspace's sockets begin."""
    return f"{_digest(os.fsencode(os.path.realpath(workspace)))}-"


def sockets(folder: Path) -> list[Path]:
    """All sockets in `folder`, the newest first."""
    return [path for _, path in sorted(_named(folder, SUFFIX), reverse=True)]


def abandoned(folder: Path) -> list[Path]:
    """Sockets in `folder` whose server died before it gave them their names."""
    oldest_s = time.time() - BIRTH_S
    return [path for made_at, path in _named(folder, UNBORN) if made_at < oldest_s]


def sockets_around(folder: Path, place: Path) -> Iterator[Path]:
    """The sockets in `folder` of the workspaces that contain `place`, those of the nearest first."""
    known = sockets(folder)
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
