"""What starting costs: processor time of whole commands, as a multiple of `python -c pass`.

    python -m tests.bench start [ROUNDS]

Each round runs every command once, in turn with `python -c pass`, so that what else runs on the machine
weighs on all of them alike. Said are the medians of the time of each process and of those it
waited for, in milliseconds, and the ratio. Reads and writes a memory of its own.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("run", "true"),
    ("run", "--brief", "true"),
    ("tasks",),
    ("stats",),
    ("explain", "ls"),
    ("ask", "what failed today"),
)
ROUNDS = 9


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each command."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    bare = [sys.executable, "-c", "pass"]
    took: dict[tuple[str, ...], list[float]] = {command: [] for command in COMMANDS}
    took_bare: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        places = {f"XDG_{name}_HOME": f"{folder}/{name}" for name in ("DATA", "STATE", "CONFIG")}
        runtime = Path(folder, "run")
        runtime.mkdir(mode=0o700)
        environment = {
            **os.environ,
            **places,
            "XDG_RUNTIME_DIR": str(runtime),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        for _ in range(rounds):
            for command in COMMANDS:
                took_bare.append(_processor_ms(bare, environment))
                ours = [sys.executable, "-m", "zsh_ls", *command]
                took[command].append(_processor_ms(ours, environment))
    unit = statistics.median(took_bare)
    print(f"{unit:8.1f} ms  1.0  python -c pass")
    for command, times in took.items():
        median = statistics.median(times)
        print(f"{median:8.1f} ms {median / unit:4.1f}  zsh-ls {' '.join(command)}")


def _processor_ms(command: Sequence[str], environment: dict[str, str]) -> float:
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    pid = os.posix_spawn(command[0], command, environment, file_actions=nowhere)
    _, _, usage = os.wait4(pid, 0)
    return (usage.ru_utime + usage.ru_stime) * 1000
