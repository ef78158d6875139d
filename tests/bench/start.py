"""What starting costs: processor time of whole commands, as a multiple of `python -c pass`.

    python -m tests.bench start [ROUNDS]

Each round runs every command once, in turn with `python -c pass`, so that what else runs on the machine
weighs on all of them alike. Said are the least and the median of the time of each process and of those it
waited for, in milliseconds, and the ratios of both to those of `python -c pass`. Modules are compiled
beforehand, as an installation does it. Reads and writes a memory of its own. The commands below the line
run in a folder for which a server runs.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.server.shared import place, started

from ._peers import table

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("init", "zsh"),
    ("config",),
    ("run", "true"),
    ("run", "--brief", "true"),
    ("tasks",),
    ("stats",),
    ("explain", "ls"),
    ("ask", "what failed today"),
)
JOINED: tuple[tuple[str, ...], ...] = (
    ("run", "--shared", "true"),
    ("run", "--shared", "--brief", "true"),
    ("run", "--shared", "--json", "true"),
    ("tasks",),
    ("tasks", "--all"),
    ("tasks", "--json"),
)
ROUNDS = 9
ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each command."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    with tempfile.TemporaryDirectory() as folder, place(Path(folder)) as (home, project):
        environment = {**os.environ, **home, "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        _show(COMMANDS, environment, "/", rounds)
        print("-" * 60)
        server = started(home, project)
        try:
            _show(JOINED, environment, str(project), rounds)
        finally:
            os.chdir("/")
            server.leave()
            server.end()


def _show(
    commands: Sequence[Sequence[str]], environment: dict[str, str], folder: str, rounds: int
) -> None:
    bare = [sys.executable, "-c", "pass"]
    ours = [[sys.executable, "-m", "zsh_ls", *words] for words in commands]
    os.chdir(folder)
    for words in ours:
        _processor_ms(words, environment)  # compiles what is not compiled yet
    took: list[list[float]] = [[] for _ in ours]
    took_bare: list[float] = []
    for _ in range(rounds):
        for words, times in zip(ours, took, strict=True):
            took_bare.append(_processor_ms(bare, environment))
            times.append(_processor_ms(words, environment))
    named = {
        f"zsh-ls {' '.join(words)}": times for words, times in zip(commands, took, strict=True)
    }
    in_s = {name: [it / 1000 for it in times] for name, times in named.items()}
    bare_s = [it / 1000 for it in took_bare]
    table("a command, processor time", {**in_s, "python -c pass": bare_s}, "ms")
    unit, usual = min(took_bare), statistics.median(took_bare)
    print(f"{unit:7.1f} ms  1.0   {usual:7.1f} ms  1.0  python -c pass")
    for command, times in zip(commands, took, strict=True):
        least, median = min(times), statistics.median(times)
        print(
            f"{least:7.1f} ms {least / unit:4.1f}   {median:7.1f} ms {median / usual:4.1f}"
            f"  zsh-ls {' '.join(command)}"
        )


def _processor_ms(command: Sequence[str], environment: dict[str, str]) -> float:
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    pid = os.posix_spawn(command[0], command, environment, file_actions=nowhere)
    _, _, usage = os.wait4(pid, 0)
    return (usage.ru_utime + usage.ru_stime) * 1000
