"""`zsh-ls check` over a tree, anew and again, beside shuck (from PyPI) on the same files.

`python -m tests.bench check [FOLDER] [--rounds 2]`. Without a folder, every fourth of zsh's functions.
Given is the processor time of each whole command, the processes it waits for included, and the time on the
clock; both in turns, so that what else runs weighs on all alike.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from zsh_ls.cli.script_files import scripts_below

from ._peers import interleaved, own_home, shuck, table

FUNCTIONS = Path("/usr/share/zsh/functions")
ROUNDS = 2


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench check", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args(arguments)
    with own_home() as env:
        folder = asked.folder or _functions(Path(env["HOME"]) / "functions")
        measure(str(folder), {**os.environ, **env}, asked.rounds)
    return 0


def measure(folder: str, env: dict[str, str], rounds: int) -> None:
    """Print what checking a folder costs."""
    ours = (sys.executable, "-m", "zsh_ls", "check")
    commands = {
        "zsh-ls check again": (*ours, folder),
        "zsh-ls check, anew": (*ours, "--no-cache", folder),
    }
    if (peer := shuck()) is not None:
        commands["shuck again"] = (peer, "check", folder)
        commands["shuck, anew"] = (peer, "check", "--no-cache", folder)
    clock_s: dict[str, list[float]] = {name: [] for name in commands}

    def once(name: str, command: tuple[str, ...]) -> Callable[[], float]:
        def run() -> float:
            began = time.perf_counter()
            used_s = processor_s_of(command, env)
            clock_s[name].append(time.perf_counter() - began)
            return used_s

        return run

    work = {name: once(name, command) for name, command in commands.items()}
    # Compiled and kept before the first round.
    for run in work.values():
        run()
    for taken in clock_s.values():
        taken.clear()
    files = len(list(scripts_below(folder, [])))
    table(f"check of {files} files, processor time", interleaved(work, rounds), "ms")
    table(f"check of {files} files, time on the clock", clock_s, "ms")


def _functions(folder: Path) -> Path:
    """zsh's functions under names by which every program takes them for zsh's."""
    folder.mkdir()
    places = [it for it in sorted(FUNCTIONS.rglob("*")) if it.suffix != ".zwc" and it.is_file()]
    for place in places[::4]:
        shutil.copyfile(place, folder / f"{place.name}.zsh")
    return folder


def processor_s_of(command: tuple[str, ...], env: dict[str, str]) -> float:
    """Processor time of a command, with the processes that it waits for."""
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime
