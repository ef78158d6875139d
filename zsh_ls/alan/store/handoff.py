"""Files of runs that a process could not write to the database before it ended.

A process that is shutting down does not wait for another's lock. It leaves its runs
in a file beside the database, redacted, and the next process imports each file once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.system.bounded_files import MIB, read_bytes
from zsh_ls.system.private_folders import files_ending, make_private

HANDED_ON = "handed on"
FOLDER = "waiting"
_SUFFIX = ".json"
_MOST_BYTES = 64 * MIB


# What a command printed is never stored; the pipeline is read again where it is needed.
_NOT_HANDED_ON = {"output", "output_is_blank", "output_end", "pipeline", "pipefail", "segments"}


def folder_beside(database: Path) -> Path:
    """The folder of handoff files for a database."""
    return database.parent / FOLDER


def write_handoff(folder: Path, runs: Sequence[CompletedRun]) -> None:
    """Write `runs`, redacted by the caller, to a new file in `folder`; raises OSError."""
    make_private(folder)
    path = folder / os.urandom(8).hex()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        kept = (
            attrs.asdict(run, filter=lambda field, _: field.name not in _NOT_HANDED_ON)
            for run in runs
        )
        json.dump(list(kept), file)
    # Only a whole file has the suffix that others look for.
    path.rename(path.with_suffix(_SUFFIX))


def handoff_files(folder: Path) -> Iterator[Path]:
    """The handoff files in `folder`, oldest first."""
    found = [(path.stat().st_mtime_ns, path) for path in files_ending(folder, _SUFFIX)]
    for _, path in sorted(found):
        yield path


def read_handoff(path: Path) -> list[CompletedRun]:
    """The runs of a file in their order; an empty list if the file is incomplete or invalid."""
    try:
        found = json.loads(read_bytes(path, _MOST_BYTES, follow_links=False))
        return [_run(fields) for fields in found]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _run(fields: dict[str, object]) -> CompletedRun:
    run = CompletedRun(**fields)  # type: ignore[arg-type]
    return attrs.evolve(
        run,
        pipestatus=tuple(run.pipestatus),
        outcome=None if run.outcome is None else Outcome(run.outcome),
        origin=Origin(run.origin),
    )
