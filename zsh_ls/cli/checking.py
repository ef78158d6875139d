"""Checking many scripts: a few at once in each process, in one process per CPU.

Results have the order of the files.
"""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from zsh_ls.insights import static
from zsh_ls.machine.syntax_check import complaints
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_standard_input

from .findings import SYNTAX_ERROR, Finding, error_on_line, findings_of
from .script_files import read_script

STDIN = "-"
# How many files are checked at once in one process, which mostly waits for their shells.
AT_ONCE = 4
BATCH = 16
# With fewer files, starting other processes takes longer than it saves.
WORTH_PROCESSES = 100


class CheckReport(NamedTuple):
    """What a batch of files gave: findings in order, and the files that could not be read."""

    files: int
    findings: list[Finding]
    problems: list[str]


def check_all(paths: Sequence[str], wanted: Set[str]) -> Iterator[CheckReport]:
    """Check all files, in batches; `wanted` are the names of rules, all rules if empty."""
    one = partial(check_batch, wanted=wanted)
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    batches = [paths[start : start + BATCH] for start in range(0, len(paths), BATCH)]
    # Pipes are read in this process, where Ctrl-C ends the waiting for them.
    alone = len(paths) < WORTH_PROCESSES or (processes or 1) < 2
    if alone or any(map(_is_read_once, paths)):
        yield from map(one, batches)
        return
    with ProcessPoolExecutor(processes, initializer=_leave_interrupts) as pool:
        yield from pool.map(one, batches)


def check_batch(paths: Sequence[str], wanted: Set[str]) -> CheckReport:
    """Check a few files in this process."""
    texts, problems = [], []
    for path in paths:
        try:
            texts.append((path, _read(path)))
        except NotRead as problem:
            problems.append(str(problem))
    found = asyncio.run(_check_texts(texts, wanted))
    return CheckReport(len(paths), found, problems)


async def _check_texts(texts: Sequence[tuple[str, str]], wanted: Set[str]) -> list[Finding]:
    slots = asyncio.Semaphore(AT_ONCE)
    tasks = []
    for path, text in texts:
        tasks.append(asyncio.create_task(_check(path, text, wanted, slots)))
        await asyncio.sleep(0)
    checked = await asyncio.gather(*tasks)
    return [each for one in checked for each in one if not wanted or each.rule in wanted]


def _read(path: str) -> str:
    if path == STDIN:
        return read_standard_input(SCRIPT_BYTES).decode("utf-8", "replace")
    return read_script(path)


def _is_read_once(path: str) -> bool:
    """Whether a path names a pipe, which can be read only once."""
    try:
        return path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


async def _check(path: str, text: str, wanted: Set[str], slots: asyncio.Semaphore) -> list[Finding]:
    dialect = dialect_of(text, name=path)
    found: list[Finding] = []
    if wanted != {SYNTAX_ERROR}:
        found = findings_of(path, text, static(text, dialect))
    if not wanted or SYNTAX_ERROR in wanted:
        async with slots:
            said = await complaints(text, dialect, path)
        found += [error_on_line(path, text, each.line, each.message) for each in said]
    return sorted(found, key=lambda each: (each.line, each.column))


def _leave_interrupts() -> None:
    """Ignore Ctrl-C in a worker process: it ends with the main one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
