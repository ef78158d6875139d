"""The workspace of a script: where it is, how large it is, and a private copy of it."""

from __future__ import annotations

import os
import stat
import subprocess
from collections import Counter
from contextlib import suppress
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.system import programs

from .request import RehearsalRefused

MIB = 1 << 20
LARGEST_TOLD = 3
ELF = b"\x7fELF"


@attrs.frozen
class Size:
    """The bytes of a folder, and those of the folders directly in it that have most."""

    size_bytes: int
    largest: tuple[tuple[str, int], ...]


def workspace_of(script: Path, cwd: Path) -> Path:
    """The nearest folder with `.git`, else the current one if it holds the script, else the script's.

    A folder above everything else, such as `/`, is nobody's workspace.
    """
    for folder in script.parents:
        if os.path.lexists(folder / ".git") and folder != folder.parent:
            return folder
    if cwd in script.parents and cwd != cwd.parent:
        return cwd
    return script.parent


def size_of(folder: Path, limit_bytes: int) -> Size:
    """How large a folder is, without following links; counting ends at ten times the limit."""
    sizes: Counter[str] = Counter()
    total, waiting = 0, [(str(folder), "")]
    while waiting and total <= 10 * limit_bytes:
        place, top = waiting.pop()
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                name = top or entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, name))
                elif entry.is_file(follow_symlinks=False):
                    # A file with holes takes what it takes on the disk.
                    found = entry.stat(follow_symlinks=False)
                    size = min(found.st_size, found.st_blocks * 512)
                    sizes[name] += size
                    total += size
    return Size(total, tuple(sizes.most_common(LARGEST_TOLD)))


def check_size(folder: Path, max_copy_mb: int) -> None:
    """Raises RehearsalRefused, with what makes it so large, where the copy would be too large."""
    limit = max_copy_mb * MIB
    size = size_of(folder, limit)
    if size.size_bytes <= limit:
        return
    largest = ", ".join(
        f"{name} {bytes_ // MIB} MB" for name, bytes_ in size.largest if bytes_ >= MIB
    )
    raise RehearsalRefused(
        f"the workspace {folder} has {-(-size.size_bytes // MIB)} MB, above the"
        f" {max_copy_mb} MB of --max-copy (most of it: {largest})"
    )


def copy(folder: Path, to: Path, binaries: Path, stand_in: str) -> tuple[str, ...]:
    """Copy a workspace, links kept, shared with the original where the file system can.

    Sockets, FIFOs and devices are left out. A program that is no script becomes a link to the
    stand-in, as those on the PATH are, and lies in `binaries` under its number; gives their paths in
    the workspace. Raises RehearsalRefused where it cannot be read.
    """
    found: list[str] = []
    # FIFOs and sockets are made anew by -a, and never opened.
    program = programs.find("cp") or "/bin/cp"
    done = subprocess.run(
        [program, "-a", "--no-preserve=ownership", "--reflink=auto", "--", str(folder), str(to)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if not to.is_dir():
        raise RehearsalRefused(f"the workspace cannot be copied ({done.stderr.strip()[-200:]})")
    for place, folders, files in os.walk(to):
        for name in folders:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                with suppress(OSError):
                    os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) | stat.S_IRWXU)
        for name in files:
            path = os.path.join(place, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                continue
            if not stat.S_ISREG(mode):
                os.unlink(path)
            elif mode & 0o111 and _is_binary(path):
                os.rename(path, binaries / str(len(found)))
                os.symlink(stand_in, path)
                found.append(str(folder / os.path.relpath(path, to)))
    return tuple(found)


def _is_binary(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == ELF
    except OSError:
        return False
