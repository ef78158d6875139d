"""The surroundings of the recorded day: a home, a workspace, a few programs, a clock and gates."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import struct
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROGRAM = [sys.executable, "-m", "zsh_ls"]
PATIENCE_S = 300.0
# In parts: what looks for secrets in repositories takes a whole one for somebody's.
MADE_UP_TOKEN = "ghp_" + "0123456789" + "abcdefghij" + "ABCDEFGHIJ" + "012345"

# All programs that a line of the day can find. What is not here is not installed.
# fmt: off
TOOLS = (
    "bash", "cat", "cut", "dirname", "env", "false", "grep", "head", "ls", "mkdir", "mktemp", "od", "printf",
    "rm", "sed", "seq", "sh", "sleep", "sort", "stty", "tail", "tee", "test", "touch", "tr", "true", "wc",
    "xargs", "zsh",
)
# fmt: on


@attrs.frozen
class World:
    """A private place, and the time in it."""

    folder: Path
    work: Path
    env: Mapping[str, str]
    _clock: mmap.mmap

    def pass_time(self, seconds: float) -> None:
        """Let time pass for every process of the day."""
        struct.pack_into("d", self._clock, 0, struct.unpack_from("d", self._clock)[0] + seconds)

    def uri(self, name: str) -> str:
        return (self.work / name).as_uri()

    def text(self, name: str) -> str:
        return (self.work / name).read_text()

    def gate(self, name: str, says: str = "") -> str:
        """The command that waits until `open_gate(name)`, which can be used again by who comes later."""
        path = self.folder / name
        if not path.exists():
            os.mkfifo(path)
        return f"gate {name} {says}".strip()

    def open_gate(self, name: str) -> None:
        """Let the command that waits there go on; waits until one is there."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                gate = os.open(self.folder / name, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError as error:
                if error.errno != errno.ENXIO or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        os.write(gate, b"\n")
        os.close(gate)


@contextmanager
def world() -> Iterator[World]:
    """A fresh day. Its folder has a name of one length, as some answers are laid out by width."""
    folder = Path(tempfile.mkdtemp(prefix="day-", dir="/tmp"))
    try:
        yield _made(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path) -> World:
    work = folder / "work"
    shutil.copytree(HERE / "workspace", work)
    (work / ".git").mkdir()
    home = folder / "home"
    for name in ("data", "state", "cache", "config", "run"):
        (home / name).mkdir(parents=True, mode=0o700)
    shutil.copytree(HERE / "manual", folder / "manual")
    programs = folder / "bin"
    shutil.copytree(HERE / "programs", programs)
    for tool in TOOLS:
        found = shutil.which(tool)
        if found is not None:
            (programs / tool).symlink_to(found)
    with (folder / "clock").open("w+b") as file:
        file.write(struct.pack("d", 0.0))
        file.flush()
        clock = mmap.mmap(file.fileno(), 8)
    return World(folder, work, _environment(folder, home, programs), clock)


def _environment(folder: Path, home: Path, programs: Path) -> dict[str, str]:
    return {
        "PATH": str(programs),
        "MANPATH": str(folder / "manual"),
        "PYTHONPATH": os.pathsep.join([str(HERE / "held"), str(ROOT)]),
        "ALAN_MANOPT_TIMEOUT": "60",  # nobody waits for it, but the machine may be busy
        "HELD_CLOCK": str(folder / "clock"),
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "SHELL": str(programs / "zsh"),
        "USER": "day",
        "LOGNAME": "day",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "xterm",
        "COLUMNS": "160",
        "LINES": "50",
    }
