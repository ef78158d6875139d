"""The machine's facts where there is no /proc, through psutil."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Literal

import psutil

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
from .mounts import of_statvfs
from .packages import package_manager
from .proc import SAMPLE_S
from .tools import output_of
from .unavailable import unreadable

_BRAND = ("sysctl", "-n", "machdep.cpu.brand_string")
_INTERNET = ("AF_INET", "AF_INET6")


class PsutilMachine:
    """`Machine` wherever psutil runs."""

    def memory(self) -> MemoryUse | Unavailable:
        """As psutil has it; on macOS `available` counts what can be purged."""
        try:
            main, swap = psutil.virtual_memory(), psutil.swap_memory()
        except (OSError, psutil.Error) as problem:
            return _unreadable(problem, "memory", "vm_stat")
        return MemoryUse(main.total, main.available, swap.total, swap.used)

    def cpu(self) -> CpuUse | Unavailable:
        """Busy over a moment."""
        try:
            busy = psutil.cpu_percent(interval=SAMPLE_S) / 100
        except (OSError, psutil.Error) as problem:
            return _unreadable(problem, "processor times", "sysctl -n machdep.cpu.brand_string")
        return CpuUse(_model(), psutil.cpu_count() or 1, psutil.cpu_count(logical=False), busy)

    def load(self) -> LoadAverage | Unavailable:
        """The kernel's own averages."""
        try:
            one, five, fifteen = os.getloadavg()
        except OSError as problem:
            return unreadable(problem, "the load average", "uptime")
        return LoadAverage(one, five, fifteen, psutil.cpu_count() or 1)

    def filesystems(self) -> Sequence[Filesystem] | Unavailable:
        """Partitions that hold files."""
        try:
            partitions = psutil.disk_partitions(all=False)
        except (OSError, psutil.Error) as problem:
            return _unreadable(problem, "mounted file systems", "df -h")
        return list(_filesystems((one.device, one.mountpoint, one.fstype) for one in partitions))

    def gpus(self) -> Sequence[Gpu] | Unavailable:
        """As their drivers tell."""
        return gpus()

    def interfaces(self) -> Sequence[Interface] | Unavailable:
        """Network interfaces."""
        try:
            addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
            counters = psutil.net_io_counters(pernic=True)
        except (OSError, psutil.Error) as problem:
            return _unreadable(problem, "network interfaces", "ifconfig")
        return [
            Interface(
                name=name,
                is_up=name in states and states[name].isup,
                addresses=tuple(
                    one.address.partition("%")[0]
                    for one in given
                    if getattr(one.family, "name", "") in _INTERNET
                ),
                received_bytes=counters[name].bytes_recv if name in counters else 0,
                sent_bytes=counters[name].bytes_sent if name in counters else 0,
            )
            for name, given in addresses.items()
        ]

    def processes(self) -> Sequence[ProcessFacts] | Unavailable:
        """Processes that may be seen; on macOS those of other users may not."""
        try:
            watched = list(psutil.process_iter())
            for process in watched:
                _cpu_share(process)
        except (OSError, psutil.Error) as problem:
            return _unreadable(problem, "processes", "ps aux")
        time.sleep(SAMPLE_S)
        return [seen for process in watched if (seen := _seen(process)) is not None]

    def package_manager(self) -> PackageManager | None:
        """Homebrew where it is, else one that is installed."""
        return package_manager()

    def system(self) -> Literal["linux", "darwin", "other"]:
        """By Python's name of the platform."""
        if sys.platform == "darwin":
            return "darwin"
        return "linux" if sys.platform.startswith("linux") else "other"


def _model() -> str:
    """What macOS calls its processor; elsewhere what Python does."""
    brand = output_of(_BRAND).strip() if sys.platform == "darwin" else ""
    return brand or platform.processor() or platform.machine()


def _filesystems(rows: Iterator[tuple[str, str, str]]) -> Iterator[Filesystem]:
    seen = set()
    for device, mount, kind in rows:
        if device in seen:
            continue
        seen.add(device)
        try:
            yield of_statvfs(device, mount, kind, os.statvfs(mount))
        except OSError:
            # Unmounted meanwhile, or not ours to see: df(1) leaves it out as well.
            continue


def _cpu_share(process: psutil.Process) -> float | None:
    """CPU since the last call for this process, as a share of one CPU; the first call only begins."""
    try:
        return process.cpu_percent(None) / 100
    except psutil.Error:
        return None


def _seen(process: psutil.Process) -> ProcessFacts | None:
    share = _cpu_share(process)
    if share is None:
        return None
    try:
        return ProcessFacts(process.pid, process.name(), process.memory_info().rss, share)
    except psutil.Error:
        return None


def _unreadable(problem: OSError | psutil.Error, what: str, command: str) -> Unavailable:
    shown = problem if isinstance(problem, OSError) else ValueError(str(problem))
    return unreadable(shown, what, command)
