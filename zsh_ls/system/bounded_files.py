"""Reading files up to a size limit, whoever named them: a user, a document, a variable or the system.

Only regular files are opened, so that nothing blocks on a FIFO, a device or a terminal, and never
more than the limit is read, even if a file grows in between. A file system may still be slow (one
over a network may hang): servers should read in a thread.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
import time
from io import FileIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Literal, NoReturn

MIB = 1 << 20
SCRIPT_BYTES = 16 * MIB
"""The longest script that is read if a user names it."""

FIRST_WRITER_WITHIN_S = 2.0
_LOOK_FOR_SIGNALS_EVERY_MS = 200
_PIECE_BYTES = MIB
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFIFO: "FIFO",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
    stat.S_IFSOCK: "socket",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "symbolic link",
}
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


class NotRead(OSError):
    """A file that is not read; its text names the file and the reason."""


def open_regular(path: str | os.PathLike[str], *, follow_links: bool = True) -> int:
    """A descriptor to read the regular file at `path`. Raises NotRead."""
    flags = _FLAGS if follow_links else _FLAGS | os.O_NOFOLLOW
    try:
        # Check before opening, which would wake the writer of a FIFO and has effects on some devices.
        _refuse_what_is_no_file(path, os.stat(path, follow_symlinks=follow_links))
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as problem:
        _not_read(path, problem)
    try:
        _refuse_what_is_no_file(path, os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_bytes(
    path: str | os.PathLike[str], limit_bytes: int, *, follow_links: bool = True
) -> bytes:
    """The content of a regular file of at most `limit_bytes`. Raises NotRead."""
    return read_with_status(path, limit_bytes, follow_links=follow_links)[0]


def read_with_status(
    path: str | os.PathLike[str], limit_bytes: int, *, follow_links: bool = True
) -> tuple[bytes, os.stat_result]:
    """The content of a regular file of at most `limit_bytes`, and its status. Raises NotRead."""
    with os.fdopen(open_regular(path, follow_links=follow_links), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if status.st_size > limit_bytes:
            raise _too_large(os.fspath(path), in_units(status.st_size), limit_bytes)
        try:
            # Room for a whole piece is made, and given back, in the time that a short file takes.
            first_bytes = min(status.st_size + 1, _PIECE_BYTES)
            return _to_the_end(file, os.fspath(path), limit_bytes, first_bytes), status
        except OSError as problem:
            _not_read(path, problem)


def read_named(path: str, limit_bytes: int) -> bytes:
    """The content of a file that a user named: a regular file, or a pipe such as `<(command)`.

    Blocks as long as a pipe is open for writing. Raises NotRead.
    """
    try:
        return read_bytes(path, limit_bytes)
    except NotRead as refused:
        problem = refused
    try:
        status = os.stat(path)
        if _is_null_device(status):
            return b""
        if not stat.S_ISFIFO(status.st_mode):
            raise problem
        with os.fdopen(os.open(path, _FLAGS), "rb", buffering=0) as pipe:
            return _through_pipe(pipe, path, limit_bytes)
    except NotRead:
        raise
    except (OSError, ValueError) as problem:
        _not_read(path, problem)


def read_standard_input(limit_bytes: int) -> bytes:
    """All of standard input. Raises NotRead if it is longer than `limit_bytes`."""
    if sys.stdin is None:
        return b""
    pieces, size_bytes, descriptor = [], 0, sys.stdin.fileno()
    while wait_readable(descriptor) and (piece := os.read(descriptor, _PIECE_BYTES)):
        pieces.append(piece)
        size_bytes += len(piece)
        if size_bytes > limit_bytes:
            raise _too_large("standard input", f"over {in_units(limit_bytes)}", limit_bytes)
    return b"".join(pieces)


def wait_readable(file: FileIO | int) -> Literal[True]:
    """Wait until there is something to read, or nobody is left who writes.

    An interrupt that comes just before a system call that blocks is noticed by Python only when the
    call is over, so that Ctrl-C would be lost; hence no call blocks for long.
    """
    ready = select.poll()
    ready.register(file, select.POLLIN)
    while not ready.poll(_LOOK_FOR_SIGNALS_EVERY_MS):
        pass
    return True


def is_full(folder: str | os.PathLike[str]) -> bool:
    """Whether the disk of a folder has room for nothing more."""
    with contextlib.suppress(OSError):
        disk = os.statvfs(folder)
        return disk.f_bavail == 0 or (disk.f_files > 0 and disk.f_favail == 0)
    return False


def kind_of(status: os.stat_result) -> str:
    """The kind of a file that is not regular: `FIFO`, `character device`, …."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "special file")


def in_units(size_bytes: int) -> str:
    """A human-readable size: `3.1 GiB`, `64 MiB`, `812 bytes`."""
    size, unit = float(size_bytes), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f}".removesuffix(".0") + f" {_UNITS[unit]}"


def _to_the_end(file: BinaryIO, name: str, limit_bytes: int, piece_bytes: int) -> bytes:
    pieces, size_bytes = [], 0
    while piece := file.read(min(piece_bytes, limit_bytes + 1 - size_bytes)):
        pieces.append(piece)
        size_bytes += len(piece)
        piece_bytes = _PIECE_BYTES
        if size_bytes > limit_bytes:
            raise _too_large(name, f"over {in_units(limit_bytes)}", limit_bytes)
    return b"".join(pieces)


def _through_pipe(pipe: FileIO, path: str, limit_bytes: int) -> bytes:
    """The content of a pipe; a named one may get its writer a little later."""
    waits_until = time.monotonic() + FIRST_WRITER_WITHIN_S
    pieces, size_bytes, is_written_to = [], 0, path.startswith(("/dev/", "/proc/"))
    while True:
        piece = pipe.read(min(_PIECE_BYTES, limit_bytes + 1 - size_bytes))
        if piece is None:
            is_written_to = True
            wait_readable(pipe)
        elif piece:
            pieces.append(piece)
            size_bytes += len(piece)
            if size_bytes > limit_bytes:
                raise _too_large(path, f"over {in_units(limit_bytes)}", limit_bytes)
        elif pieces or is_written_to:
            return b"".join(pieces)
        elif time.monotonic() < waits_until:
            time.sleep(0.02)
        else:
            raise NotRead(f"{path} is a FIFO that nobody writes to")


def _is_null_device(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev


def _refuse_what_is_no_file(path: str | os.PathLike[str], status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRead(f"{os.fspath(path)} is a {kind_of(status)}, not a regular file")


def _too_large(name: str, size: str, limit_bytes: int) -> NotRead:
    return NotRead(f"{name} is {size}; at most {in_units(limit_bytes)} is read")


def _not_read(path: str | os.PathLike[str], problem: OSError | ValueError) -> NoReturn:
    if isinstance(problem, NotRead):
        raise problem
    if isinstance(problem, OSError):
        raise NotRead(f"{os.fspath(path)}: {problem.strerror}") from problem
    raise NotRead(f"{os.fspath(path)!r}: {problem}") from problem


def refuse_programs(path: str | os.PathLike[str], data: bytes) -> None:
    """Raise NotRead for what no shell would run as a script: its first line is no text, as bash has it.

    A script may have data behind its end.
    """
    if b"\0" in data.partition(b"\n")[0]:
        raise NotRead(f"{os.fspath(path)}: no script, but binary data")
