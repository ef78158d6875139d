"""What stays on disk of a task, this process's or another's: one private folder a task.

`output` and `ring` hold the bytes, `tail` the last ones of what the disk refused
for a while, `lines` the line index of a long one, `task.json` the rest. An entry
without `task.json` belongs to a task that still runs in the process named in
`owner`, or ran there when that process died.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import attrs

from zsh_ls.model.words import Origin, Status
from zsh_ls.system.bounded_files import MIB, read_bytes
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.request import StartRequest

from .newlines import STEP_BYTES, NewlineIndex
from .output import Output
from .spool import Spool, SpoolLimits, make_private

TASK_FILE = "task.json"
LINES_FILE = "lines"
OWNER_FILE = "owner"
_TASK_MAX_BYTES = 4 * MIB
# A number of 8 bytes for each MiB of output: that of 8 TiB.
_LINES_MAX_BYTES = 64 * MIB


@attrs.frozen
class StoredTask:
    """What is known of a task whose output is on disk; times are Unix seconds."""

    task_id: str
    label: str
    shell: str
    cwd: str
    workspace: str
    origin: Origin
    status: Status
    exit: int | None
    pipestatus: tuple[int, ...]
    started_at: float
    ended_at: float
    is_pty: bool = False


@attrs.frozen
class StoredOutput:
    """A kept task with its output, open for reading until `close`."""

    task: StoredTask
    output: Output

    def close(self) -> None:
        """Give back the descriptors."""
        self.output.spool.close()


def store_output(folder: Path, task: StoredTask, output: Output) -> None:
    """Write everything that another process needs to show this output."""
    index, limits = output.index, output.spool.limits
    shape = {
        "size_bytes": index.size_bytes,
        "newlines": index.newlines,
        "ends_in_line": index.ends_in_line,
        "head_bytes": limits.head_bytes,
        "ring_bytes": limits.ring_bytes,
    }
    lines = index.dump()
    make_private(folder)
    output.spool.persist()
    if shape["size_bytes"] >= STEP_BYTES:
        _write(folder / LINES_FILE, lines)
    said = {"shape": shape | {"refused": output.spool.refused}}
    _write(folder / TASK_FILE, json.dumps(attrs.asdict(task) | said).encode())


def open_stored(folder: Path) -> StoredOutput | None:
    """The output kept in `folder`; None where there is none that is whole."""
    try:
        said = json.loads(read_bytes(folder / TASK_FILE, _TASK_MAX_BYTES, follow_links=False))
        shape = said.pop("shape")
        lines = bytes(8)
        if shape["size_bytes"] >= STEP_BYTES:
            lines = read_bytes(folder / LINES_FILE, _LINES_MAX_BYTES, follow_links=False)
        limits = SpoolLimits(head_bytes=shape["head_bytes"], ring_bytes=shape["ring_bytes"])
        size_bytes = shape["size_bytes"]
        index = NewlineIndex.of(
            lines, shape["newlines"], size_bytes, ends_in_line=shape["ends_in_line"]
        )
        task = _task_of(said)
        refused = tuple(shape["refused"]) if shape.get("refused") else None
        output = Output(Spool.kept(folder, limits, size_bytes, refused), index)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    output.is_final = True
    return StoredOutput(task, output)


def stored_task(folder: Path) -> StoredTask | None:
    """What `folder` says of its task, its output unread."""
    try:
        said = json.loads(read_bytes(folder / TASK_FILE, _TASK_MAX_BYTES, follow_links=False))
        del said["shape"]
        return _task_of(said)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _task_of(said: dict[str, object]) -> StoredTask:
    task = StoredTask(**said)  # type: ignore[arg-type]
    return attrs.evolve(
        task,
        origin=Origin(task.origin),
        status=Status(task.status),
        pipestatus=tuple(task.pipestatus),
    )


def stored_task_of(task_id: str, request: StartRequest, **how: object) -> StoredTask:
    """What to keep of a task started by `request`; `how` it went."""
    return StoredTask(
        task_id=task_id,
        label=request.label(),
        shell=request.shell,
        cwd=request.cwd,
        workspace=request.workspace,
        origin=request.origin,
        is_pty=request.pty,
        **how,  # type: ignore[arg-type]
    )


def own(folder: Path) -> None:
    """Say that this process writes the entry, before its task has ended."""
    make_private(folder)
    me = processes.stat(os.getpid())
    _write(folder / OWNER_FILE, f"{os.getpid()} {me.started if me else 0}".encode())


def _write(path: Path, data: bytes) -> None:
    """Replace a private file whole, so that readers see the old or the new."""
    fresh = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(fresh, flags, 0o600), "wb", buffering=0) as file:
        file.write(data)
    os.replace(fresh, path)


_TASK_ID = re.compile(r"[0-9a-f]{8}\Z")


def past_output(
    spool_root: Path, task_id: str | None = None, *, workspace: str | None = None
) -> StoredOutput | None:
    """The kept output of `task_id`, else of the last task of `workspace` (any, if None) that ended."""
    if task_id is not None:
        return open_stored(spool_root / task_id) if _TASK_ID.match(task_id) else None
    for task in past_tasks(spool_root):
        if workspace in (None, task.workspace) and (kept := open_stored(spool_root / task.task_id)):
            return kept
    return None


def past_tasks(spool_root: Path) -> list[StoredTask]:
    """All tasks whose output is kept, the one that ended last first."""
    try:
        names = [name for name in os.listdir(spool_root) if _TASK_ID.match(name)]
    except OSError:
        return []
    tasks = (
        stored_task(spool_root / name) for name in names if (spool_root / name / TASK_FILE).exists()
    )
    return sorted((task for task in tasks if task), key=lambda task: task.ended_at, reverse=True)
