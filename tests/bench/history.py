"""What a key costs in the list of `zsh-ls history`: search and drawing, over many lines.

`python -m tests.bench history [LINES]`: a memory of that many lines (a million), of 200 projects, against
one of a thousand; each query is typed key by key into the real program on a terminal, from the moment the
list is there, so that the first keys come while lines are still being read. Processor time is that of the
thread that searches and draws, from the key to what is drawn for it: a busy machine makes it no longer.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from zsh_ls.alan.store.database import open_database
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.history import History

LINES = 1_000_000
PROJECTS = 200
QUERIES = ("docker compose", "git rebase -i", "zz", "no such line at all", "e", "123456", "a b c")
CLEAR = "\x15"
VERBS = ("git commit -m", "docker compose run", "make", "kubectl get", "npm run", "cd", "grep -rn")


def fill(path: Path, lines: int) -> None:
    """Write `lines` lines of the size that people's lines have."""
    connection = open_database(path)
    draw = random.Random(1)
    words = [f"{draw.choice('abcdefgh')}{draw.getrandbits(24):x}" for _ in range(5_000)]
    with connection:
        connection.execute("BEGIN")
        places = [(at, f"/home/me/work/{at}") for at in range(1, PROJECTS + 1)]
        connection.executemany("INSERT INTO place VALUES(?, ?)", places)
        connection.executemany(
            "INSERT INTO line VALUES(?, ?, ?, ?, ?, ?, ?, 0, 0, 100, 5, 1)",
            (
                (
                    at,
                    f"{draw.choice(VERBS)} {' '.join(draw.choices(words, k=draw.randint(1, 8)))}",
                    at,
                    draw.randint(1, PROJECTS),
                    draw.randint(1, PROJECTS),
                    at * 1000,
                    at * 1000,
                )
                for at in range(lines)
            ),
        )
        connection.execute("COMMIT")
    connection.close()


class Terminal:
    """`zsh-ls history` on a terminal of its own."""

    def __init__(self, home: str, folder: str) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = os.environ | {"ALAN_DB_PATH": f"{home}/alan.db", "TERM": "xterm-256color"}
            arguments = [sys.executable, "-m", "zsh_ls", "history"]
            os.execve(sys.executable, arguments, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def shown(self, text: str) -> float:
        """Seconds until `text` is among what is drawn from now on."""
        began, seen = time.perf_counter(), b""
        while text.encode() not in seen:
            seen += os.read(self.terminal, 65536)
        return time.perf_counter() - began

    def press(self, key: str) -> tuple[float, float]:
        """Milliseconds from a key to the first that is drawn for it: by the clock, and of the processor."""
        while select.select([self.terminal], [], [], 0.05)[0]:
            os.read(self.terminal, 65536)
        began, worked_ms = time.perf_counter(), self._worked_ms()
        os.write(self.terminal, key.encode())
        select.select([self.terminal], [], [], 60.0)
        return (time.perf_counter() - began) * 1000, self._worked_ms() - worked_ms

    def _worked_ms(self) -> float:
        """Processor time of the first thread (Linux)."""
        told = Path(f"/proc/{self.process}/task/{self.process}/schedstat").read_text()
        return int(told.split()[0]) / 1_000_000

    def end(self) -> None:
        os.write(self.terminal, b"\x03")
        while True:
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break  # Linux says EIO when the other end has closed
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def main(arguments: list[str]) -> None:
    lines = int(arguments[0]) if arguments else LINES
    with tempfile.TemporaryDirectory() as folder:
        for count in (1_000, lines):
            path = Path(folder) / str(count) / "alan.db"
            path.parent.mkdir()
            fill(path, count)
            settings = Settings(database=str(path))
            terminal = Terminal(str(path.parent), folder)
            opened = terminal.shown("nothing is run")
            took = [
                (*terminal.press(sign), query[:at])
                for query in QUERIES
                for at, sign in enumerate(query, 1)
                if at > 1 or terminal.press(CLEAR)
            ]
            terminal.end()
            worst, _, what = max(took)
            late = sum(ms > 50 for ms, *_ in took)
            worked = [ms for _, ms, _ in took]
            print(
                f"{count:,} lines: list after {opened * 1000:.0f} ms; a key"
                f" {statistics.median(ms for ms, *_ in took):.1f} ms, at worst {worst:.1f} ms ({what!r}),"
                f" {late} of {len(took)} above 50 ms"
            )
            print(
                f"  of the processor: a key {statistics.median(worked):.1f} ms, at worst {max(worked):.1f},"
                f" {sum(ms > 50 for ms in worked)} of {len(worked)} above 50 ms"
            )
            history = History(settings, folder, only_here=False)
            began = time.perf_counter()
            history.load(lambda _: None).join()
            print(f"  all read after {time.perf_counter() - began:.2f} s", end="; ")
            ends = {}
            for query in QUERIES:
                began = time.perf_counter()
                history.search(query.split(), 200).go_on(60.0)
                ends[query] = (time.perf_counter() - began) * 1000
            slowest = max(ends, key=ends.__getitem__)
            print(
                f"a whole search {statistics.median(ends.values()):.1f} ms,"
                f" at worst {ends[slowest]:.1f} ms ({slowest!r})"
            )
            grown = []
            for query in QUERIES:
                for at in range(1, len(query) + 1):
                    began = time.thread_time()
                    history.search(query[:at].split(), 200).go_on(60.0)
                    grown.append((time.thread_time() - began) * 1000)
            print(
                f"  a whole search for each key of them: {statistics.median(grown):.1f} ms of processor time,"
                f" {sum(ms > 50 for ms in grown)} of {len(grown)} above 50 ms"
            )
