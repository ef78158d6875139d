"""The folder and the owner of sockets, and their removal after their server has died."""
# ruff: noqa: ASYNC220, ASYNC240  - what is looked at is small, and nothing else goes on meanwhile

from __future__ import annotations

import asyncio
import os
import socket
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.ipc import (
    Connection,
    Listener,
    OthersSockets,
    address,
    dial,
    servers_around,
    socket_folders,
)
from zsh_ls.ipc.server import remove_stale
from zsh_ls.system.private_folders import make_private

NOBODY = 65534
ROOT = Path(__file__).parents[2]


async def listening(runtime: Path, *workspaces: Path) -> Listener:
    listener = Listener()
    await listener.open(runtime, workspaces, _welcome)
    return listener


async def answered(runtime: Path, place: Path) -> str | None:
    """The name of the first socket around `place` at which somebody answers."""
    for path in servers_around(runtime, place):
        if (found := await dial(path)) is not None:
            serving = asyncio.ensure_future(found.serve())
            assert await found.request("hello", {}) == ["hello", {}]
            found.close()
            await serving
            return path.name
    return None


def _welcome(connection: Connection) -> None:
    async def answer(method: str, params: object) -> object:
        return [method, params]

    connection.handle = answer


async def test_a_socket_is_for_its_user_alone(runtime: Path, tmp_path: Path) -> None:
    listener = await listening(runtime, tmp_path)
    (path,) = runtime.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(runtime.stat().st_mode) == 0o700
    await listener.close()
    assert list(runtime.iterdir()) == []


async def test_a_folder_that_others_could_enter_is_closed_to_them(
    runtime: Path, tmp_path: Path
) -> None:
    runtime.mkdir(mode=0o755)
    assert await answered(runtime, tmp_path) is None
    listener = await listening(runtime, tmp_path)
    assert stat.S_IMODE(runtime.stat().st_mode) == 0o700
    await listener.close()


async def test_others_are_found_as_soon_as_they_are_there_and_no_longer(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is read where it has changed: each look took the loop thirty calls of the system."""
    monkeypatch.setattr("zsh_ls.ipc.others.socket_folders", lambda runtime: (runtime,))
    workspaces = [tmp_path / name for name in ("here", "elsewhere")]
    others = OthersSockets(runtime, workspaces[:1])
    assert others.found() == frozenset()
    listeners = [await listening(runtime, it) for it in workspaces]
    (found,) = others.found()
    assert found.name.startswith(address.prefix_of(workspaces[0]))
    second = await listening(runtime, workspaces[0])
    assert len(others.found()) == 2
    await second.close()
    assert others.found() == {found}
    long_ago = time.time() - 60
    os.utime(runtime, (long_ago, long_ago))
    assert others.found() == {found}
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", None)
        assert others.found() == {found}
    runtime.chmod(0o777)
    assert others.found() == frozenset(), "anybody could have put it there"
    runtime.chmod(0o700)
    assert others.found() == {found}
    for it in listeners:
        await it.close()
    assert others.found() == frozenset()


async def test_a_folder_that_is_a_link_or_a_strangers_is_not_used(
    runtime: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    runtime.symlink_to(elsewhere)
    listener = await listening(runtime, tmp_path)
    assert list(elsewhere.iterdir()) == []
    assert await answered(runtime, tmp_path) == listener._paths[0].name
    assert stat.S_IMODE(listener._paths[0].parent.stat().st_mode) == 0o700
    await listener.close()


async def test_the_nearest_workspace_answers_and_of_its_servers_the_newest(
    runtime: Path, tmp_path: Path
) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    outer_server = await listening(runtime, tmp_path)
    older, newer = await listening(runtime, inner), await listening(runtime, inner)
    os.utime(older._paths[0], (1, 1))
    for place, expected in (
        (inner, newer),
        (inner / "not" / "there", newer),
        (tmp_path / "a", outer_server),
    ):
        assert await answered(runtime, place) == expected._paths[0].name
    assert await answered(runtime, tmp_path.parent) is None
    for listener in (outer_server, older, newer):
        await listener.close()


async def test_a_way_through_links_leads_to_the_same_workspace(
    runtime: Path, tmp_path: Path
) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    listener = await listening(runtime, tmp_path / "link")
    assert await answered(runtime, real)
    await listener.close()


async def test_a_long_runtime_folder_has_a_short_stand_in(tmp_path: Path) -> None:
    long = tmp_path / ("long" * 30)
    (folder,) = socket_folders(long)
    assert len(os.fsencode(folder)) + 1 + address.NAME_BYTES <= address.LONGEST_PATH_BYTES
    listener = await listening(long, tmp_path)
    assert await answered(long, tmp_path)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    await listener.close()
    assert await answered(long, tmp_path) is None


async def test_what_a_dead_server_left_is_replaced_and_a_living_ones_is_not(
    runtime: Path, tmp_path: Path
) -> None:
    living = await listening(runtime, tmp_path)
    dead = dead_socket(runtime / f"{address.prefix_of(tmp_path)}dead{address.SUFFIX}")
    assert await answered(runtime, tmp_path) == living._paths[0].name
    other = await listening(runtime, tmp_path)
    assert not dead.exists()
    assert set(runtime.iterdir()) == {*living._paths, *other._paths}
    await living.close()
    await other.close()


def test_a_socket_that_is_being_born_is_left_alone_and_one_that_never_was_goes(
    runtime: Path,
) -> None:
    make_private(runtime)
    young, old = (dead_socket(runtime / f"{name}{address.UNBORN}") for name in ("young", "old"))
    os.utime(old, (1, 1))
    (runtime / "notes.sock").write_text("no socket")
    remove_stale(runtime)
    assert {path.name for path in runtime.iterdir()} == {young.name, "notes.sock"}


def test_servers_that_come_and_die_in_crowds_never_lose_a_living_ones_socket(
    runtime: Path, tmp_path: Path
) -> None:
    script = (
        "import asyncio, os, socket, sys\n"
        "from pathlib import Path\n"
        "from zsh_ls.ipc import Listener\n"
        "from zsh_ls.ipc.address import SUFFIX, prefix_of\n"
        "async def main(runtime, place):\n"
        "    for number in range(50):\n"
        "        listener = Listener()\n"
        "        await listener.open(runtime, [place], lambda _: None)\n"
        "        with socket.socket(socket.AF_UNIX) as dead:\n"
        "            dead.bind(str(runtime / f'{prefix_of(place)}{os.getpid()}{number}{SUFFIX}'))\n"
        "        await asyncio.sleep(0)\n"
        "        assert all(path.exists() for path in listener._paths), 'a living socket has gone'\n"
        "        await listener.close()\n"
        "asyncio.run(main(*map(Path, sys.argv[1:])))\n"
    )
    command = [sys.executable, "-c", script, str(runtime), str(tmp_path)]
    servers = [subprocess.Popen(command, cwd=ROOT) for _ in range(4)]
    assert [server.wait(60) for server in servers] == [0, 0, 0, 0]
    remove_stale(runtime)
    assert list(runtime.iterdir()) == []


def dead_socket(path: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))
    return path


def test_the_kernel_says_who_is_at_the_other_end() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert address.peer_uid(ours) == os.geteuid()
        assert address.is_of_this_user(theirs)


def test_another_user_is_not_this_user(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert not address.is_of_this_user(ours)


def test_where_the_kernel_speaks_as_that_of_macos_it_is_understood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Connected:
        def getsockopt(self, level: int, option: int, size: int) -> bytes:
            assert (level, option) == (0, 1)
            # struct xucred: version, uid, number of groups, 16 groups
            return struct.pack("IIh2x16I", 0, 501, 1, 20, *[0] * 15)[:size]

    monkeypatch.delattr(socket, "SO_PEERCRED", raising=False)
    assert address.peer_uid(Connected()) == 501  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_another_user_is_turned_away(runtime: Path, tmp_path: Path) -> None:
    listener = await listening(runtime, tmp_path)
    (path,) = listener._paths
    # Every lock but the last is opened.
    for opened in (runtime.parent, runtime):
        opened.chmod(0o755)
    path.chmod(0o666)

    def knock() -> int:
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(path))
            stranger.sendall(b"\0\0\0\x29" + b'{"id":1,"method":"hello","params":{}}    ')
            return len(stranger.recv(100))

    assert await _as_nobody(knock) == 0
    path.chmod(0o600)
    await listener.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_another_users_server_is_not_joined(runtime: Path, tmp_path: Path) -> None:
    make_private(runtime)
    runtime.parent.chmod(0o777)
    path = runtime / f"{address.prefix_of(tmp_path)}trap{address.SUFFIX}"
    script = (
        "import os, socket, sys\n"
        f"trap = socket.socket(socket.AF_UNIX); trap.bind({str(path)!r})\n"
        f"os.setuid({NOBODY})\n"
        "trap.listen(); print('ready', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as trap:
        assert trap.stdout is not None
        trap.stdout.readline()
        assert await answered(runtime, tmp_path) is None
        assert trap.stdin is not None
        trap.stdin.close()


async def _as_nobody(work: Callable[[], int]) -> int:
    """The number that `work` gives in a process of the user nobody; 99 where it raised."""
    child = os.fork()
    if child == 0:
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os._exit(work())
        except ConnectionError:
            os._exit(0)
        finally:
            os._exit(99)
    _, status = await asyncio.to_thread(os.waitpid, child, 0)
    return os.waitstatus_to_exitcode(status)
