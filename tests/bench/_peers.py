"""What is measured: our server, stock pygls, bash-language-server from npm and shuck from PyPI.

The last two are installed in the cache folder when they are first asked for.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import platformdirs

from tests.server.rpc import ROOT

OURS = (sys.executable, "-m", "zsh_ls", "serve")
STOCK = (sys.executable, "-m", "tests.bench._stock_pygls")
BASH_LS = "bash-language-server@5.8.1"
SHUCK = "shuck-cli==0.2.7"


def bash_ls() -> tuple[str, ...] | None:
    """How to start bash-language-server; None without npm or network."""
    folder = Path(platformdirs.user_cache_dir("zsh-ls-bench")) / BASH_LS
    program = folder / "node_modules" / ".bin" / "bash-language-server"
    if not program.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--prefix", str(folder), BASH_LS]
        subprocess.run(install, stdout=sys.stderr, check=False)
    return (str(program), "start") if program.exists() else None


def shuck() -> str | None:
    """The program of shuck, a linter of shell scripts; None without a network."""
    folder = Path(platformdirs.user_cache_dir("zsh-ls-bench")) / SHUCK
    program = folder / "shuck_cli" / "bin" / "shuck"
    if not program.exists():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        subprocess.run([*install, "--target", str(folder), SHUCK], stdout=sys.stderr, check=False)
    return str(program) if program.exists() else None


class Measured(NamedTuple):
    """One comparison: seconds by what took them, the base last; `scale` makes `unit` of them."""

    title: str
    taken: dict[str, list[float]]
    unit: str
    scale: float


# Every comparison of this process, for the table of all.
measured: list[Measured] = []


@contextmanager
def own_home() -> Iterator[dict[str, str]]:
    """An environment whose home is empty and private, as a database of a year would blur the picture."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        names = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
        found = {"HOME": home, **{name: f"{home}/{name}" for name in names}}
        for name in names:
            os.mkdir(found[name], 0o700)
        # As installed: compiled beforehand, whatever is set here.
        yield {**found, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}


def interleaved(work: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """`rounds` results of each, taken in turn, so that a busy machine is busy for all of them."""
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, once in work.items():
            taken[name].append(once())
    return taken


def table(title: str, taken: dict[str, list[float]], unit: str, scale: float = 1e3) -> None:
    """One line each: median, least, and the ratio of the medians to the last one."""
    measured.append(Measured(title, taken, unit, scale))
    print(f"\n{title}")
    *_, base = (statistics.median(values) for values in taken.values())
    for name, values in taken.items():
        median = statistics.median(values)
        print(
            f"  {name:<24}{median * scale:9.2f} {unit} median {min(values) * scale:9.2f} least"
            f"   x{median / base:.2f}"
        )


def resident_mib(process_id: int) -> float:
    """Memory of the largest among a process and those below it: of the server among its watchers."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    status = Path(f"/proc/{process_id}/status").read_text()
    own = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    return max(own, *(resident_mib(int(child)) for child in children), 0.0)


def unique_mib(process_id: int) -> float:
    """Memory that would be free again without a process and all below it."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    private = sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
    return private + sum(unique_mib(int(child)) for child in children)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def largest(process_id: int) -> int:
    """Of a process and its descendants the one with most memory: the server, not its supervisors."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    found = [process_id, *(largest(int(child)) for child in children)]
    return max(found, key=lambda one: int(Path(f"/proc/{one}/statm").read_text().split()[1]))


def wakeups(process_id: int) -> int:
    """How often the threads of a process and of those below it have waited for something so far."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    own = 0
    for thread in Path(f"/proc/{process_id}/task").iterdir():
        status = (thread / "status").read_text()
        own += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return own + sum(wakeups(int(child)) for child in children)


def processor_s(process_id: int) -> float:
    """Processor time that the threads of a process have used, without its children's."""
    threads = Path(f"/proc/{process_id}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
