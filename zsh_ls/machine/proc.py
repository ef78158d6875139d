"""The machine's facts on Linux, from /proc and /sys (proc(5), sysfs(5))."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from typing import Literal

import attrs

from zsh_ls.model.machine import (
    CpuUse,
    Filesystem,
    Gpu,
    Interface,
    LoadAverage,
    MemoryUse,
    PackageManager,
    ProcessFacts,
    Unavailable,
)

from .gpu import gpus
from .mounts import filesystems
from .network import interfaces
from .packages import package_manager
from .unavailable import unreadable

# How long CPU use is watched: several ticks of 10 ms, and nobody waits long.
SAMPLE_S = 0.2
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# The first words of a line of /proc/stat: user … steal; guest time is in user already.
_CPU_TIMES, _IDLE, _IOWAIT = 8, 3, 4
# Fields of /proc/PID/stat after the name, counted from 0: utime and stime.
_UTIME, _STIME = 11, 12


@attrs.frozen
class ProcMachine:
    """`Machine` on Linux; `proc` is where /proc is."""

    proc: str = "/proc"

    def memory(self) -> MemoryUse | Unavailable:
        """From /proc/meminfo, whose sizes are KiB."""
        try:
            lines = _read(f"{self.proc}/meminfo").splitlines()
            sizes = {name: int(rest.split()[0]) * 1024 for name, rest in map(_split, lines)}
            return MemoryUse(
                total_bytes=sizes["MemTotal"],
                available_bytes=sizes["MemAvailable"],
                swap_total_bytes=sizes["SwapTotal"],
                swap_used_bytes=sizes["SwapTotal"] - sizes["SwapFree"],
            )
        except (OSError, ValueError, LookupError) as problem:
            return unreadable(_told(problem), f"{self.proc}/meminfo", "free -h")

    def cpu(self) -> CpuUse | Unavailable:
        """From /proc/cpuinfo, and /proc/stat read twice."""
        try:
            before = self._cpu_times()
            time.sleep(SAMPLE_S)
            after = self._cpu_times()
            cores = self._cpuinfo()
        except (OSError, ValueError, LookupError) as problem:
            return unreadable(_told(problem), f"{self.proc}/stat", "lscpu")
        spent = [now - then for then, now in zip(before, after, strict=True)]
        idle, total = spent[_IDLE] + spent[_IOWAIT], sum(spent)
        places = {(core.get("physical id"), core["core id"]) for core in cores if "core id" in core}
        return CpuUse(
            model=_model(cores),
            logical=len(cores) or os.cpu_count() or 1,
            physical=len(places) or None,
            busy_share=max(0.0, 1 - idle / total) if total else 0.0,
        )

    def load(self) -> LoadAverage | Unavailable:
        """From /proc/loadavg."""
        try:
            one, five, fifteen = map(float, _read(f"{self.proc}/loadavg").split()[:3])
        except (OSError, ValueError) as problem:
            return unreadable(problem, f"{self.proc}/loadavg", "uptime")
        return LoadAverage(one, five, fifteen, os.cpu_count() or 1)

    def filesystems(self) -> Sequence[Filesystem] | Unavailable:
        """Mounted file systems on disks of this machine."""
        return filesystems(f"{self.proc}/self/mounts")

    def gpus(self) -> Sequence[Gpu] | Unavailable:
        """As their drivers tell."""
        return gpus()

    def interfaces(self) -> Sequence[Interface] | Unavailable:
        """Network interfaces."""
        return interfaces(self.proc)

    def processes(self) -> Sequence[ProcessFacts] | Unavailable:
        """Processes there all through the moment of reading; others come and go."""
        try:
            before = self._process_ticks()
            began = time.monotonic()
            time.sleep(SAMPLE_S)
            after = self._process_ticks()
        except OSError as problem:
            return unreadable(problem, self.proc, "ps aux")
        elapsed_s = time.monotonic() - began
        found = (
            self._process(pid, (after[pid] - before[pid]) / TICKS_PER_S / elapsed_s)
            for pid in before.keys() & after.keys()
        )
        return [process for process in found if process is not None]

    def package_manager(self) -> PackageManager | None:
        """The distribution's own, else one that is installed."""
        return package_manager()

    def system(self) -> Literal["linux", "darwin", "other"]:
        """Where /proc is, it is Linux."""
        return "linux"

    def _cpu_times(self) -> list[int]:
        first = _read(f"{self.proc}/stat").split("\n", 1)[0]
        return [int(ticks) for ticks in first.split()[1 : 1 + _CPU_TIMES]]

    def _cpuinfo(self) -> list[dict[str, str]]:
        """A block for each CPU; the last block of some ARM boards is of the board."""
        blocks = _read(f"{self.proc}/cpuinfo").strip().split("\n\n")
        parsed = [dict(_split(line) for line in block.splitlines()) for block in blocks]
        return [block for block in parsed if "processor" in block]

    def _process_ticks(self) -> dict[int, int]:
        """CPU time of each process in ticks; one that ended while being read is left out."""
        ticks = {}
        for name in os.listdir(self.proc):
            fields = self._stat_fields(name) if name.isdecimal() else None
            if fields:
                ticks[int(name)] = int(fields[_UTIME]) + int(fields[_STIME])
        return ticks

    def _stat_fields(self, pid: str) -> list[str] | None:
        try:
            # The name stands in parentheses and may hold anything, parentheses too.
            return _read(f"{self.proc}/{pid}/stat").rpartition(")")[2].split()
        except OSError:
            return None

    def _process(self, pid: int, cpu_share: float) -> ProcessFacts | None:
        try:
            pages = int(_read(f"{self.proc}/{pid}/statm").split()[1])
            name = _read(f"{self.proc}/{pid}/comm").rstrip("\n")
        except (OSError, LookupError):
            return None
        return ProcessFacts(pid, name, pages * PAGE_BYTES, cpu_share)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _split(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _told(problem: Exception) -> OSError | ValueError:
    if isinstance(problem, OSError | ValueError):
        return problem
    return ValueError(f"no {problem} in it")


def _model(cores: Sequence[dict[str, str]]) -> str:
    """What the CPU calls itself; many ARM kernels do not tell, then its architecture."""
    named = (core[key] for core in cores for key in ("model name", "Model", "cpu") if key in core)
    return next(named, "") or f"{platform.machine()} processor"
