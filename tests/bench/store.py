"""How fast memory is with 1,000, 100,000 and 1,000,000 runs in it.

`python -m tests.bench store [SIZE…]`; with `--folder F` the files are kept there and used
again. Figures in milliseconds; `record` is one
run with all it teaches, `insights` all that is asked before a run, `script`
the history of 300 lines, all of one project. `open` is what a start does: a connection that
writes, one that reads, and a first answer. `one insert` is what SQLite needs for inserting one row,
measured in the same run; `inserts` is the processor's p50 and p99 in so many of
its p50, which a slow or busy machine changes least. Commands follow Zipf's law, one in seven is a
pipeline, one in thirty-three goes to another host; each ran in one of five projects.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path

import attrs

from tests.alan.world import execution
from zsh_ls.alan.learning.keys import clear_key_cache, keys_of
from zsh_ls.alan.learning.observations import record_of
from zsh_ls.alan.learning.pattern import curve_of
from zsh_ls.alan.learning.recording import add_runs
from zsh_ls.alan.store.database import Transaction, open_database, open_reader
from zsh_ls.alan.store.store import HOUR_MS, RUNS_BETWEEN_SWEEPS, Store
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.shell.template.identity import identify

from ._peers import table

SIZES = (1_000, 100_000, 1_000_000)
NOW = 1_790_000_000.0
SPAN_S = 6 * 86_400.0
RUNS_A_TRANSACTION = 5_000
ROUNDS = 2_000
SCRIPT_LINES = 300
PROJECTS = tuple(f"/home/person/project{number}" for number in range(5))
HERE = PROJECTS[0]
PROGRAMS = (
    "git checkout branch-{n}",
    "git push origin feature-{n}",
    "npm run task{n}",
    "pytest tests/test_{n}.py",
    "make target-{n}",
    "docker run image{n}",
    "cat log{n}.txt | grep error",
    "ls -l folder{n}",
    "python script_{n}.py --flag value",
    "ssh host{n} systemctl status service",
    "curl -sS https://example.org/{n}",
    "tool{n} sub --option value",
)


@attrs.frozen
class Figures:
    """Sorted seconds on the wall and of the processor; the latter is what a busy machine leaves true."""

    wall_s: list[float]
    processor_s: list[float]

    def __str__(self) -> str:
        figures = [
            at(column, share) for column in (self.wall_s, self.processor_s) for share in (0.5, 0.99)
        ]
        return " ".join(f"{figure:9.3f}" for figure in figures)

    def in_inserts(self, insert_s: float) -> str:
        p50, p99 = (at(self.processor_s, share) / 1000 / insert_s for share in (0.5, 0.99))
        return f"{p50:5.0f} {p99:6.0f}"


def at(column: list[float], share: float) -> float:
    return column[min(len(column) - 1, int(share * len(column)))] * 1000


def executions(count: int, seed: int = 1) -> Iterator[CompletedRun]:
    """`count` runs over the last six days, oldest first."""
    rng = random.Random(seed)
    kinds = max(50, count // 5)
    weights = list(accumulate(1 / rank for rank in range(1, kinds + 1)))
    for n in range(count):
        rank = rng.choices(range(kinds), cum_weights=weights)[0]
        yield one(rank, NOW - SPAN_S * (count - n) / count, rng)


def one(rank: int, at: float, rng: random.Random) -> CompletedRun:
    command = PROGRAMS[rank % len(PROGRAMS)].format(n=f"{rank:x}x")
    exit_status = int(rng.random() < 0.1)
    pipestatus = (0, exit_status) if "|" in command else None
    lasted = rng.lognormvariate(0, 1.5)
    project = rng.choice(PROJECTS)
    return execution(
        command,
        exit_status,
        at=at,
        lasted=lasted,
        pipestatus=pipestatus,
        session=f"s{rng.randrange(5)}",
        cwd=project,
        project=project,
    )


def fill(path: Path, size: int) -> float:
    """Fill a new memory, many runs at a time as an import does; gives the seconds it took."""
    connection = open_database(path)
    began, rest = time.perf_counter(), executions(size)
    while batch := list(islice(rest, RUNS_A_TRANSACTION)):
        with Transaction(connection):
            runs = [record_of(run, keys_of(run.command)) for run in batch]
            add_runs(connection, runs, 24 * HOUR_MS)
    connection.close()
    return time.perf_counter() - began


def timed(
    rounds: int,
    act: Callable[[int], object],
    before_each: Callable[[int], None] = lambda _: None,
) -> Figures:
    wall_s, processor_s = [], []
    for n in range(rounds):
        before_each(n)
        began, worked = time.perf_counter(), time.thread_time()
        act(n)
        processor_s.append(time.thread_time() - worked)
        wall_s.append(time.perf_counter() - began)
    return Figures(sorted(wall_s), sorted(processor_s))


def together(figures: Sequence[Figures]) -> Figures:
    return Figures(
        sorted(second for one in figures for second in one.wall_s),
        sorted(second for one in figures for second in one.processor_s),
    )


def forget_caches() -> None:
    """What a new process does not have."""
    curve_of.cache_clear()
    clear_key_cache()
    sys.modules["zsh_ls.shell.template.identity"]._identify_cached.cache_clear()  # type: ignore[attr-defined]


def single_inserts(folder: Path) -> Figures:
    """One row into a table, on the same disk."""
    connection = open_database(folder / "insert.db")
    connection.execute("CREATE TABLE t(x)")

    def insert(n: int) -> None:
        with Transaction(connection):
            connection.execute("INSERT INTO t VALUES(?)", (n,))

    return timed(ROUNDS, insert)


def measure(folder: Path, size: int, insert_s: float) -> None:
    path = folder / f"{size}.db"
    filled_s = 0.0 if path.exists() else fill(path, size)
    runs = list(executions(size, seed=2))[-ROUNDS:]
    lines = [run.command for run in random.Random(3).choices(runs, k=SCRIPT_LINES)]
    print(f"\n{size:,} runs, {path.stat().st_size / 2**20:.0f} MiB, filled in {filled_s:.0f} s")
    print(f"  {'ms':28} {'p50':>9} {'p99':>9} {'cpu p50':>9} {'cpu p99':>9} {'inserts':>12}")
    count = len(runs)

    def show(name: str, figures: Figures) -> None:
        table(f"{size:,} runs: {name}", {"processor": figures.processor_s}, "ms")
        print(f"  {name:28} {figures} {figures.in_inserts(insert_s)}")

    def before(store: Store, command: str) -> object:
        return store.past(command, session="s1", now=NOW, project=HERE)

    def opened(_: int) -> None:
        Store(open_database(path)).close()
        store = Store(open_reader(path))
        before(store, runs[0].command)
        store.close()

    show("open, and a first answer", timed(5, opened))
    writer = Store(open_database(path), log_cap=10 * size)
    reader = Store(open_reader(path))

    def script(_: int) -> object:
        return reader.pasts(lines, session="s1", now=NOW, project=HERE)

    def cold_script(n: int) -> object:
        forget_caches()
        return script(n)

    tidied: list[Figures] = []

    def tidy(n: int) -> None:
        """Every so many runs, as in a server's quiet moments."""
        if n % RUNS_BETWEEN_SWEEPS == 0:
            tidied.append(timed(1, lambda _: writer.tidy()))

    show("record", timed(count, lambda n: writer.record(runs[n]), tidy))
    show("tidying, once in 64 runs", together(tidied))
    forget_caches()
    show("insights", timed(count, lambda n: before(reader, runs[n].command)))
    forget_caches()
    show("estimate", timed(count, lambda n: reader.estimate(runs[n].command, project=HERE)))
    forget_caches()
    show("identify alone", timed(SCRIPT_LINES, lambda n: identify(lines[n])))
    show("script, first look", timed(20, cold_script))
    show("script, later looks", timed(100, script))
    show("stats of all", timed(5, lambda _: reader.memory_stats("s1", NOW)))
    writer.close()
    reader.close()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench store")
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for number, size in enumerate(options.sizes or SIZES):
            insert = single_inserts(Path(folder) / str(number))
            print(f"  {'lower bound: one insert':28} {insert}")
            measure(options.folder or Path(folder), size, at(insert.processor_s, 0.5) / 1000)
