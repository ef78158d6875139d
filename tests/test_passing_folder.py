"""Folders for files in passing: private, named after their process, gone after a crash; others stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from zsh_ls.machine import syntax_check
from zsh_ls.model.syntax import Dialect
from zsh_ls.system.private_folders import passing_folder, sweep

KILLED = "import os, sys; from zsh_ls.system.private_folders import passing_folder as made\n"
KILLED += "print(made(*sys.argv[1:]), flush=True); os.kill(os.getpid(), 9)"


def left_by_a_crash(prefix: str, base: Path) -> Path:
    command = [sys.executable, "-c", KILLED, prefix, str(base)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    return Path(ended.stdout.decode().strip())


def test_it_is_private() -> None:
    folder = Path(passing_folder("zsh-ls-test-"))
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.rmdir()


def test_what_a_crash_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    left = left_by_a_crash("zsh-ls-test-", tmp_path)
    (left / "document").write_text("x")
    others = [
        left_by_a_crash("zsh-ls-other-", tmp_path),
        Path(passing_folder("zsh-ls-test-", str(tmp_path))),
    ]
    others += [
        tmp_path / "zsh-ls-test-",
        tmp_path / "zsh-ls-test-²-x",
        tmp_path / "zsh-ls-test-x-1",
    ]
    for other in others[2:]:
        other.mkdir()
    sweep("zsh-ls-test-", str(tmp_path))
    assert not left.exists()
    assert all(it.exists() for it in others)


def test_a_folder_of_another_namespace_stays_while_it_is_written_to(tmp_path: Path) -> None:
    """A container that shares /dev/shm swept the reports of a run: `false | true` was told as [0]."""
    left = left_by_a_crash("zsh-ls-test-", tmp_path)
    number, namespace, rest = left.name.removeprefix("zsh-ls-test-").split("-")
    assert namespace == str(os.stat("/proc/self/ns/pid").st_ino)
    foreign = tmp_path / f"zsh-ls-test-{number}-{int(namespace) + 1}-{rest}"
    left.rename(foreign)
    sweep("zsh-ls-test-", str(tmp_path))
    assert foreign.exists()
    os.utime(foreign, (0, 0))
    sweep("zsh-ls-test-", str(tmp_path))
    assert not foreign.exists()


def test_a_process_in_a_namespace_of_its_own_sweeps_nothing_of_ours(tmp_path: Path) -> None:
    ours = Path(passing_folder("zsh-ls-test-", str(tmp_path)))
    swept = "import sys; from zsh_ls.system.private_folders import sweep; sweep(*sys.argv[1:])"
    command = [sys.executable, "-c", swept, "zsh-ls-test-", str(tmp_path)]
    apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces here")
    subprocess.run([*apart, *command], env=environment, check=True)
    assert ours.exists()


def test_a_folder_that_is_not_there_is_swept() -> None:
    sweep("zsh-ls-test-", "/no/such/folder")


async def test_the_first_syntax_check_sweeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    left = left_by_a_crash(syntax_check._PREFIX, tmp_path)
    assert os.listdir(tmp_path) == [left.name]
    syntax_check._sweep_once.cache_clear()
    await syntax_check.syntax_problems("true\n", Dialect.BASH)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("place", ["file/below", "loop", "a" * 300])
@pytest.mark.parametrize(
    "variable", ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME"]
)
def test_a_folder_that_cannot_be_had_stops_no_run(
    tmp_path: Path, variable: str, place: str
) -> None:
    """With XDG_STATE_HOME below a file every command was a traceback."""
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    environment = os.environ | {variable: str(tmp_path / place)}
    command = [sys.executable, "-m", "zsh_ls", "run", "print hi; exit 3"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("hi\n", 3), done.stderr
    assert "Traceback" not in done.stderr
