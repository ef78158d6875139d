"""`zsh-ls check`: which files are read, and how many at once. Results have the order of the files."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections import deque
from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from zsh_ls.insights import static
from zsh_ls.machine.syntax_check import complaints
from zsh_ls.shell.fates import Sources
from zsh_ls.shell.syntax.dialect import NAMES, SUFFIXES, dialect_of, shebang_dialect
from zsh_ls.system.bounded_files import (
    MIB,
    SCRIPT_BYTES,
    NotRead,
    open_regular,
    read_named,
    read_standard_input,
)

from .findings import SYNTAX_ERROR, Finding, error_on_line, findings_of
from .given_files import GivenFiles

SKIPPED_FOLDERS = {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv"}
# Some begin with a shebang for editors, but they are no shell scripts.
MAKEFILES = {"Makefile", "makefile", "GNUmakefile"}
# A longer file in a folder was not written by hand.
MAX_BYTES = 2 * MIB
HEAD_BYTES = 4096
COMPLETION_TAGS = ("#compdef", "#autoload")
STDIN = "-"
# How many files are checked ahead in one process, which mostly waits for their shells.
AT_ONCE = 4
BATCH = 16
# With fewer files, starting other processes takes longer than it saves.
WORTH_PROCESSES = 100


class CheckReport(NamedTuple):
    """What a batch of files gave: findings in order, and the files that could not be read."""

    files: int
    findings: list[Finding]
    problems: list[str]


def scripts_below(folder: str, problems: list[str]) -> Iterator[str]:
    """The shell scripts in a folder, by name or first line, in a stable order; links are not followed.

    Folders that cannot be read are added to `problems`.
    """

    def left_out(problem: OSError) -> None:
        problems.append(f"{problem.filename}: {problem.strerror}")

    for parent, folders, files in os.walk(folder, onerror=left_out):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in sorted(files):
            path = os.path.join(parent, name)
            if os.path.isfile(path) and not os.path.islink(path) and _is_script(path):
                yield path


def is_huge(path: str) -> bool:
    """Whether a file found in a folder is longer than MAX_BYTES."""
    try:
        return os.path.getsize(path) > MAX_BYTES
    except OSError:
        return False  # removed in between: reading it gives the error


def _is_script(path: str) -> bool:
    """Whether name or first lines are those of a script; a shebang overrides the name."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            data = file.read(HEAD_BYTES)
    except OSError:
        return False  # not readable by this user
    name = Path(path)
    if b"\0" in data or name.name in MAKEFILES or name.suffix == ".mk":
        return False
    head = data.decode("utf-8", "replace")
    if head.startswith("#!"):
        return shebang_dialect(head) is not None
    named = name.suffix in SUFFIXES or name.name.removeprefix(".") in NAMES
    return named or head.startswith(COMPLETION_TAGS)


def read_script(path: str) -> str:
    """The text of a file, a pipe or `-`, in which invalid UTF-8 is replaced. Raises NotRead."""
    if path == STDIN:
        return read_standard_input(SCRIPT_BYTES).decode("utf-8", "replace")
    data = read_named(path, SCRIPT_BYTES)
    if b"\0" in data[:HEAD_BYTES]:
        raise NotRead(f"{path}: no text, but binary data")
    return data.decode("utf-8", "replace")


def check_all(paths: Sequence[str], wanted: Set[str]) -> Iterator[CheckReport]:
    """Check all files; what was found comes in their order and as soon as it may.

    `wanted` are the names of rules, all that are on by default if empty.
    """
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    # Pipes are read in this process, where Ctrl-C ends the waiting for them.
    alone = len(paths) < WORTH_PROCESSES or (processes or 1) < 2
    if alone or any(map(_is_read_once, paths)):
        yield from check_each(paths, wanted, GivenFiles(paths))
        return
    batches = [paths[start : start + BATCH] for start in range(0, len(paths), BATCH)]
    one = partial(check_batch, wanted=wanted)
    with ProcessPoolExecutor(processes, initializer=begin_worker, initargs=(paths,)) as pool:
        try:
            yield from pool.map(one, batches)
        except BaseException:
            # The batches that have not begun are not waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# Of a worker: all the files that are checked, here or in other workers.
_given = GivenFiles(())


def begin_worker(paths: Sequence[str]) -> None:
    """Make a process ready to check some of these files."""
    global _given  # noqa: PLW0603
    _given = GivenFiles(paths)
    # It ends with the process that started it, which alone notices Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_batch(paths: Sequence[str], wanted: Set[str]) -> CheckReport:
    """Check a few files in this process, and give what was found in one."""
    reports = list(check_each(paths, wanted, _given))
    found = [each for report in reports for each in report.findings]
    return CheckReport(len(paths), found, [each for it in reports for each in it.problems])


def check_each(paths: Sequence[str], wanted: Set[str], given: GivenFiles) -> Iterator[CheckReport]:
    """Check files in this process, a report each; their shells read some of them ahead."""
    slots = asyncio.Semaphore(AT_ONCE)
    ahead: deque[asyncio.Task[CheckReport]] = deque()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        for path in paths:
            # A pipe may be waited for long: first comes what was found before it.
            most_ahead = 0 if _is_read_once(path) else AT_ONCE
            while len(ahead) > most_ahead:
                yield runner.run(_end_of(ahead.popleft()))
            # Read outside the event loop, where Ctrl-C would not end the waiting for a pipe.
            try:
                report = _report(path, read_script(path), wanted, slots, given.sources_of(path))
            except NotRead as problem:
                report = _unread(problem)
            ahead.append(loop.create_task(report))
        while ahead:
            yield runner.run(_end_of(ahead.popleft()))


async def _end_of(task: asyncio.Task[CheckReport]) -> CheckReport:
    return await task


async def _unread(problem: NotRead) -> CheckReport:
    return CheckReport(1, [], [str(problem)])


async def _report(
    path: str, text: str, wanted: Set[str], slots: asyncio.Semaphore, sources: Sources
) -> CheckReport:
    found = await _check(path, text, wanted, slots, sources)
    return CheckReport(1, [each for each in found if not wanted or each.rule in wanted], [])


def _is_read_once(path: str) -> bool:
    """Whether a path names a pipe, which can be read only once."""
    try:
        return path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


async def _check(
    path: str, text: str, wanted: Set[str], slots: asyncio.Semaphore, sources: Sources
) -> list[Finding]:
    dialect = dialect_of(text, name=path)
    found: list[Finding] = []
    if wanted != {SYNTAX_ERROR}:
        found = findings_of(path, text, static(text, dialect, sources, wanted))
    if not wanted or SYNTAX_ERROR in wanted:
        async with slots:
            errors = await complaints(text, dialect, path)
        found += [error_on_line(path, text, each.line, each.message) for each in errors]
    return sorted(found, key=lambda each: (each.line, each.column))
