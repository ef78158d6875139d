"""Tasks kept on disk, of this process or another: one private folder per task.

`output` and `ring` hold the bytes, `tail` the last ones of those the disk refused
at first, `lines` the line index of a long output, `task.json` the rest. An entry
without `task.json` belongs to a task that still runs in the process named in
`owner`, or ran in it when that process died. Of one that runs for a while
`begun.json` says what it is: whoever finds that its owner was killed writes down
that the task was, too, so that the list has it.

At most 200 tasks and 4 GiB are kept, the oldest are removed first, and so are entries
of processes that crashed. Servers and command lines share the folder without a lock:
each lists it again from time to time, and ignores entries that another has just removed.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from zsh_ls.lazy import attrs, re
from zsh_ls.model.words import Origin, Status
from zsh_ls.system.bounded_files import MIB, read_bytes
from zsh_ls.tasks.process import processes

from .newlines import STEP_BYTES, NewlineIndex
from .output import Output
from .spool import HEAD_FILE, Spool, SpoolLimits, make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TASK_FILE = "task.json"
LINES_FILE = "lines"
OWNER_FILE = "owner"
BEGUN_FILE = "begun.json"
_TASK_MAX_BYTES = 4 * MIB
# The index has 8 bytes per MiB of output: this is enough for 8 TiB.
_LINES_MAX_BYTES = 64 * MIB
_OWNER_MAX_BYTES = 256
KEPT_TASKS = 200
KEPT_BYTES = 4 << 30
# The folder is listed again after this many tasks of this process, or this many bytes of output.
LOOK_AFTER_TASKS = 32
LOOK_AFTER_BYTES = 64 << 20
_TASK_ID = re.compile(r"[0-9a-f]{8}\Z")


@attrs.frozen
class StoredTask:
    """A task whose output is on disk; times are Unix seconds, `size_bytes` is of the output."""

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
    size_bytes: int = 0


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
    entry = _fields_of(task) | {"shape": shape | {"refused": output.spool.refused}}
    _write(folder / TASK_FILE, json.dumps(entry).encode())


def note_begun(folder: Path, task: StoredTask) -> None:
    """Write down a task that runs in this process, should it be killed; `note_alive` says it runs on."""
    own(folder)
    _write(folder / BEGUN_FILE, json.dumps(_fields_of(task)).encode())


def note_alive(folder: Path) -> None:
    """The task that was noted still runs: it has run until now, if this is the last that is heard of it."""
    os.utime(folder / BEGUN_FILE)


def _fields_of(task: StoredTask) -> dict[str, object]:
    fields = attrs.asdict(task)
    del fields["size_bytes"]  # stands in the shape
    return fields


def open_stored(folder: Path) -> StoredOutput | None:
    """The output kept in `folder`; None if there is none, or it is not complete."""
    try:
        entry = _entry(folder)
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
        entry = _entry(folder)
        size_bytes = entry.pop("shape")["size_bytes"]
        return attrs.evolve(_task_of(entry), size_bytes=size_bytes)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _entry(folder: Path) -> dict[str, Any]:
    """What is written down of an ended task; raises what keeps it from being read."""
    if not (folder / TASK_FILE).exists():
        _settle(folder)
    entry: dict[str, Any] = json.loads(_read(folder / TASK_FILE))
    return entry


def _settle(folder: Path) -> bool:
    """Write down the end of a task whose owner was killed; False where there is none."""
    try:
        begun, ran_until = _read(folder / BEGUN_FILE), (folder / BEGUN_FILE).stat().st_mtime
    except OSError:
        return False
    if _owner_lives(os.fspath(folder)):
        return False
    task = attrs.evolve(_task_of(json.loads(begun)), status=Status.KILLED, ended_at=ran_until)
    limits = SpoolLimits()
    with contextlib.suppress(FileNotFoundError):  # it has printed nothing, or nothing that was kept
        task = attrs.evolve(
            task, size_bytes=min((folder / HEAD_FILE).stat().st_size, limits.head_bytes)
        )
    output = Output(Spool.kept(folder, limits, task.size_bytes))
    try:
        while output.uncounted_bytes:
            output.count_lines()
        store_output(folder, task, output)
    finally:
        output.spool.close()
    return True


def _read(path: Path) -> bytes:
    return read_bytes(path, _TASK_MAX_BYTES, follow_links=False)


def _task_of(entry: dict[str, Any]) -> StoredTask:
    task = StoredTask(**entry)
    return attrs.evolve(
        task,
        origin=Origin(task.origin),
        status=Status(task.status),
        pipestatus=tuple(task.pipestatus),
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


def past_task(spool_root: Path, task_id: str) -> StoredTask | None:
    """The task of that id, if its output is kept; None where it is not, or no id."""
    return stored_task(spool_root / task_id) if _TASK_ID.match(task_id) else None


def past_tasks(spool_root: Path) -> list[StoredTask]:
    """All tasks whose output is kept, the last ended first."""
    try:
        names = [name for name in os.listdir(spool_root) if _TASK_ID.match(name)]
    except OSError:
        return []
    tasks = (
        stored_task(spool_root / name)
        for name in names
        if any((spool_root / name / it).exists() for it in (TASK_FILE, BEGUN_FILE))
    )
    return sorted((task for task in tasks if task), key=lambda task: task.ended_at, reverse=True)


class Retention:
    """Enforces the limits as this process adds entries; used from one thread.

    Looking at all entries takes longer than a short command: of processes that keep `one_task`
    alone, one in LOOK_AFTER_TASKS does it, and those that find too many entries.
    """

    def __init__(
        self,
        root: Path,
        kept_tasks: int = KEPT_TASKS,
        kept_bytes: int = KEPT_BYTES,
        *,
        one_task: bool = False,
    ) -> None:
        self._root = root
        self._kept_tasks = kept_tasks
        self._kept_bytes = kept_bytes
        self._oldest_first: dict[str, None] = {}
        self._tasks_until_look = self._bytes_until_look = 0
        if one_task and os.getpid() % LOOK_AFTER_TASKS and self._holds_few():
            self._tasks_until_look, self._bytes_until_look = LOOK_AFTER_TASKS, LOOK_AFTER_BYTES

    def _holds_few(self) -> bool:
        try:
            return len(os.listdir(self._root)) < self._kept_tasks
        except OSError:
            return True  # there is no folder yet

    def added(self, folder: Path, size_bytes: int) -> None:
        """Count a new entry, and remove the oldest ones beyond the limits."""
        self._tasks_until_look -= 1
        self._bytes_until_look -= size_bytes
        if self._tasks_until_look < 0 or self._bytes_until_look < 0:
            self._look()
        self._oldest_first.setdefault(os.fspath(folder))
        while len(self._oldest_first) > self._kept_tasks:
            _remove(self._oldest())

    def _oldest(self) -> str:
        """Take the entry that was changed longest ago off the list."""
        folder = next(iter(self._oldest_first))
        del self._oldest_first[folder]
        return folder

    def _look(self) -> None:
        self._tasks_until_look, self._bytes_until_look = LOOK_AFTER_TASKS, LOOK_AFTER_BYTES
        entries = _entries(self._root)
        ended = [folder for folder in entries if _has_ended(folder)]
        for folder in set(entries) - set(ended):
            if not _owner_lives(folder):
                _remove(folder)
        self._oldest_first = dict.fromkeys(ended)
        sizes_bytes = {folder: _size_bytes(folder) for folder in entries}
        too_much_bytes = sum(sizes_bytes.values()) - self._kept_bytes
        while too_much_bytes > 0 and self._oldest_first:
            folder = self._oldest()
            too_much_bytes -= sizes_bytes[folder]
            _remove(folder)


def _has_ended(folder: str) -> bool:
    """Whether the entry is of an ended task, also of one whose owner was killed."""
    if os.path.exists(f"{folder}/{TASK_FILE}"):
        return True
    try:
        return _settle(Path(folder))
    except (OSError, ValueError, TypeError):  # what is written of it cannot be read
        return False


def _remove(folder: str) -> None:
    """Remove an entry, which holds files only; another process may do the same at this time."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            os.unlink(f"{folder}/{name}")
        os.rmdir(folder)


def _entries(root: Path) -> list[str]:
    """The entries, the least recently changed first."""
    changed = []
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another process has just removed it
                if entry.is_dir(follow_symlinks=False):
                    changed.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    return [path for _, path in sorted(changed)]


def _size_bytes(folder: str) -> int:
    """The bytes that its files take up on disk."""
    size_bytes = 0
    with contextlib.suppress(OSError), os.scandir(folder) as files:
        for file in files:
            size_bytes += file.stat(follow_symlinks=False).st_blocks * 512
    return size_bytes


def _owner_lives(folder: str) -> bool:
    try:
        owner = read_bytes(f"{folder}/{OWNER_FILE}", _OWNER_MAX_BYTES, follow_links=False)
        pid, started = map(int, owner.split())
    except (OSError, ValueError):
        return False
    process = processes.stat(pid)
    return process is not None and started in (0, process.started)
