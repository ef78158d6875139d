"""What others could have put in our way, or could take from it, is used for nothing, and stops nothing.

As root the other users are real ones; as an ordinary user a folder that everybody may write is tried.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.test_terminal import Terminal
from tests.server.conftest import home_in
from tests.server.rpc import PATIENCE_S, peer
from zsh_ls.alan import Alan
from zsh_ls.alan.terminal import read_entries, spool_beside, waiting_files
from zsh_ls.ipc import Connection, Listener, dial, servers_around
from zsh_ls.ipc.address import KEEPER_SUFFIX, prefix_of, socket_folders, sockets
from zsh_ls.model.clock import SystemClock
from zsh_ls.sidecar.config import Places
from zsh_ls.system.private_folders import (
    is_safe,
    make_private,
    passing_folder,
    runtime_folder,
    sweep,
)
from zsh_ls.tasks import Engine, StartRequest, find_shell

IS_ROOT = os.geteuid() == 0
NOBODY = 65534
# A user that is neither the tests' own nor nobody.
SOMEBODY = 61_234
as_root = pytest.mark.skipif(not IS_ROOT, reason="only root can be somebody else")
# What no argument can hold: the text goes through a private file.
LONG = f"x={'y' * 200_000}; false | true; print $#x; read line; exit 3"

STRANGERS = ["0777", "1777", "a link to 0777"]
STRANGERS += ["another's", "another's 0777"] if IS_ROOT else []


def stranger(kind: str, at: Path) -> Path:
    """A folder that others can write, or have."""
    if kind.startswith("a link"):
        at.symlink_to(stranger("0777", at.with_name("target")))
        return at
    at.mkdir()
    at.chmod(0o1777 if kind == "1777" else 0o777 if "0777" in kind else 0o755)
    if "another's" in kind:
        os.chown(at, NOBODY, NOBODY)
    return at


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder whose path others can enter and which leaves room for a socket's name."""
    made = Path(passing_folder("zl-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


# KEEP-4
@pytest.mark.slow
@pytest.mark.parametrize("kind", STRANGERS)
def test_a_runtime_folder_of_others_gets_nothing_and_the_server_does_all_it_does(
    kind: str, tmp_path: Path
) -> None:
    bad = stranger(kind, tmp_path / "bad")
    project = tmp_path / "project"
    project.mkdir()
    untouched = bad.stat().st_mtime_ns
    home = home_in(tmp_path) | {"XDG_RUNTIME_DIR": str(bad)}
    with peer(env=home) as server:
        server.initialize({"experimental": {"zshLs": {"version": 1}}}, rootUri=project.as_uri())
        params = {"command": LONG, "yield_after": 0.2, "interactive": True, "shell": "zsh"}
        task_id = server.call("zsh/run", params)["task_id"]
        wait_until_listed(home, project, task_id)
        server.call("zsh/send", {"task_id": task_id, "input": ""})
        done = server.call(
            "zsh/poll",
            {"task_id": task_id, "listen": PATIENCE_S, "until": "end", "full_output": True},
        )
        assert done["exit"] == 3
        assert "200000" in done["output"]
        piped = server.call("zsh/run", {"command": "false | true", "shell": "zsh"})
        assert piped["pipestatus"] == [1, 0]
        server.leave()
    # Whatever is made or removed in a folder changes its time.
    assert bad.stat().st_mtime_ns == untouched
    assert list(bad.iterdir()) == []


# KEEP-4
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a link to 0777", "a file", *(["another's"] if IS_ROOT else [])])
def test_where_our_name_in_the_runtime_folder_is_taken_all_is_had_elsewhere(
    kind: str, tmp_path: Path
) -> None:
    """`sudo` leaves there a folder of root's: sockets and detached runs were refused."""
    runtime, project = tmp_path / "runtime", tmp_path / "project"
    runtime.mkdir(mode=0o700)
    project.mkdir()
    taken, own = runtime / "zsh-ls", prefix_of(project)
    if kind == "a file":
        taken.touch()
    else:
        stranger(kind, taken)
    home = home_in(tmp_path) | {"XDG_RUNTIME_DIR": str(runtime)}
    with peer(env=home) as server:
        server.initialize({}, rootUri=project.as_uri())
        params = {"command": "false | true", "detached": True, "yield_after": PATIENCE_S}
        done = server.call("zsh/run", params)
        assert (done["status"], done["pipestatus"]) == ("completed", [1, 0])
        task = server.call("zsh/run", {"command": "sleep 1000", "yield_after": 0.0})["task_id"]
        wait_until_listed(home, project, task)
        server.call("zsh/kill", {"task_id": task})
        server.leave()
    assert not taken.is_dir() or list(taken.iterdir()) == []
    # Elsewhere all servers of this user look: the run that ended is not for theirs to list.
    kept = [it for it in sockets(socket_folders(taken), KEEPER_SUFFIX) if it.name.startswith(own)]
    assert len(kept) == 1
    kept[0].unlink()


def wait_until_listed(home: dict[str, str], project: Path, task_id: str) -> None:
    """Until another process of this workspace, which has joined the server, sees the task."""
    command = [sys.executable, "-m", "zsh_ls", "tasks", "--json"]
    root = str(Path(__file__).parents[1])
    environment = os.environ | home | {"PYTHONPATH": root}
    for _ in range(100):
        told = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        ).stdout
        if task_id in told:
            return
    raise AssertionError(f"the server was not joined; told: {told}")


@pytest.mark.parametrize("kind", STRANGERS)
def test_it_is_not_the_runtime_folder(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(own))
    assert runtime_folder() == str(own)
    assert Places.of_this_user().runtime == own / "zsh-ls"
    bad = stranger(kind, tmp_path / "bad")
    for way in (bad, bad / "below"):
        if way != bad and not bad.is_symlink() and os.access(bad, os.W_OK):
            way.mkdir(mode=0o700, exist_ok=True)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(way))
        if way == bad or kind != "1777":  # in a sticky folder a private one stays ours
            assert runtime_folder() != str(way)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "relative")
    assert runtime_folder() != "relative"


@pytest.mark.parametrize("kind", STRANGERS)
def test_a_place_for_passing_files_that_others_can_write_is_passed_over(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = stranger(kind, tmp_path / "bad")
    monkeypatch.setattr("tempfile.tempdir", str(bad))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(bad))
    for in_memory in (True, False):
        made = Path(passing_folder("zsh-ls-test-", in_memory=in_memory))
        is_inside = made.is_relative_to(bad.resolve())
        assert not is_inside or (kind == "1777" and not in_memory)  # as /tmp is
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
        assert is_safe(made, is_ours=True)
        made.rmdir()


def test_where_no_shared_place_is_safe_the_state_folder_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("zsh_ls.system.private_folders._places", lambda **_: iter([]))
    made = Path(passing_folder("zsh-ls-test-"))
    assert made.parent == tmp_path / "state" / "zsh-ls" / "passing"
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    (tmp_path / "state" / "zsh-ls").chmod(0o777)
    with pytest.raises(PermissionError):
        passing_folder("zsh-ls-test-")


# -- real other users ------------------------------------------------------------------------------


@as_root
def test_all_that_a_user_finds_taken_by_another_is_had_elsewhere(place: Path) -> None:
    """Everything with a name that can be guessed is there before, and the other's."""
    home, workspace = place / "home", place / "workspace"
    for folder in (home, workspace):
        folder.mkdir()
        os.chown(folder, SOMEBODY, SOMEBODY)
    taken = [Path(f"/tmp/{name}-{SOMEBODY}") for name in ("runtime", "zsh-ls")]
    try:
        for planted in taken:
            planted.mkdir()
            planted.chmod(0o777)
            os.chown(planted, NOBODY, NOBODY)
        times = [planted.stat().st_mtime_ns for planted in taken]
        told = json.loads(as_user(SOMEBODY, lambda: asyncio.run(use_all(home, workspace))))
        assert [planted.stat().st_mtime_ns for planted in taken] == times
    finally:
        for planted in taken:
            shutil.rmtree(planted, ignore_errors=True)
    assert told["exit"] == 3
    assert told["joined"] == "hello"
    for folder, owner, mode in told["folders"]:
        assert (owner, mode) == (SOMEBODY, 0o700), folder


async def use_all(home: Path, workspace: Path) -> str:
    """Run, listen and join as the user whose home it is; what was used."""
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    os.environ["HOME"] = str(home)
    places = Places.of_this_user()
    engine = Engine(clock=SystemClock(), spool_root=places.outputs)
    shell = find_shell("sh")
    assert shell is not None
    request = StartRequest(
        command=f": {'y' * 200_000}; exit 3", shell_path=shell.path, shell="sh", cwd="/"
    )
    task = await engine.start(request)
    await task.wait_end()
    listener = Listener()
    await listener.open(places.runtime, [workspace], _greets)
    (path,) = servers_around(places.runtime, workspace)
    connection = await dial(path)
    assert connection is not None
    serving = asyncio.ensure_future(connection.serve())
    joined = await connection.request("hello", {})
    connection.close()
    await serving
    used = [Path(engine.reports.folder), path.parent]
    found = [(str(it), it.stat().st_uid, stat.S_IMODE(it.stat().st_mode)) for it in used]
    await listener.close()
    await engine.close()
    return json.dumps({"exit": task.exit, "joined": joined, "folders": found})


def _greets(connection: Connection) -> None:
    async def answer(method: str, _: object) -> str:
        return method

    connection.handle = answer


@as_root
def test_nobody_else_can_put_a_folder_in_the_place_of_ours(place: Path) -> None:
    bad = stranger("0777", place / "bad")
    assert not is_safe(bad)
    with pytest.raises(PermissionError):
        make_private(bad / "ours" / "deeper")
    assert list(bad.iterdir()) == []
    # That is what the refusal is for: the folder could be moved away, private as it is.
    (bad / "ours").mkdir(mode=0o700)
    assert as_user(NOBODY, lambda: _moved_away(bad / "ours")) == "moved"
    kept = place / "kept"
    make_private(kept)
    assert as_user(NOBODY, lambda: _moved_away(kept)) == "refused"


def _moved_away(folder: Path) -> str:
    try:
        folder.rename(folder.with_name("theirs"))
    except PermissionError:
        return "refused"
    return "moved"


@as_root
def test_only_ones_own_leavings_are_swept(place: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    ours, theirs = (place / f"zsh-ls-test-{gone.pid}-{whose}" for whose in ("ours", "theirs"))
    for left in (ours, theirs):
        left.mkdir()
    os.chown(theirs, NOBODY, NOBODY)
    sweep("zsh-ls-test-", str(place))
    assert [ours.exists(), theirs.exists()] == [False, True]


@as_root
async def test_a_database_of_another_user_is_not_written(place: Path) -> None:
    """Whoever owns the file can read its content."""
    database = place / "alan.db"
    database.touch()
    os.chown(database, NOBODY, NOBODY)
    alan = await Alan.open(database, clock=SystemClock(), session="test")
    health = await alan.health()
    await alan.close()
    assert "belongs to another user" in str(health.problem)
    assert database.stat().st_size == 0


@pytest.mark.parametrize("kind", STRANGERS)
def test_terminals_write_nothing_where_others_can_and_nothing_is_learnt_from_there(
    kind: str, tmp_path: Path
) -> None:
    database = tmp_path / "data" / "alan.db"
    database.parent.mkdir()
    spool = stranger(kind, spool_beside(database))
    planted = b"".join(field + b"\0" for field in (b"s", b"1.0", b"2.0", b"0", b"0", b"rm -rf /"))
    (spool / "1.log").write_bytes(planted)
    before = sorted(path.name for path in spool.iterdir())
    for shell in ("zsh", "bash", "fish"):
        terminal = Terminal(shell, tmp_path)
        terminal.types("echo one", "true")
        assert sorted(path.name for path in spool.iterdir()) == before, shell
        assert not list(Path.cwd().glob("*.last")), shell
    entries = [run for entry in waiting_files(spool) for run in read_entries(entry.path)]
    assert entries == []


def as_user(uid: int, work: Callable[[], str]) -> str:
    """What `work` gives in a process of another user; a failure there is one here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            os.write(writing, work().encode())
            os._exit(0)
        except BaseException:  # the child must end here, whatever it is
            os.write(writing, traceback.format_exc().encode())
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as said:
        told = said.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, told
    return told
