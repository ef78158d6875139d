"""Tasks kept on disk, of this process or another: one private folder per task.

`output` and `ring` hold the bytes, `tail` the last ones of those the disk refused
at first, `lines` the line index of a long output, `task.json` the rest. An entry
without `task.json` belongs to a task that still runs in the process named in
`owner`, or ran in it when that process died.
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
# The index has 8 bytes per MiB of output: this is enough for 8 TiB.
_LINES_MAX_BYTES = 64 * MIB


@attrs.frozen
class StoredTask:
    """A task whose output is on disk; times are Unix seconds."""

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
        """Close the descriptors."""
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
    entry = attrs.asdict(task) | {"shape": shape | {"refused": output.spool.refused}}
    _write(folder / TASK_FILE, json.dumps(entry).encode())


def open_stored(folder: Path) -> StoredOutput | None:
    """The output kept in `folder`; None if there is none, or it is not complete."""
    try:
        entry = json.loads(read_bytes(folder / TASK_FILE, _TASK_MAX_BYTES, follow_links=False))
        shape = entry.pop("shape")
        lines = bytes(8)
        if shape["size_bytes"] >= STEP_BYTES:
            lines = read_bytes(folder / LINES_FILE, _LINES_MAX_BYTES, follow_links=False)
        limits = SpoolLimits(head_bytes=shape["head_bytes"], ring_bytes=shape["ring_bytes"])
        size_bytes = shape["size_bytes"]
        index = NewlineIndex.of(
            lines, shape["newlines"], size_bytes, ends_in_line=shape["ends_in_line"]
        )
        task = _task_of(entry)
        refused = tuple(shape["refused"]) if shape.get("refused") else None
        output = Output(Spool.kept(folder, limits, size_bytes, refused), index)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    output.is_final = True
    return StoredOutput(task, output)


def stored_task(folder: Path) -> StoredTask | None:
    """The task kept in `folder`, without reading its output; None if there is none."""
    try:
        entry = json.loads(read_bytes(folder / TASK_FILE, _TASK_MAX_BYTES, follow_links=False))
        del entry["shape"]
        return _task_of(entry)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _task_of(entry: dict[str, object]) -> StoredTask:
    task = StoredTask(**entry)  # type: ignore[arg-type]
    return attrs.evolve(
        task,
        origin=Origin(task.origin),
        status=Status(task.status),
        pipestatus=tuple(task.pipestatus),
    )


def stored_task_of(task_id: str, request: StartRequest, **result: object) -> StoredTask:
    """The entry of a task started by `request`; `result` are the fields known after its end."""
    return StoredTask(
        task_id=task_id,
        label=request.label(),
        shell=request.shell,
        cwd=request.cwd,
        workspace=request.workspace,
        origin=request.origin,
        is_pty=request.pty,
        **result,  # type: ignore[arg-type]
    )


def own(folder: Path) -> None:
    """Name this process as the owner of the entry of a task that still runs."""
    make_private(folder)
    me = processes.stat(os.getpid())
    _write(folder / OWNER_FILE, f"{os.getpid()} {me.started if me else 0}".encode())


def _write(path: Path, data: bytes) -> None:
    """Replace a private file atomically, so that readers see the old or the new one."""
    fresh = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(fresh, flags, 0o600), "wb", buffering=0) as file:
        file.write(data)
    os.replace(fresh, path)


_TASK_ID = re.compile(r"[0-9a-f]{8}\Z")


def past_output(
    spool_root: Path, task_id: str | None = None, *, workspace: str | None = None
) -> StoredOutput | None:
    """The kept output of `task_id`, else of the last ended task of `workspace` (None: of any)."""
    if task_id is not None:
        return open_stored(spool_root / task_id) if _TASK_ID.match(task_id) else None
    for task in past_tasks(spool_root):
        if workspace in (None, task.workspace) and (kept := open_stored(spool_root / task.task_id)):
            return kept
    return None


def past_tasks(spool_root: Path) -> list[StoredTask]:
    """All tasks whose output is kept, the last ended first."""
    try:
        names = [name for name in os.listdir(spool_root) if _TASK_ID.match(name)]
    except OSError:
        return []
    tasks = (
        stored_task(spool_root / name) for name in names if (spool_root / name / TASK_FILE).exists()
    )
    return sorted((task for task in tasks if task), key=lambda task: task.ended_at, reverse=True)
