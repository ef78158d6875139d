"""Files named on the command line: FIFOs and devices are refused, pipes are read, nothing beyond a bound."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from .conftest import Cli

pytestmark = pytest.mark.slow
FINDING = "set -e\ngrep a b\nx=1\n"
GIB = 1 << 30


def fifo(tmp_path: Path) -> str:
    os.mkfifo(tmp_path / "fifo")
    return str(tmp_path / "fifo")


def huge(tmp_path: Path) -> str:
    with (tmp_path / "huge.zsh").open("wb") as file:
        file.truncate(3 * GIB)
    return str(tmp_path / "huge.zsh")


@pytest.mark.parametrize("command", ["check", "parse", "trace"])
def test_huge_files_and_devices_are_reported_and_not_read(
    cli: Cli, tmp_path: Path, command: str
) -> None:
    for path, why in {
        huge(tmp_path): "is 3 GiB; at most 16 MiB is read",
        "/dev/zero": "is a character device, not a regular file",
    }.items():
        done = cli(command, path)
        assert done.returncode in (2, 125)
        assert done.stderr.endswith(f"{path} {why}\n")


def test_a_fifo_without_a_writer_is_reported(cli: Cli, tmp_path: Path) -> None:
    path = fifo(tmp_path)
    for command, status in (("check", 2), ("parse", 2)):
        done = cli(command, path)
        assert done.returncode == status
        assert done.stderr == f"zsh-ls {command}: {path} is a FIFO that nobody writes to\n"
    done = cli("trace", path)
    assert done.returncode == 125
    assert done.stderr.endswith(f"{path} is a FIFO, not a regular file\n")


def test_the_other_files_are_checked_all_the_same(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.bash").write_text(FINDING)
    done = cli("check", fifo(tmp_path), str(tmp_path / "a.bash"))
    assert "a.bash:2" in done.stdout
    assert "nobody writes to" in done.stderr
    assert done.returncode == 2


def test_fifos_and_devices_below_a_folder_are_skipped(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir()
    os.mkfifo(folder / "a.zsh")
    (folder / "b.zsh").symlink_to("/dev/zero")
    (folder / "c.zsh").write_text("# a script\n" * 500)
    os.truncate(folder / "c.zsh", GIB)
    (folder / "d.bash").write_text(FINDING)
    done = cli("check", str(folder))
    assert "d.bash:2" in done.stdout
    assert done.stderr == f"zsh-ls check: {folder / 'c.zsh'}: too long, not checked\n"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("command", ["check", "parse"])
def test_a_process_substitution_is_read(
    environment: Mapping[str, str], tmp_path: Path, shell: str, command: str
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (tmp_path / "a").write_text(FINDING)
    text = f'"$1" -m zsh_ls {command} <(sleep 0.5; cat a)'
    done = subprocess.run(
        [shell, "-c", text, shell, sys.executable],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert "grep" in done.stdout


@pytest.mark.parametrize("arguments", [["check", "-"], ["parse", "-"], ["fit"], ["fit", "--jsonl"]])
def test_endless_standard_input_is_read_up_to_the_bound(
    environment: Mapping[str, str], arguments: list[str]
) -> None:
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        done = subprocess.run(
            [sys.executable, "-m", "zsh_ls", *arguments],
            stdin=endless.stdout,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        endless.kill()
    assert done.returncode in (1, 2)
    bound = "256 MiB" if "fit" in arguments else "16 MiB"
    assert f"is over {bound}" in done.stderr


@pytest.mark.parametrize("named", ["fifo", "-"])
def test_ctrl_c_ends_the_wait_for_a_writer(
    environment: Mapping[str, str], tmp_path: Path, named: str
) -> None:
    path = fifo(tmp_path)
    holding = os.open(path, os.O_RDWR)
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "check", path if named == "fifo" else "-"],
        stdin=holding,
        stderr=subprocess.PIPE,
        env=environment,
        # These tests themselves may run in the background, where a shell has its jobs ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    os.write(holding, b"echo a\n")
    # Taken out of the pipe, so it waits for the next.
    while waiting_bytes(holding):
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    assert process.wait(60) in (130, -signal.SIGINT)
    os.close(holding)
    assert process.stderr
    process.stderr.close()


def waiting_bytes(descriptor: int) -> int:
    import array
    import fcntl
    import termios

    found = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, found)
    return found[0]


def test_a_history_that_is_no_regular_file_is_reported(cli: Cli, tmp_path: Path) -> None:
    done = cli("import", "zsh-history", "/dev/zero")
    assert done.returncode == 125
    assert "/dev/zero is a character device, not a regular file" in done.stderr
    done = cli("import", "atuin", fifo(tmp_path))
    assert done.returncode == 125


def test_one_endless_line_of_a_history_is_skipped_and_the_others_are_imported(
    cli: Cli, tmp_path: Path
) -> None:
    history = tmp_path / "history"
    with history.open("wb") as file:
        file.write(b": 1700000000:0;make one\n: 1700000001:0;echo " + b"a" * (3 << 20) + b"\n")
        file.write(b": 1700000002:0;echo \\\n" + b"b\\\n" * 1_000_000 + b"c\n")
        file.write(b": 1700000003:0;make two\n")
    done = cli("import", "zsh-history", str(history))
    assert "2 runs taken in" in done.stdout
    assert "2 left: longer than 1 MiB" in done.stdout
