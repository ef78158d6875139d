"""A run's whole output: kept, and given by line range (RUN-8); or saved under the workspace root (VERB-4).

What is kept may be of this process's tasks or of another's of the same user.

A repository may have put anything in the place of the saved file: a link that leads out
of the workspace, another name of a file elsewhere, a pipe. So folders are held
open, no existing file is written into, and a new one is put in its place whole.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.results import Gap, OutputPage
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.tasks import Output, past_output

from .run import MESSAGE_BYTES, Run

RAW_BYTES = MESSAGE_BYTES // 4 * 3  # what base64 makes MESSAGE_BYTES of

FOLDER = ".tmp"
NAME = "last-command-output.txt"
RELATIVE = f"{FOLDER}/{NAME}"
IGNORE = ".gitignore"
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


async def stored_output(
    request: OutputRequest, own: Mapping[str, Run], options: SidecarOptions
) -> OutputPage:
    """The lines asked for; without a task, of the last one of this workspace that ended."""
    for name, line in (("from_line", request.from_line), ("to_line", request.to_line)):
        if line is not None and line < 1:
            raise InvalidRequest(f"{name}: lines are counted from 1, got {line}")
    if request.task_id:
        run = own.get(request.task_id)
    else:
        ended = [run for run in own.values() if run.concluded.is_set()]
        run = max(ended, key=lambda run: run.task.started_at + run.task.elapsed_s, default=None)
    if run is None:
        return await asyncio.to_thread(_page_from_disk, request, options)
    return await asyncio.to_thread(
        _page, request, run.task.task_id, run.redacted_command, run.task.output
    )


def _page_from_disk(request: OutputRequest, options: SidecarOptions) -> OutputPage:
    workspace = options.workspace if request.task_id is None else None
    kept = past_output(options.places.outputs, request.task_id, workspace=workspace)
    if kept is None:
        if request.task_id is not None:
            raise InvalidRequest(f"Unknown task: {request.task_id}")
        raise InvalidRequest("task_id: no task of this workspace has ended yet; name one")
    try:
        # An earlier release may have written it down as it was typed.
        return _page(request, kept.task.task_id, shown_command(kept.task.label), kept.output)
    finally:
        kept.close()


def _page(request: OutputRequest, task_id: str, command: str, output: Output) -> OutputPage:
    page = output.lines(
        request.from_line, request.to_line, RAW_BYTES if request.raw else MESSAGE_BYTES
    )
    text, more = page.text, page.more
    if request.raw:
        # Raw lines are whole, however long.
        text = ""
        if page.from_line is not None and page.to_line is not None:
            raw = output.read(*output.bytes_of_lines(page.from_line, page.to_line))
            text = base64.b64encode(raw).decode("ascii")
        more = more and page.to_line != min(page.total_lines, request.to_line or page.total_lines)
    return OutputPage(
        task_id=task_id,
        command=command,
        output=text,
        from_line=page.from_line,
        to_line=page.to_line,
        total_lines=page.total_lines,
        total_bytes=output.size_bytes,
        more=True if more else None,
        gap=Gap(page.gap.from_byte, page.gap.to_byte) if page.gap else None,
    )


def save(workspace: str, pieces: Iterable[str]) -> str | None:
    """Write `pieces` to `.tmp/last-command-output.txt`; gives that relative path, None where it cannot be.

    The file is private (0600), replaced whole, and kept out of git by a
    `.gitignore` of its own.
    """
    ignore = None
    try:
        with _folder(workspace) as folder:
            with contextlib.suppress(FileNotFoundError):
                ignore = os.stat(IGNORE, dir_fd=folder, follow_symlinks=False)
            if ignore is None or not stat.S_ISREG(ignore.st_mode):
                _replace(folder, IGNORE, ["*\n"])
            _replace(folder, NAME, pieces)
    except OSError:
        return None
    return RELATIVE


@contextlib.contextmanager
def _folder(workspace: str) -> Iterator[int]:
    """`.tmp`, held open, made where it is not there; OSError where it is a link or another user's."""
    root = os.open(workspace, _OPEN_FOLDER)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(FOLDER, 0o700, dir_fd=root)
        folder = os.open(FOLDER, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=root)
    finally:
        os.close(root)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError(f"{workspace}/{FOLDER} is another user's")
        yield folder
    finally:
        os.close(folder)


def _replace(folder: int, name: str, pieces: Iterable[str]) -> None:
    """Put a new file in the place of whatever has the name."""
    fresh = f"{name}.{os.urandom(6).hex()}"
    descriptor = os.open(fresh, _NEW_FILE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh, dir_fd=folder)
        raise
