"""`zsh-ls check`: what is known of files already, and how many are checked at once.

Results have the order of the files.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence, Set

from zsh_ls.lazy import platformdirs
from zsh_ls.system.bounded_files import NotRead

from .check_cache import CheckCache, digest_of_text
from .check_report import CheckReport
from .findings import Finding
from .given_files import GivenFiles
from .script_files import is_read_once, read_data

# How many files a process is given at a time.
BATCH = 16
# With fewer files, starting other processes takes longer than it saves.
WORTH_PROCESSES = 100


def cache_folder() -> str:
    """The folder of results that are kept between runs; it is not created."""
    return os.path.join(platformdirs.user_cache_dir("zsh-ls"), "check")


def check_all(
    paths: Sequence[str], wanted: Set[str], cache: CheckCache | None = None
) -> Iterator[CheckReport]:
    """Check all files; what was found comes in their order and as soon as it may.

    `wanted` are the names of rules, all that are on by default if empty. What `cache` has of a file is not
    worked out again, and what it has not is kept in it.
    """
    # Pipes are read in this process, where Ctrl-C ends the waiting for them, and only once.
    if any(map(is_read_once, paths)):
        from .script_reports import check_each

        yield from check_each(paths, wanted, GivenFiles(paths))
        return
    given = GivenFiles(paths)
    waiting: deque[CheckReport | None] = deque()
    missing: list[str] = []
    for path in paths:
        known = None if cache is None else _known(path, cache, given)
        if known is None:
            missing.append(path)
        if known is None or waiting:
            waiting.append(known)
        else:
            yield known
    if not missing:
        return
    with contextlib.closing(_check_anew(missing, wanted, given, cache)) as reports:
        for known in waiting:
            yield next(reports) if known is None else known
        # Lets the processes end by themselves.
        next(reports, None)


def _known(path: str, cache: CheckCache, given: GivenFiles) -> CheckReport | None:
    """What was found in a file when nothing was different, as far as that matters."""
    try:
        data = read_data(path)
    except NotRead:
        return None
    kept = cache.get(cache.key(path, data))
    if kept is None:
        return None
    for word, digest in kept.sourced.items():
        if digest_of_text(given.text_of(path, word)) != digest:
            return None
    return CheckReport([Finding(path, *row) for row in kept.rows])


def _check_anew(
    paths: Sequence[str], wanted: Set[str], given: GivenFiles, cache: CheckCache | None
) -> Generator[CheckReport]:
    """Check files on all processors, where there are enough of them; what was found comes in their order."""
    # The rules are large; where all results were kept, they are not loaded.
    from concurrent.futures import ProcessPoolExecutor

    from .script_reports import begin_worker, check_batch, check_each

    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if len(paths) < WORTH_PROCESSES or (processes or 1) < 2:
        for report in check_each(paths, wanted, given, cache):
            yield _kept_in(cache, report)
        return
    batches = [paths[start : start + BATCH] for start in range(0, len(paths), BATCH)]
    begin = (given, wanted, cache)
    with ProcessPoolExecutor(processes, initializer=begin_worker, initargs=begin) as pool:
        try:
            for reports in pool.map(check_batch, batches):
                yield from (_kept_in(cache, report) for report in reports)
        except BaseException:
            # The batches that have not begun are not waited for.
            pool.shutdown(cancel_futures=True)
            raise


def _kept_in(cache: CheckCache | None, report: CheckReport) -> CheckReport:
    if cache is not None and report.kept is not None:
        cache.put(*report.kept)
    return report
