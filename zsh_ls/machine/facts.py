"""The facts of the machine this runs on, through psutil: `here()` gives their reader.

psutil is imported when the first fact is asked for. A fact that cannot be read, because psutil is
absent, /proc is hidden or the kernel refuses, is an `Unavailable` that says why and which command
would tell; nothing here raises.
"""

from __future__ import annotations

import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import (
    CpuUse,
    Filesystem,
    Gpu,
    Interface,
    LoadAverage,
    Machine,
    MemoryUse,
    PackageManager,
    ProcessFacts,
    Unavailable,
)

from .gpu import gpus
from .packages import package_manager
from .tools import output_of

if TYPE_CHECKING:
    import psutil

# How long CPU use is watched: several ticks of 10 ms, and nobody waits long.
SAMPLE_S = 0.2
# File systems on disks; asking one over a network could hang for as long as its server is away.
_ON_DISK = {
    "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs", "vfat",
    "exfat", "ntfs", "ntfs3", "fuseblk", "apfs", "hfs", "hfsplus", "ufs", "9p", "virtiofs",
}  # fmt: skip
_INTERNET = ("AF_INET", "AF_INET6")
_MACOS_MODEL = ("sysctl", "-n", "machdep.cpu.brand_string")

Fact = TypeVar("Fact")


def here() -> Machine:
    """The reader for this machine."""
    return PsutilMachine()


class PsutilMachine:
    """`Machine` wherever psutil runs."""

    def memory(self) -> MemoryUse | Unavailable:
        """Main memory and swap; `available` counts what the kernel can give back."""

        def read(psutil: ModuleType) -> MemoryUse:
            with warnings.catch_warnings():  # of counters of swapping, which are not asked for
                warnings.simplefilter("ignore", RuntimeWarning)
                main, swap = psutil.virtual_memory(), psutil.swap_memory()
            return MemoryUse(main.total, main.available, swap.total, swap.used)

        return _fact("memory", read, linux="free -h", macos="vm_stat")

    def cpu(self) -> CpuUse | Unavailable:
        """Busy over a moment; `physical` is None where nothing tells it."""

        def read(psutil: ModuleType) -> CpuUse:
            busy_share = psutil.cpu_percent(interval=SAMPLE_S) / 100
            logical = psutil.cpu_count() or os.cpu_count() or 1
            return CpuUse(_cpu_model(), logical, psutil.cpu_count(logical=False), busy_share)

        return _fact("processor times", read, linux="lscpu", macos=" ".join(_MACOS_MODEL))

    def load(self) -> LoadAverage | Unavailable:
        """The kernel's own averages."""

        def read(_: ModuleType) -> LoadAverage:
            one, five, fifteen = os.getloadavg()
            return LoadAverage(one, five, fifteen, os.cpu_count() or 1)

        return _fact("the load average", read, linux="uptime", macos="uptime")

    def filesystems(self) -> Sequence[Filesystem] | Unavailable:
        """Those on disks of this machine, and the root, each once."""

        def read(psutil: ModuleType) -> list[Filesystem]:
            return list(_on_disks(psutil.disk_partitions(all=True)))

        return _fact("mounted file systems", read, linux="df -h", macos="df -h")

    def gpus(self) -> Sequence[Gpu] | Unavailable:
        """As their drivers tell."""
        return gpus()

    def interfaces(self) -> Sequence[Interface] | Unavailable:
        """Network interfaces with their internet addresses and traffic since they came up."""

        def read(psutil: ModuleType) -> list[Interface]:
            addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
            counters = psutil.net_io_counters(pernic=True)
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

        return _fact("network interfaces", read, linux="ip addr", macos="ifconfig")

    def processes(self) -> Sequence[ProcessFacts] | Unavailable:
        """Processes there all through the moment of reading; on macOS those of this user alone."""

        def read(psutil: ModuleType) -> list[ProcessFacts]:
            watched = list(psutil.process_iter())
            for process in watched:
                _cpu_share(process, psutil)  # the first call only begins the measurement
            time.sleep(SAMPLE_S)
            return [it for process in watched if (it := _process(process, psutil)) is not None]

        return _fact("processes", read, linux="ps aux", macos="ps aux")

    def package_manager(self) -> PackageManager | None:
        """The system's own, else one that is installed."""
        return package_manager()

    def system(self) -> Literal["linux", "darwin", "other"]:
        """By Python's name of the platform."""
        if sys.platform == "darwin":
            return "darwin"
        return "linux" if sys.platform.startswith("linux") else "other"


def _fact(
    what: str, read: Callable[[ModuleType], Fact], *, linux: str, macos: str
) -> Fact | Unavailable:
    """What `read` gives with psutil; else why not, and the command that would tell."""
    try:
        import psutil  # noqa: PLC0415  20 ms that only questions about the machine pay
    except Exception as problem:  # absent, or built for another machine
        reason = f"psutil cannot be imported: {problem}"
    else:
        try:
            return read(psutil)
        except OSError as problem:
            reason = problem.strerror or str(problem)
        except (psutil.Error, RuntimeError, ValueError, LookupError) as problem:
            reason = str(problem)
    command = macos if sys.platform == "darwin" else linux
    return Unavailable(f"{what}: {reason}", what, (ProposedCommand(command),))


def _cpu_model() -> str:
    """What the processor calls itself; many ARM kernels do not tell, then its architecture."""
    if sys.platform == "darwin":
        return output_of(_MACOS_MODEL).strip() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            fields = [line.partition(":") for line in file]
    except OSError:
        fields = []
    named = (value.strip() for name, _, value in fields if name.strip() in ("model name", "Model"))
    return next(named, "") or f"{platform.machine()} processor"


def _on_disks(partitions: Sequence[Any]) -> Iterator[Filesystem]:
    """A device mounted at several places, as by `mount --bind`, counts once, at the first."""
    seen = set()
    for partition in partitions:
        mount = partition.mountpoint
        if partition.fstype not in _ON_DISK and mount != "/":
            continue
        try:
            use = os.statvfs(mount)
            is_counted = use.f_blocks and os.path.isdir(mount)
        except OSError:
            # Unmounted meanwhile, or not ours to see: df(1) leaves it out as well.
            continue
        if is_counted and (partition.device, use.f_fsid) not in seen:
            seen.add((partition.device, use.f_fsid))
            # Sizes as df(1) has them: what is reserved for root is neither used nor available.
            yield Filesystem(
                device=partition.device,
                mount=mount,
                kind=partition.fstype,
                total_bytes=use.f_blocks * use.f_frsize,
                used_bytes=(use.f_blocks - use.f_bfree) * use.f_frsize,
                available_bytes=use.f_bavail * use.f_frsize,
            )


def _cpu_share(process: psutil.Process, psutil: ModuleType) -> float | None:
    """CPU since the last call for this process, as a share of one CPU; None where it has ended."""
    try:
        return process.cpu_percent(None) / 100
    except psutil.Error:
        return None


def _process(process: psutil.Process, psutil: ModuleType) -> ProcessFacts | None:
    share = _cpu_share(process, psutil)
    if share is None:
        return None
    try:
        return ProcessFacts(process.pid, process.name(), process.memory_info().rss, share)
    except psutil.Error:
        return None
