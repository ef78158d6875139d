"""What people see holds at 80 columns, and a reader that goes ends every command quietly (CLI-27, CLI-42)."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from zsh_ls.cli import _names

pytestmark = pytest.mark.slow

COLUMNS = 80
SCRIPT = """\
#!/bin/zsh
ls /nowhere | wc -l
if true; then
  make || true
  cd build
  print one | cat | sort | cat
fi
"""
SHOWN = (
    ("help",),
    ("config",),
    ("doctor",),
    ("rules",),
    ("rules", "masked-segment"),
    ("stats",),
    ("stats", "seq 3"),
    ("tasks",),
    ("circuit",),
    ("failures", "script.zsh"),
    ("trace", "script.zsh"),
    ("explain", "seq 3"),
    ("ask", "what failed last"),
    ("run", "seq 3"),
    ("output",),
)
# Beside what is shown: output for programs.
PIPED = (
    *SHOWN,
    ("--version",),
    ("check", "script.zsh"),
    ("check", "--format", "json", "script.zsh"),
    ("parse", "script.zsh"),
    ("parse", "--json", "script.zsh"),
    ("stats", "--json"),
    ("config", "--json"),
    ("init", "zsh"),
    ("completion", "bash"),
    ("run", "--brief", "seq 3"),
    ("run", "--json", "seq 3"),
    ("forget", "nothing"),
)
SIGPIPE_STATUS = 141


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[dict[str, str], Path]]:
    """An environment with a memory of some runs, and a folder with a script."""
    # A short path, as a person's is: that of pytest would fill a line of its own.
    home = Path(tempfile.mkdtemp(prefix="h", dir="/tmp"))
    folder = home / "work"
    folder.mkdir()
    (folder / "script.zsh").write_text(SCRIPT)
    places = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "STATE", "CONFIG")}
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    environment = {
        **os.environ,
        **places,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    environment.pop("COLUMNS", None)
    for line in ("seq 3", "seq 3; false"):
        subprocess.run(
            [*ZSH_LS, "run", line], env=environment, cwd=folder, capture_output=True, check=False
        )
    yield environment, folder
    shutil.rmtree(home, ignore_errors=True)


ZSH_LS = (sys.executable, "-m", "zsh_ls")


def on_terminal(environment: Mapping[str, str], folder: Path, *words: str) -> list[str]:
    """The lines that a command writes to a terminal of COLUMNS columns, without escape codes."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [*ZSH_LS, *words],
        env={**environment, "TERM": "xterm", "NO_COLOR": "1"},
        cwd=folder,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    written = b""
    try:
        while select.select([ours], [], [], 60)[0] and (piece := os.read(ours, 65536)):
            written += piece
    except OSError:
        pass  # Linux says so at the end of a terminal
    os.close(ours)
    process.wait(60)
    return written.decode().replace("\r", "").split("\n")


# CLI-42
@pytest.mark.parametrize("words", [*SHOWN, *((name, "--help") for name in _names())], ids=" ".join)
def test_no_line_is_wider_than_the_terminal(
    place: tuple[dict[str, str], Path], words: tuple[str, ...]
) -> None:
    lines = on_terminal(*place, *words)
    assert len(lines) > 1
    assert not any("\x1b" in it for it in lines)
    # A path alone may be longer than a line.
    assert [it for it in lines if len(it) > COLUMNS and len(it.split()) > 1 + ("/" in it)] == []


# CLI-42
def test_a_long_command_leaves_the_other_columns_of_a_task_whole(
    place: tuple[dict[str, str], Path],
) -> None:
    environment, folder = place
    brief = [*ZSH_LS, "run", "--brief", ": " + "a-long-word " * 12]
    answer = subprocess.run(
        brief, env=environment, cwd=folder, capture_output=True, text=True, check=True
    )
    identifier = answer.stdout.partition("task_id=")[2].split()[0]
    shown = [it for it in on_terminal(*place, "tasks", "--all") if it.startswith(identifier)]
    assert [it.split()[:2] for it in shown] == [[identifier, "completed"]]
    assert [it for it in shown if len(it) > COLUMNS or "a-long-word" not in it] == []


# CLI-27
@pytest.mark.parametrize("words", PIPED, ids=" ".join)
def test_a_reader_that_goes_ends_a_command_quietly(
    place: tuple[dict[str, str], Path], words: tuple[str, ...]
) -> None:
    environment, folder = place
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*ZSH_LS, *words],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    finally:
        os.close(writing)
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    assert status in (0, SIGPIPE_STATUS)
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr
    told = [
        it
        for it in done.stderr.splitlines()
        if not it.startswith(("[", "zsh-ls: no server", "An editor", "What has ended"))
    ]
    assert told == []
