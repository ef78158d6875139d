"""Tests of unusable files: runs go on, there is one clear warning, and nothing is overwritten (KEEP-5)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World, execution
from zsh_ls.alan import Alan
from zsh_ls.alan.store.database import file_system_of, local_path, open_reader
from zsh_ls.alan.store.fallback_store import RETRY_EVERY_S, FallbackStore
from zsh_ls.alan.store.schema import APPLICATION_ID, VERSION
from zsh_ls.alan.store.store import Store
from zsh_ls.model.recall import RunQuery
from zsh_ls.model.words import Origin

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alan.db"


def works_in_memory(path: Path, problem: str) -> None:
    """Assert that runs are recorded in RAM, the problem is reported, and the file stays as it is."""
    before = path.read_bytes()
    asyncio.run(_works_in_memory(path, problem))
    assert path.read_bytes() == before


async def _works_in_memory(path: Path, problem: str) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    for _ in range(3):
        alan.remember(execution("make"))
    past, health = await alan.past("make"), await alan.health()
    await alan.close()
    assert (past.runs, past.streak) == (3, 3)
    assert health.status == "degraded"
    assert problem in (health.problem or "")


def remove(path: Path) -> None:
    path.unlink()


def grown(path: Path, runs: int = 300) -> None:
    world = World.on_file(path)
    for n in range(runs):
        world.run(f"command{n} x")
    world.store.close()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_text("a shopping list, much longer than a page of a database\n" * 100)
    works_in_memory(path, "damaged or no database")


def test_a_file_of_random_bytes_behind_a_right_header(path: Path) -> None:
    grown(path)
    content = path.read_bytes()
    path.write_bytes(content[:100] + os.urandom(len(content) - 100))
    works_in_memory(path, "move it away to begin a new memory")


def test_a_truncated_file(path: Path) -> None:
    grown(path)
    os.truncate(path, path.stat().st_size // 2)
    works_in_memory(path, "damaged or no database")


def test_a_file_of_a_newer_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE of_the_future(x)")
    connection.close()
    works_in_memory(path, "newer zsh-ls")
    assert [it.name for it in path.parent.iterdir()] == ["alan.db"]


def test_the_database_of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks(url)")
    works_in_memory(path, "another program")


@pytest.mark.parametrize(
    "damage", ["ring = x'010203'", "kind = 99", "w_runs = 'many'", "text = x'ff'", "ring = 7"]
)
def test_rows_that_nobody_here_has_written(path: Path, damage: str) -> None:
    world = World.on_file(path)
    for _ in range(3):
        world.run("make")
    world.store._connection.execute(f"UPDATE pattern SET {damage}")
    world.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    works_in_memory(path, "damaged")


LOG_COLUMNS = [
    "at_ms",
    "outcome",
    "exit",
    "duration_ms",
    "pipestatus",
    "origin",
    "preview",
    "neutral",
]


@pytest.mark.parametrize("value", ["'many'", "99", "x'ff00'", "-1e300"])
@pytest.mark.parametrize("column", LOG_COLUMNS)
async def test_every_question_is_answered_over_a_log_that_nobody_here_has_written(
    path: Path, column: str, value: str
) -> None:
    grown(path, 3)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE run SET {column} = {value} WHERE id < 3")
    connection.close()
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.command_stats("command1 x")
    await alan.memory_stats()
    await alan.recalling(lambda recall: recall.runs(RunQuery(), limit=9))
    await alan.recalling(lambda recall: recall.records(limit=9, origins=frozenset(Origin)))
    await alan.record(execution("command1 x"))
    assert (await alan.past("command1 x")).runs >= 1
    await alan.close()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_a_pipe_or_a_device_is_left_alone(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    before = path.stat().st_mode
    asyncio.run(_works_in_memory(path, "not a regular file"))
    assert path.stat().st_mode == before


async def test_a_table_dropped_under_the_server(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.record(execution("make"))
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE run")
    connection.close()
    await alan.record(execution("make"))
    assert (await alan.past("make")).runs == 1
    assert (await alan.health()).status == "degraded"
    problem = alan.problem or ""
    assert "no such table" in problem
    assert "move it away, with its -wal and -shm, to begin a new memory" in problem
    await alan.close()


@pytest.mark.parametrize("left_bytes", [0, 10, 5_000, 100_000])
async def test_a_log_that_is_cut_under_a_new_memory_takes_no_tables_with_it(
    path: Path, left_bytes: int
) -> None:
    """The tables were in the log alone: the memory had `no such table` for good."""
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.record(execution("make"))
    os.truncate(f"{path}-wal", left_bytes)
    await alan.record(execution("make"))
    assert (await alan.past("make")).runs >= 1
    assert (await alan.health()).status == "ok"
    await alan.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() >= (1,)
    connection.close()


def test_an_empty_file_is_a_new_memory(path: Path) -> None:
    path.touch()
    fallback = FallbackStore(path, Store, StillClock())
    assert (fallback.in_memory, fallback.problem) == (False, None)
    fallback.close()


async def test_a_place_where_nothing_can_be_written() -> None:
    alan = await Alan.open(Path("/proc/alan.db"), clock=StillClock(), session="s1")
    alan.remember(execution("make"))
    assert (await alan.past("make")).runs == 1
    assert "cannot be written" in (alan.problem or "")
    await alan.close()


async def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    alan = await Alan.open(tmp_path, clock=StillClock(), session="s1")
    assert alan.problem is not None
    await alan.close()


def in_a_process(code: str, path: Path) -> None:
    """Run `code` in another process, because it drops rights or sets limits for good."""
    prelude = (
        "import os, resource, signal, sys; from pathlib import Path\n"
        "from tests.alan.world import StillClock, execution\n"
        "from zsh_ls.alan.store.fallback_store import RETRY_EVERY_S, FallbackStore\n"
        "from zsh_ls.alan.store.store import Store\n"
        "path, clock = Path(sys.argv[1]), StillClock()\n"
    )
    command = [sys.executable, "-c", prelude + textwrap.dedent(code), str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, unlike those that pytest makes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become nobody")
def test_a_read_only_file_is_read_and_learning_goes_on_in_memory(open_folder: Path) -> None:
    path = open_folder / "alan.db"
    grown(path, 5)
    before = path.read_bytes()
    path.chmod(0o444)
    in_a_process(
        """
        os.setuid(65534)
        fallback = FallbackStore(path, Store, clock)
        fallback.record(execution("command1 x"))
        past = fallback.ask(lambda store: store.past("command1 x", session="s1", now=0.0))
        assert past.runs == 2, past
        assert fallback.in_memory
        assert "cannot be written" in fallback.problem, fallback.problem
        """,
        path,
    )
    assert path.read_bytes() == before


def test_damage_met_while_running_is_survived(path: Path) -> None:
    grown(path)
    fallback = FallbackStore(path, Store, StillClock())
    content = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(len(content) - 4096))
    fallback.record(execution("make"))
    past = fallback.ask(lambda store: store.past("make", session="s1", now=0.0))
    assert past.runs == 1
    assert "damaged" in (fallback.problem or "")
    fallback.close()


def test_when_a_refused_file_is_moved_away_memory_begins_anew_with_what_waited(path: Path) -> None:
    path.write_text("no database " * 1000)
    clock = StillClock()
    fallback = FallbackStore(path, Store, clock)
    fallback.record(execution("make"))
    path.rename(path.with_suffix(".old"))
    clock.at += RETRY_EVERY_S
    fallback.record(execution("make"))
    assert (fallback.in_memory, fallback.problem) == (False, None)
    fallback.close()
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": 2}]


def test_a_damaged_file_is_never_written_to_again(path: Path) -> None:
    grown(path)
    fallback = FallbackStore(path, Store, clock := StillClock())
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 20))
    for n in range(300):
        fallback.record(execution(f"command{n} x"))
    assert fallback.in_memory
    before = path.read_bytes()
    clock.at += 10 * RETRY_EVERY_S
    fallback.record(execution("make"))
    fallback.close()
    assert path.read_bytes() == before


def grown_and_open(path: Path) -> tuple[Path, FallbackStore]:
    """A memory of 1,205 runs that is open, of which the log has five, and a copy of its file with 600."""
    fallback = FallbackStore(path, Store, StillClock())
    for n in range(600):
        fallback.record(execution(f"early{n} x"))
    fallback.close()
    older = path.with_name("older.db")
    shutil.copyfile(path, older)
    grown_by_another(path)
    fallback = FallbackStore(path, Store, StillClock())
    for n in range(5):
        fallback.record(execution(f"later{n} x"))
    fallback.ask(Store.checkpoint)
    return older, fallback


def grown_by_another(path: Path) -> None:
    fallback = FallbackStore(path, Store, StillClock())
    for n in range(600):
        fallback.record(execution(f"later{n} x"))
    fallback.close()


def test_an_older_copy_that_is_written_over_the_file_is_gone_on_with_and_told(path: Path) -> None:
    """Runs went on into a file that nobody could read any more, and the next start said so."""
    older, fallback = grown_and_open(path)
    shutil.copyfile(older, path)
    for n in range(20):
        fallback.record(execution(f"afterwards{n} x"))
    assert "was written by another program; memory goes on with" in (fallback.problem or "")
    assert not fallback.in_memory
    assert fallback.ask(Store.observations) == 620
    fallback.close()
    assert query(path, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": 620}]


def test_what_the_log_has_as_a_whole_is_not_lost_with_the_file(path: Path) -> None:
    """Another process reads, so that not all of the log could be copied when the file was overwritten."""
    FallbackStore(path, Store, StillClock()).close()
    older = path.with_name("older.db")
    shutil.copyfile(path, older)
    fallback = FallbackStore(path, Store, StillClock())
    fallback.record(execution("early x"))
    with reading(path):
        for n in range(600):
            fallback.record(execution(f"later{n} x"))
        fallback.ask(Store.checkpoint)
    shutil.copyfile(older, path)
    fallback.record(execution("make"))
    assert fallback.ask(Store.observations) == 602
    fallback.close()
    assert query(path, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": 602}]


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """While this lasts, another process has begun to read."""
    reads = (
        "import sqlite3, sys\nconnection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('BEGIN')\nconnection.execute('SELECT count(*) FROM observations').fetchall()\n"
        "print('reads', flush=True)\nsys.stdin.read()"
    )
    command = [sys.executable, "-c", reads, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline()
        yield
        reader.communicate()


async def test_readers_notice_an_overwritten_file_too(path: Path) -> None:
    older, fallback = grown_and_open(path)
    fallback.close()
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    assert (await alan.past("later7 x")).runs == 1
    await alan.record(execution("later8 x"))
    await alan._run_in(alan._writing, lambda: alan._store.ask(Store.checkpoint))
    assert (await alan.past("later7 x")).runs == 1
    shutil.copyfile(older, path)
    assert (await alan.past("later7 x")).runs == 0
    assert (await alan.past("early7 x")).runs == 1
    assert "was written by another" in ((await alan.health()).problem or "")
    await alan.close()


def test_a_file_that_is_damaged_where_nobody_reads_is_told_with_the_next_run(path: Path) -> None:
    _, fallback = grown_and_open(path)
    with path.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(os.urandom(4096 * 50))
    before = path.read_bytes()
    for n in range(3):
        fallback.record(execution(f"afterwards{n} x"))
    assert fallback.in_memory
    assert "damaged" in (fallback.problem or "")
    fallback.close()
    assert path.read_bytes() == before
    # What ran since is learnt once the file has been moved away.
    path.rename(path.with_name("damaged.db"))
    anew = FallbackStore(path, Store, StillClock())
    anew.learn_from_terminal()
    assert anew.ask(Store.observations) == 3
    anew.close()


def test_nothing_is_lost_of_a_file_that_was_only_touched(path: Path) -> None:
    _, fallback = grown_and_open(path)
    os.utime(path)
    fallback.record(execution("make"))
    assert "was written by another program" in (fallback.problem or "")
    assert fallback.ask(Store.observations) == 1206
    fallback.close()


def test_what_other_processes_copy_into_the_file_is_no_news(path: Path) -> None:
    """Only what no checkpoint has written is."""
    _, fallback = grown_and_open(path)
    writes = (
        "import sys; from pathlib import Path; from tests.alan.world import World\n"
        "world = World.on_file(Path(sys.argv[1]))\n"
        "for n in range(20): world.run(f'theirs{n} x'); world.store.checkpoint()\n"
        "world.store.close()"
    )
    command = [sys.executable, "-c", writes, str(path)]
    for n in range(3):
        opened = fallback._store
        with subprocess.Popen(command, cwd=ROOT) as other:
            while other.poll() is None:
                fallback.record(execution(f"mine{n} x"))
                fallback.ask(Store.observations)
        assert other.returncode == 0
        assert fallback._store is opened, "it was opened anew"
    assert fallback.problem is None
    fallback.close()


async def test_a_file_removed_under_the_server_is_begun_anew_with_one_warning(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.record(execution("make"))
    remove(path)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            await alan.record(execution("make"))
        assert (await alan.past("make")).runs == 3
    await alan.close()
    assert len(caplog.records) == 1
    assert "was removed or replaced" in caplog.text
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": 3}]


async def test_a_reader_does_not_go_on_reading_a_removed_file(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.record(execution("make"))
    assert (await alan.past("make")).runs == 1
    remove(path)
    assert (await alan.past("make")).runs == 0
    await alan.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB, to be filled."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs may be mounted here")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def fill_and_recover(
    path: Path, fallback: FallbackStore, clock: StillClock, free: Path | None
) -> None:
    runs = 0
    while not fallback.in_memory and runs < 5000:
        fallback.record(execution(f"command{runs} {'x' * 150}"))
        runs += 1
    assert fallback.in_memory
    assert fallback.problem is not None
    fallback.record(execution("after the disk was full"))
    past = fallback.ask(lambda s: s.past("after the disk was full", session="s1", now=0.0))
    assert past.runs == 1
    if free is not None:
        free.unlink()
    clock.at += RETRY_EVERY_S
    fallback.record(execution("when there is room again"))
    assert fallback.problem is None
    fallback.close()
    (found,) = query(path, "SELECT count(*) AS n FROM observations")
    assert found["n"] == runs + 2
    (check,) = query(path, "PRAGMA integrity_check")
    assert list(check.values()) == ["ok"]


def test_on_a_full_disk_runs_wait_in_memory_and_none_is_lost(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(500_000))
    clock = StillClock()
    fallback = FallbackStore(small_disk / "alan.db", Store, clock)
    fill_and_recover(small_disk / "alan.db", fallback, clock, ballast)


def test_where_writes_really_fail_runs_wait_in_memory(path: Path) -> None:
    """A limit of 600 kB for files stands in for a full disk where none can be mounted."""
    in_a_process(
        """
        fallback = FallbackStore(path, Store, clock)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, hard))
        runs = 0
        while not fallback.in_memory and runs < 5000:
            fallback.record(execution(f"command{runs} {'x' * 150}"))
            runs += 1
        assert fallback.in_memory
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        clock.at += RETRY_EVERY_S
        fallback.record(execution("make"))
        assert fallback.problem is None, fallback.problem
        fallback.close()
        (path.parent / "runs").write_text(str(runs + 1))
        """,
        path,
    )
    written = int((path.parent / "runs").read_text())
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": written}]


MOUNTS = """\
22 1 0:21 / / rw - ext4 /dev/vda rw
30 22 0:40 / /home rw shared:1 - nfs4 server:/home rw
31 30 0:41 / /home/me/local\\040disk rw - xfs /dev/vdb rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/x.db", "ext4"),
        ("/home/me/x.db", "nfs4"),
        ("/home/me/local disk/x.db", "xfs"),
        ("/homes/x.db", "ext4"),
    ],
)
def test_the_file_system_is_the_one_mounted_deepest(path: str, kind: str) -> None:
    assert file_system_of(Path(path), MOUNTS) == kind


def test_from_a_network_file_system_memory_moves_to_a_private_local_folder(tmp_path: Path) -> None:
    home = Path("/home/me/.local/share/zsh-ls/alan.db")
    moved = local_path(home, MOUNTS, tmp_path)
    assert moved == local_path(home, MOUNTS, tmp_path)
    assert moved.parent.parent == tmp_path
    assert moved.parent.stat().st_mode & 0o777 == 0o700
    assert local_path(Path("/var/alan.db"), MOUNTS, tmp_path) == Path("/var/alan.db")


def test_a_local_folder_that_others_may_enter_is_not_used(tmp_path: Path) -> None:
    (tmp_path / f"zsh-ls-{os.getuid()}").mkdir(mode=0o755)
    home = Path("/home/me/alan.db")
    assert local_path(home, MOUNTS, tmp_path) == home


def test_a_reader_cannot_write(path: Path) -> None:
    grown(path, 1)
    with pytest.raises(sqlite3.OperationalError):
        Store(open_reader(path)).record(execution("make"))
