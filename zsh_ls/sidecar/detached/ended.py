"""How detached runs ended, for those who ask when nobody keeps them any more: beside the kept output."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from zsh_ls.lazy import attrs, re
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import TaskResult
from zsh_ls.sidecar.remote import rpc
from zsh_ls.system.bounded_files import MIB, read_bytes
from zsh_ls.system.private_folders import make_private

NAME = "detached.json"
# A final answer has at most 4 MiB of text, each character of which may be six in JSON.
_LONGEST_BYTES = 64 * MIB
_TASK_ID = re.compile(r"[0-9a-f]{8}\Z")
log = logging.getLogger(__name__)


@attrs.frozen
class EndedRun:
    """A detached run of `workspace` that has ended; `answer` is for somebody who has read nothing of it."""

    workspace: str
    summary: TaskSummary
    answer: TaskResult


def write(outputs: Path, run: EndedRun) -> None:
    """Write it down for as long as its output is kept; raises OSError."""
    folder = outputs / run.summary.task_id
    make_private(folder)
    fresh = folder / f"{NAME}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(fresh, flags, 0o600), "wb") as file:
        file.write(json.dumps(rpc.packed(run)).encode())
    os.replace(fresh, folder / NAME)


def is_known(outputs: Path, task_id: str) -> bool:
    """Whether how the run of that id ended has been written down."""
    return bool(_TASK_ID.match(task_id)) and (outputs / task_id / NAME).exists()


def read(outputs: Path, task_id: str) -> EndedRun | None:
    """The one with that id; None where it is not known, or written by another version."""
    if not _TASK_ID.match(task_id):
        return None
    try:
        text = read_bytes(outputs / task_id / NAME, _LONGEST_BYTES, follow_links=False)
    except OSError:  # nobody has written one, or its output is no longer kept
        return None
    try:
        run: EndedRun = rpc.unpacked(json.loads(text), EndedRun)
    except Exception as fault:  # whatever a converter raises at what another version has written
        log.warning("how detached run %s ended cannot be read: %s", task_id, type(fault).__name__)
        return None
    return run


def all_of(outputs: Path) -> Iterator[EndedRun]:
    """Those that are known, in no order."""
    try:
        names = [name for name in os.listdir(outputs) if _TASK_ID.match(name)]
    except OSError:
        return
    for name in names:
        if (outputs / name / NAME).exists() and (run := read(outputs, name)) is not None:
            yield run
