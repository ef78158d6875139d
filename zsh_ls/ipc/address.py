"""Sockets: one per server and workspace, in a folder that only this user may enter, and who is at their ends.

A name is `<workspace>-<server>.sock`: a digest of the workspace's path, which can
be too long for a socket, and a random word, so that two servers never use the
same name. A socket is renamed to it when it already listens: so one that refuses
a connection is dead, and any process may remove it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from zsh_ls.system.private_folders import is_safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    import socket

SUFFIX = ".sock"
# Who keeps a detached run listens too, but nobody joins it as a server: as long as SUFFIX.
KEEPER_SUFFIX = ".task"
UNBORN = ".new"
# After this time a socket that has not been renamed belongs to a server that died.
BIRTH_S = 60.0
# sockaddr_un: 108 bytes on Linux, 104 on macOS and the BSDs, with the final NUL.
LONGEST_PATH_BYTES = 103
NAME_BYTES = 34
# struct ucred of Linux: pid, uid, gid. struct xucred of macOS and the BSDs: version, uid, …
_UCRED = "3i"
_XUCRED_HEAD = "2I"
_XUCRED_BYTES = 76
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1


def socket_folders(runtime: Path) -> tuple[Path, ...]:
    """The folders that may hold sockets, the preferred one first.

    The second is used if the path of the first is too long for a socket, or `runtime` is another user's.
    """
    folders = (runtime, Path(f"/tmp/zsh-ls-{os.geteuid()}"))
    return tuple(
        it for it in folders if len(os.fsencode(it)) + 1 + NAME_BYTES <= LONGEST_PATH_BYTES
    )


def is_private(folder: Path) -> bool:
    """Whether `folder` exists and is this user's, and others can neither enter nor replace it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return is_ours and not found.st_mode & 0o077 and is_safe(folder)


def prefix_of(workspace: Path) -> str:
    """The beginning of the names of a workspace's sockets."""
    from hashlib import sha256  # noqa: PLC0415  a hook without a server does without

    return f"{sha256(os.fsencode(os.path.realpath(workspace))).hexdigest()[:16]}-"


def sockets(folders: Iterable[Path], suffix: str = SUFFIX) -> list[Path]:
    """All sockets in `folders`, the newest first."""
    named = [found for folder in folders for found in _named(folder, suffix)]
    return [path for _, path in sorted(named, reverse=True)]


def abandoned(folder: Path) -> list[Path]:
    """Sockets in `folder` whose server died before it renamed them."""
    oldest_s = time.time() - BIRTH_S
    return [path for made_at, path in _named(folder, UNBORN) if made_at < oldest_s]


def sockets_around(folders: Iterable[Path], place: Path) -> Iterator[Path]:
    """The sockets in `folders` of the workspaces that contain `place`, those of the nearest first."""
    known = sockets(folders)
    inside = Path(os.path.realpath(place))
    for workspace in (inside, *inside.parents) if known else ():
        prefix = prefix_of(workspace)
        yield from (path for path in known if path.name.startswith(prefix))


def servers_around(runtime: Path, place: Path) -> list[Path]:
    """The sockets of the workspaces that contain `place`, the innermost first, of each the newest first."""
    return list(sockets_around(filter(is_private, socket_folders(runtime)), place))


def keepers(runtime: Path) -> list[Path]:
    """The sockets of those that keep a detached run, of any workspace, the newest first."""
    return sockets(filter(is_private, socket_folders(runtime)), KEEPER_SUFFIX)


def peer_uid(connected: socket.socket) -> int:
    """The effective user id of the other process at the time it connected or listened."""
    import socket  # noqa: PLC0415
    import struct  # noqa: PLC0415

    if hasattr(socket, "SO_PEERCRED"):
        size_bytes = struct.calcsize(_UCRED)
        given = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size_bytes)
        _, uid, _ = struct.unpack(_UCRED, given)
    else:
        given = connected.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
        _, uid = struct.unpack_from(_XUCRED_HEAD, given)
    return int(uid)


def is_of_this_user(connected: socket.socket) -> bool:
    """Whether the other end is this user's; root is refused like any other user."""
    return peer_uid(connected) == os.geteuid()


def connected(path: Path) -> socket.socket | None:
    """A socket connected to the one at `path`; None if nobody listens, or another user does."""
    import socket  # noqa: PLC0415  with what it loads a quarter of a hook that finds no server

    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    found.setblocking(False)
    try:
        found.connect(str(path))
    except OSError as refused:
        _log().info("%s: %s", path, refused)
        found.close()
        return None
    if not is_of_this_user(found):
        _log().warning("%s belongs to another user", path)
        found.close()
        return None
    return found


def _log() -> logging.Logger:
    """Loaded where there is something to say: it takes as long to load as all the rest here."""
    import logging  # noqa: PLC0415

    return logging.getLogger(__name__)


def _named(folder: Path, suffix: str) -> Iterator[tuple[float, Path]]:
    """The sockets whose names end with `suffix`, each with its creation time (Unix seconds)."""
    with os.scandir(folder) as entries:
        named = [entry for entry in entries if entry.name.endswith(suffix)]
    for entry in named:
        if (made_at := _made_at(entry)) is not None:
            yield made_at, Path(entry.path)


def _made_at(entry: os.DirEntry[str]) -> float | None:
    """The creation time of a socket; None if it is none or has just been removed."""
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found.st_mtime if stat.S_ISSOCK(found.st_mode) else None
