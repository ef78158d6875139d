"""Tests that other processes at the database delay no run, lose none and end no server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World, execution
from zsh_ls.alan import Alan
from zsh_ls.alan.store.fallback_store import BUSY_RETRY_EVERY_S, MAX_WAITING_RUNS, FallbackStore
from zsh_ls.alan.store.handoff import folder_beside
from zsh_ls.alan.store.reader import Reader
from zsh_ls.alan.store.store import Store
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.words import Outcome

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 60.0
HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement).fetchall()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "alan.db"
    World.on_file(found).store.close()
    return found


@contextlib.contextmanager
def held(path: Path, *statements: str) -> Iterator[None]:
    """While this lasts, another process has locked the file."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), *statements],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield


def runs_in(path: Path) -> list[str]:
    rows = query(path, "SELECT command_preview FROM observations ORDER BY created_at, rowid")
    return [row["command_preview"] for row in rows]


LOCKS = {
    "immediate": ("BEGIN IMMEDIATE",),
    "exclusive": ("BEGIN EXCLUSIVE",),
    "a writer in the middle": ("BEGIN IMMEDIATE", "INSERT INTO meta VALUES('x', 'y')"),
}


@pytest.mark.parametrize("lock", LOCKS)
async def test_while_another_process_writes_memory_goes_on_and_nothing_is_lost(
    path: Path, lock: str, caplog: pytest.LogCaptureFixture
) -> None:
    alan = await Alan.open(path, clock=SystemClock(), session="s1")
    await alan.record(execution("before"))
    with held(path, *LOCKS[lock]):
        # At once, though not even the first of them is written.
        alan.remember(execution("make"))
        assert (await alan.past("before")).runs == 1
        assert await alan.circuit_state("make") is None
        for n in range(5):
            await alan.record(execution("make"))
            assert (await alan.past("make")).runs == n + 2
        health = await alan.health()
        assert (health.status, "held by another process" in (health.problem or "")) == (
            "degraded",
            True,
        )
    async with asyncio.timeout(PATIENCE_S):
        while (await alan.health()).status != "ok":
            await asyncio.sleep(0.05)
    assert (await alan.past("make")).runs == 6
    await alan.close()
    assert runs_in(path) == ["before", *["make"] * 6]
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert ["held by another process" in record.getMessage() for record in warnings] == [True]


async def test_a_server_starts_while_another_process_writes(path: Path) -> None:
    with held(path, "BEGIN EXCLUSIVE"):
        async with asyncio.timeout(PATIENCE_S):
            alan = await Alan.open(path, clock=SystemClock(), session="s1")
            assert (await alan.health()).status == "ok"
            await alan.close()


async def test_a_file_that_nobody_may_read_is_given_back_later(path: Path) -> None:
    with held(path, "PRAGMA locking_mode=EXCLUSIVE", "BEGIN IMMEDIATE", "COMMIT"):
        async with asyncio.timeout(PATIENCE_S):
            alan = await Alan.open(path, clock=SystemClock(), session="s1")
            await alan.record(execution("make"))
            assert (await alan.past("make")).runs == 1
    async with asyncio.timeout(PATIENCE_S):
        while (await alan.health()).status != "ok":
            await asyncio.sleep(0.05)
    await alan.close()
    assert runs_in(path) == ["make"]


async def test_what_cannot_be_written_before_the_end_is_written_by_the_next_process(
    path: Path,
) -> None:
    with held(path, "BEGIN IMMEDIATE"):
        alan = await Alan.open(path, clock=SystemClock(), session="s1")
        alan.remember(execution("make", 2))
        alan.remember(execution(" secretly", 2))
        alan.remember(execution("curl -u me:hunter2 host"))
        await alan.close()
    (left,) = folder_beside(path).iterdir()
    assert left.stat().st_mode & 0o777 == 0o600
    assert "hunter2" not in left.read_text()
    assert "secretly" not in left.read_text()
    assert runs_in(path) == []
    for _ in range(2):
        alan = await Alan.open(path, clock=SystemClock(), session="s2")
        assert (await alan.past("make")).streak == -1
        assert (await alan.past("curl -u me:hunter2 host")).runs == 1
        await alan.close()
    assert len(runs_in(path)) == 2
    assert list(folder_beside(path).iterdir()) == []


async def test_a_closed_memory_holds_no_file_open(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    await alan.record(execution("make"))
    assert (await alan.past("make")).runs == 1
    assert opened_below(path.parent)
    await alan.close()
    assert opened_below(path.parent) == []


def opened_below(folder: Path) -> list[str]:
    """The files below `folder` that this process has open."""
    found = []
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [name for name in found if name.startswith(f"{folder}/")]


async def test_a_reader_that_cannot_be_closed_takes_no_run_with_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Reader) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with held(path, "BEGIN IMMEDIATE"):
        alan = await Alan.open(path, clock=SystemClock(), session="s1")
        await alan.record(execution("make"))
        monkeypatch.setattr(Reader, "close", refused)
        await alan.close()
    assert len(list(folder_beside(path).iterdir())) == 1


def test_what_others_left_and_nobody_can_read_is_passed_over(path: Path) -> None:
    folder_beside(path).mkdir(mode=0o700)
    for n, text in enumerate(["", "[", "[{}]", "[1]", json.dumps([{"command": 3}])]):
        (folder_beside(path) / f"{n}.json").write_text(text)
    fallback = FallbackStore(path, Store, StillClock())
    fallback.learn_from_terminal()
    fallback.record(execution("make"))
    assert fallback.problem is None
    fallback.close()
    assert list(folder_beside(path).iterdir()) == []


def test_what_waits_is_bounded_and_that_is_said_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = StillClock()
    fallback = FallbackStore(path, Store, clock)
    with held(path, "BEGIN IMMEDIATE"):
        for n in range(MAX_WAITING_RUNS + 5):
            fallback.record(execution(f"command{n}"))
    assert caplog.text.count("the oldest are let go") == 1
    clock.at += BUSY_RETRY_EVERY_S
    fallback.record(execution("make"))
    assert fallback.problem is None
    fallback.close()
    assert len(runs_in(path)) == MAX_WAITING_RUNS + 1


# Each of these would end the test's own process with SIGBUS.
IN_A_PROCESS = """
import asyncio, logging, os, sys
from pathlib import Path
from tests.alan.world import execution
from zsh_ls.alan import Alan
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.words import Outcome

path = Path(sys.argv[1])
warnings = []
class Said(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())
logging.getLogger("zsh_ls").addHandler(Said(logging.WARNING))

def cut(which, size=0):
    os.truncate(f"{path}-{which}", size)

def remove(which):
    os.unlink(f"{path}-{which}")

async def main():
    alan = await Alan.open(path, clock=SystemClock(), session="s1")
    for n in range(20):
        await alan.record(execution(f"before{n}"))
    await alan.past("before0")
BODY
    await alan.close()

asyncio.run(main())
print(*warnings, sep="\\n")
"""


OTHER = """
import asyncio, sys
from pathlib import Path
from tests.alan.world import execution
from zsh_ls.alan import Alan
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.words import Outcome

async def main():
    alan = await Alan.open(Path(sys.argv[1]), clock=SystemClock(), session="s2")
    print((await alan.past("nothing")).runs, flush=True)
    for line in sys.stdin:
        if line == "look\\n":
            print("looked", await alan.reset("nothing"), flush=True)
            continue
        await alan.record(execution(line.strip()))
        print((await alan.past(line.strip())).runs, flush=True)
    await alan.close()

asyncio.run(main())
"""


def in_a_process(path: Path, body: str, *how: str) -> list[str]:
    """The warnings of another process that runs `body` with a memory."""
    code = IN_A_PROCESS.replace("BODY", textwrap.indent(textwrap.dedent(body), "    "))
    command = [sys.executable, "-c", code, str(path), *how]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S * 2
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return [line for line in done.stdout.splitlines() if line]


def is_sound(path: Path) -> bool:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))


HARM = {
    "the index is cut": ('cut("shm")', True),
    "the index is cut in its middle": ('cut("shm", 100)', True),
    "the log is cut": ('cut("wal")', False),
    "the log is cut in its middle": ('cut("wal", 40_000)', False),
    "both are cut": ('cut("wal"); cut("shm")', False),
    "the log is removed": ('remove("wal")', True),
    "the index is removed": ('remove("shm")', True),
    "both are removed": ('remove("wal"); remove("shm")', True),
}


HOW = {
    "alone": (),
    "beside another": ("other",),
    "after another has noticed": ("other", "first"),
    "at the same time as another": ("other", "at once"),
}


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@pytest.mark.parametrize("harm", HARM)
def test_a_log_that_is_cut_ends_no_server_and_is_told_once(
    path: Path, harm: str, how: tuple[str, ...]
) -> None:
    """A cut is told by the process that recovers from it; removed files, which all open anew, by each."""
    what, loses_nothing = HARM[harm]
    said = in_a_process(
        path,
        f"""
        import subprocess
        other = None
        if "other" in sys.argv:
            other = subprocess.Popen(
                [sys.executable, "-c", {OTHER!r}, str(path)], bufsize=1, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
            assert other.stdout.readline() == "0\\n"
        def let_the_other_look():
            other.stdin.write("look\\n")
            assert other.stdout.readline().startswith("looked ")
        if "at once" in sys.argv:
            recover = alan._store._recover_log
            def both_recover():
                alan._store._recover_log = recover
                let_the_other_look()
                recover()
            alan._store._recover_log = both_recover
        {what}
        if "first" in sys.argv:
            let_the_other_look()
        for n in range(20):
            await alan.record(execution(f"after{{n}}"))
            assert (await alan.past(f"after{{n}}")).runs == 1
            if other:
                other.stdin.write(f"other{{n}}\\n")
                assert other.stdout.readline() == "1\\n", n
        assert (await alan.health()).status == "ok", await alan.health()
        if other:
            other.stdin.close()
            warnings.extend(f"the other: {{line}}" for line in other.stderr.read().splitlines())
            assert other.wait() == 0
        """,
        *how,
    )
    assert is_sound(path)
    found = runs_in(path)
    assert {f"after{n}" for n in range(20)} <= set(found)
    assert not how or {f"other{n}" for n in range(20)} <= set(found)
    assert not loses_nothing or {f"before{n}" for n in range(20)} <= set(found)
    assert {line for line in said if "by another program" not in line} == set()
    others = [line for line in said if line.startswith("the other: ")]
    if "removed" in harm:
        assert len(said) - len(others) == 1
        assert len(others) <= 1
    else:
        assert len(said) == 1
        assert len(others) == 1 or not set(how) & {"first", "at once"}


def test_a_cut_while_the_index_is_being_rebuilt_is_recovered_as_well(path: Path) -> None:
    """SQLite then writes its header in front of zeros, and would find nothing of the log."""
    in_a_process(
        path,
        """
        from zsh_ls.alan.store.log_files import cuts_repaired
        memory = alan._store._store
        is_open, header = memory.is_open, 136
        def is_open_and_cut_again():
            memory.is_open = is_open
            found = is_open()
            cut("shm")
            repaired = cuts_repaired()
            is_open()  # the mapping is touched, and filled with zeros
            assert cuts_repaired() > repaired
            with open(f"{path}-shm", "r+b") as index:
                size = os.fstat(index.fileno()).st_size
                index.seek(header)
                index.write(bytes(size - header))
            return found
        memory.is_open = is_open_and_cut_again
        cut("shm")
        for n in range(20):
            await alan.record(execution(f"after{n}"))
            assert (await alan.past(f"after{n}")).runs == 1, n
        assert memory.is_open == is_open
        """,
    )
    assert is_sound(path)
    assert runs_in(path) == [f"{when}{n}" for when in ("before", "after") for n in range(20)]


@pytest.mark.slow
def test_an_index_that_is_cut_again_and_again_ends_no_server(path: Path) -> None:
    """A cut in the middle of a commit may damage the file; it is told, and each run is known afterwards."""
    said = in_a_process(
        path,
        """
        import threading, time
        going = True
        def cut_on():
            while going:
                try:
                    cut("shm")
                except OSError:
                    pass
                time.sleep(0.003)
        cutting = threading.Thread(target=cut_on)
        cutting.start()
        for n in range(300):
            alan.remember(execution(f"during{n}"))
            await alan.past("before0")
        going = False
        cutting.join()
        for n in range(20):
            await alan.record(execution(f"after{n}"))
            assert (await alan.past(f"after{n}")).runs == 1, await alan.health()
        health = await alan.health()
        assert health.problem, health  # what has happened to the file is told, healed or not
        """,
    )
    assert any("by another program" in line or "in memory only" in line for line in said)


def test_a_log_that_another_process_of_ours_empties_is_no_news(path: Path) -> None:
    warnings = in_a_process(
        path,
        """
        import subprocess
        code = (
            "import sqlite3, sys\\n"
            "connection = sqlite3.connect(sys.argv[1])\\n"
            "connection.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()"
        )
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
        assert os.stat(f"{path}-wal").st_size == 0
        await alan.record(execution("after"))
        assert (await alan.past("before3")).runs == 1
        """,
    )
    assert warnings == []
    assert runs_in(path)[-1] == "after"


async def test_what_is_known_of_circuits_ends_with_another_process_commit(path: Path) -> None:
    ours = await Alan.open(path, clock=SystemClock(), session="s1")
    theirs = await Alan.open(path, clock=SystemClock(), session="s2")
    assert not ours.is_known_closed("curl example.org")  # nothing was written yet
    await ours.record(execution("make"))
    assert ours.is_known_closed("curl example.org")
    for _ in range(3):
        await theirs.record(execution("curl example.org", outcome=Outcome.TIMEOUT))
    assert not ours.is_known_closed("curl example.org")
    assert not ours.is_known_closed("make")  # that can be told after the next question alone
    circuit = await ours.circuit_state("curl example.org")
    assert circuit is not None
    assert circuit.timeouts == 3
    await ours.record(execution("make"))
    assert ours.is_known_closed("make")
    assert not ours.is_known_closed("curl example.org")
    await theirs.close()
    await ours.close()


async def test_a_timeout_of_this_process_ends_what_is_known_before_it_is_written(
    path: Path,
) -> None:
    alan = await Alan.open(path, clock=SystemClock(), session="s1")
    await alan.record(execution("make"))
    assert alan.is_known_closed("curl example.org")
    alan.remember(execution("curl example.org", outcome=Outcome.TIMEOUT))
    assert not alan.is_known_closed("curl example.org")
    await alan.close()


async def test_nothing_is_known_of_circuits_once_the_file_is_another(path: Path) -> None:
    alan = await Alan.open(path, clock=SystemClock(), session="s1")
    await alan.record(execution("make"))
    assert alan.is_known_closed("make")
    os.rename(path, path.with_suffix(".away"))
    assert not alan.is_known_closed("make")
    await alan.close()
