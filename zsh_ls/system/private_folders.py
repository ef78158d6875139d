"""Folders that no other user can access: checks, and new ones for temporary files.

A private folder is only as safe as its parents: whoever may write to one of those can replace it.
So a folder is safe if each of its parents belongs to this user or to the system, and others cannot
write to any of them, except for sticky ones (such as /tmp) in which users can only remove their own
files.

Temporary folders are named after their process and its namespace of process ids, so that those of a
crashed one are found and removed. A container may share them with processes that it cannot see.
"""

from __future__ import annotations

import contextlib
import errno
import grp
import os
import pwd
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache

from .process_ids import is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_NAME = "zsh-ls"
_ROOT = 0
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_ALL_IDS = 2**32 - 1

# A process of another namespace cannot be looked for: its folder is left when nothing was written so long.
FOREIGN_LIFE_S = 7 * 24 * 3600.0

# Where the system's folder for temporary files is named, as `tempfile` looks for it.
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")


def is_safe(folder: str | os.PathLike[str], *, is_ours: bool = False) -> bool:
    """Whether only this user and the system can replace files in `folder`.

    With `is_ours` it must also belong to this user, and nobody else may write to it.
    """
    place = os.path.realpath(folder)
    if is_ours and not _is_ours_alone(place):
        return False
    while _is_guarded(place):
        above = os.path.dirname(place)
        if above == place:
            return True
        place = above
    return False


def make_private(folder: str | os.PathLike[str]) -> None:
    """Create `folder` with mode 0700, if missing; raises OSError if another user has or could replace it."""
    path = os.fspath(folder)
    with contextlib.suppress(FileNotFoundError):
        os.lstat(path)  # below a file, too long: the system's own words say it best
    if not _may_be_private(path):
        raise PermissionError(errno.EPERM, "it is, or can become, another user's", path)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "not a folder of this user", path)
    if stat.S_IMODE(found.st_mode) != 0o700:
        os.chmod(path, 0o700)


def runtime_folder() -> str | None:
    """XDG_RUNTIME_DIR, if it is set and safe."""
    usual = f"/run/user/{os.geteuid()}" if sys.platform.startswith("linux") else None
    for place in (os.environ.get("XDG_RUNTIME_DIR"), usual):
        if place and os.path.isabs(place) and is_safe(place, is_ours=True):
            return place
    return None


def state_folder() -> str:
    """The folder for persistent state; it is not created.

    It is that of the platform, unless it belongs to another user (as under `sudo`): then it is one in
    this user's own home, else one in /var/tmp.
    """
    from zsh_ls.lazy.platformdirs import user_state_dir  # noqa: PLC0415  as few need it

    usual = user_state_dir(_NAME)
    own = os.path.expanduser(f"~{_name_of(os.geteuid())}/.local/state/{_NAME}")
    for place in (usual, own, f"/var/tmp/{_NAME}-{os.geteuid()}"):
        if os.path.isabs(place) and _may_be_private(place):
            return place
    return usual


def sockets_folder() -> str:
    """The folder for this user's sockets; it is not created."""
    # platformdirs would fall back to a folder in /tmp that anybody may have made before.
    runtime = runtime_folder()
    if runtime and _may_be_private(own := os.path.join(runtime, _NAME)):
        return own
    return os.path.join(state_folder(), "run")  # also where `sudo` made the other one


def passing_folder(prefix: str, base: str | None = None, *, in_memory: bool = False) -> str:
    """A new temporary folder of mode 0700 in `base`, by default in the first safe location.

    That is the system's folder for temporary files, or with `in_memory` one in memory, else the state
    folder. Raises OSError if none can be created.
    """
    begins = f"{prefix}{os.getpid()}-{_process_namespace()}-"
    for place in [base] if base else _places(in_memory=in_memory):
        with contextlib.suppress(OSError):  # it is full or read-only
            return _new_folder(place, begins)
    own = _own_place()
    make_private(own)
    return _new_folder(own, begins)


def _new_folder(place: str, begins: str) -> str:
    """What `tempfile.mkdtemp` does, which loads what reads archives."""
    while True:
        path = os.path.join(os.path.abspath(place), begins + os.urandom(6).hex())
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
            return path


def sweep(prefix: str, base: str | None = None, *, in_memory: bool = False) -> None:
    """Remove this user's temporary folders with `prefix` whose process has ended, as far as possible.

    Those of another namespace of process ids (a container's, the host's) go once nothing was written
    in them for FOREIGN_LIFE_S.
    """
    for place in [base] if base else [*_places(in_memory=in_memory), _own_place()]:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith(prefix) and _is_left(entry, prefix):
                    import shutil  # noqa: PLC0415  hardly ever is something left

                    shutil.rmtree(entry.path, ignore_errors=True)


def files_ending(folder: Path, *endings: str) -> list[Path]:
    """What is in a folder and has a name with one of these endings, sorted; nothing where it cannot be read.

    `Path.glob` compiles a pattern for each ending, for folders that are empty as a rule.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name.endswith(endings)]


def passing_places() -> list[str]:
    """All folders in which `passing_folder` may make one."""
    places = [*_places(in_memory=False), *_places(in_memory=True), _own_place()]
    return list(dict.fromkeys(places))


def _is_left(entry: os.DirEntry[str], prefix: str) -> bool:
    owner, _, rest = entry.name.removeprefix(prefix).partition("-")
    if not owner.isdecimal():
        return False
    namespace, is_told, _ = rest.partition("-")
    is_foreign = bool(is_told) and namespace != str(_process_namespace())
    if not is_foreign and is_there(int(owner)):
        return False
    found = entry.stat(follow_symlinks=False)
    if is_foreign and time.time() - found.st_mtime < FOREIGN_LIFE_S:
        return False
    return found.st_uid == os.geteuid()


@cache
def _process_namespace() -> int:
    """The number of this process's namespace of process ids, 0 where the system has none."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _places(*, in_memory: bool) -> Iterator[str]:
    """Safe folders for temporary files, the preferred one first, by their real paths."""
    usual = next((it for name in _TEMPORARY if (it := os.environ.get(name))), "/tmp")
    shared: Iterable[str] = (usual, "/tmp", "/dev/shm")
    if in_memory:
        shared = (runtime_folder() or "/dev/shm", "/dev/shm", usual, "/tmp")
    for place in dict.fromkeys(map(os.path.realpath, shared)):
        if is_safe(place):
            yield place


def _own_place() -> str:
    return os.path.join(state_folder(), "passing")


def _may_be_private(folder: str) -> bool:
    """Whether `folder` is this user's, or does not exist and could be created safely."""
    try:
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
    except FileNotFoundError:
        pass
    except OSError:  # below a file, too long, a loop of links
        return False
    above = os.path.dirname(folder)
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    return is_safe(above)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def _is_guarded(folder: str) -> bool:
    """Whether other users can neither rename nor remove this user's files in `folder`."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), *_system_ids()}:
        return False
    if found.st_mode & stat.S_ISVTX or not found.st_mode & _OTHERS_WRITE:
        return True
    return not found.st_mode & stat.S_IWOTH and found.st_gid == _own_group(os.geteuid())


@cache
def _own_group(uid: int) -> int | None:
    """The group with this user as its only member, if there is one: folders with it often have mode 0775."""
    try:
        user = pwd.getpwuid(uid)
        group = grp.getgrgid(user.pw_gid)
    except KeyError:
        return None
    is_own = group.gr_name == user.pw_name and not set(group.gr_mem) - {user.pw_name}
    return group.gr_gid if is_own else None


def _is_ours_alone(folder: str) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


@cache
def _system_ids() -> frozenset[int]:
    """The user ids of the system: root, and in a user namespace the id that represents root.

    A sandbox may map only this user; the kernel then shows root's folders with the overflow id, which
    stands for all ids that are not mapped.
    """
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            mapped = sum(int(line.split()[2]) for line in file)
        with open("/proc/sys/fs/overflowuid", encoding="ascii") as file:
            unmapped = int(file.read())
    except (OSError, ValueError, IndexError):
        return frozenset({_ROOT})
    return frozenset({_ROOT} if mapped >= _ALL_IDS else {_ROOT, unmapped})
