"""The facts of the machine this runs on: `here()` gives their reader.

Most come through psutil, graphics cards from NVIDIA's own tool, the amdgpu driver's files or
macOS's profiler, the package manager from os-release(5).

psutil is imported when the first fact is asked for. A fact that cannot be read, because psutil is
absent, /proc is hidden or the kernel refuses, is an `Unavailable` that says why and which command
would tell; nothing here raises.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from zsh_ls.lazy import re
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import (
    CpuUse,
    Filesystem,
    Gpu,
    Interface,
    Listener,
    LoadAverage,
    Machine,
    MemoryUse,
    PackageManager,
    ProcessFacts,
    Unavailable,
)
from zsh_ls.system import programs
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes
from zsh_ls.system.bounded_probe import printed_by

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

PROGRAM_TIMEOUT_S = 3.0
_QUERY = "--query-gpu=name,memory.total,memory.used,utilization.gpu"
_NVIDIA = ("nvidia-smi", _QUERY, "--format=csv,noheader,nounits")
_PROFILER = ("system_profiler", "SPDisplaysDataType", "-json")
# The program of each manager, in the order in which they are looked for on an unknown system.
_PROGRAMS: dict[PackageManager, str] = {
    "apt": "apt-get",
    "dnf": "dnf",
    "pacman": "pacman",
    "zypper": "zypper",
    "apk": "apk",
    "brew": "brew",
}
# os-release(5): the ID of a system, or one it is like, and the manager that is its own.
_OWN: dict[str, PackageManager] = {
    "debian": "apt",
    "ubuntu": "apt",
    "fedora": "dnf",
    "rhel": "dnf",
    "arch": "pacman",
    "suse": "zypper",
    "opensuse": "zypper",
    "alpine": "apk",
}

_PROGRAM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
# Programs that say their version and do nothing else, and how they are asked.
_TOLD = """git node npm yarn pnpm python python3 pip pip3 docker podman ruby rustc cargo gcc clang
make cmake jq curl wget zsh bash fish tmux nvim vim psql sqlite3 mysql gh rg fd bat fzf
php perl deno bun uv"""
VERSIONED: dict[str, str] = dict.fromkeys(_TOLD.split(), "--version") | {
    "go": "version",
    "terraform": "version",
    "helm": "version",
    "java": "-version",
    "ffmpeg": "-version",
    "ssh": "-V",
}

Which = Callable[[str], str | None]
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

    def listeners(self) -> Sequence[Listener] | Unavailable:
        """Those of all users; whose a socket is may be seen of one's own alone."""

        def read(psutil: ModuleType) -> list[Listener]:
            found: dict[tuple[int, int | None], Listener] = {}
            for one in psutil.net_connections(kind="inet"):
                is_udp = one.type.name == "SOCK_DGRAM" and not one.raddr
                if one.laddr and (one.status == psutil.CONN_LISTEN or is_udp):
                    name = _name_of(one.pid, psutil)
                    found[one.laddr.port, one.pid] = Listener(one.laddr.port, one.pid, name)
            return sorted(found.values(), key=lambda it: (it.port, it.pid or 0))

        return _fact(
            "listening sockets", read, linux="ss -tulpn", macos="lsof -nP -iTCP -sTCP:LISTEN"
        )

    def program(self, name: str) -> str | None:
        """By PATH, without untrusted workspaces."""
        return programs.find(name) if _PROGRAM_NAME.fullmatch(name) else None

    def version(self, name: str) -> str | None:
        """Asked with `--version`, of programs in VERSIONED alone: others might do what they do."""
        flag = VERSIONED.get(name)
        path = self.program(name) if flag else None
        if flag is None or path is None:
            return None
        return next(iter(output_of([path, flag]).strip().splitlines()), None)

    def package_manager(self) -> PackageManager | None:
        """The system's own, else one that is installed."""
        return package_manager()

    def system(self) -> Literal["linux", "darwin", "other"]:
        """By Python's name of the platform."""
        if sys.platform == "darwin":
            return "darwin"
        return "linux" if sys.platform.startswith("linux") else "other"


def _fact(
    subject: str, read: Callable[[ModuleType], Fact], *, linux: str, macos: str
) -> Fact | Unavailable:
    """The result of `read` with psutil; else why not, and the command that would tell."""
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
    return Unavailable(f"{subject}: {reason}", subject, (ProposedCommand(command),))


def _cpu_model() -> str:
    """What the processor calls itself; many ARM kernels do not tell, then its architecture."""
    import platform  # noqa: PLC0415

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
    counted = set()
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
        if is_counted and (partition.device, use.f_fsid) not in counted:
            counted.add((partition.device, use.f_fsid))
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


def _name_of(pid: int | None, psutil: ModuleType) -> str | None:
    try:
        return None if pid is None else str(psutil.Process(pid).name())
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


def gpus(drm: str = "/sys/class/drm") -> Sequence[Gpu] | Unavailable:
    """The cards whose drivers report their use."""
    # One line a card: name, MiB, MiB, per cent; `[N/A]` where the driver does not report it.
    rows = [line.split(", ") for line in output_of(_NVIDIA).splitlines()]
    found = [_nvidia_gpu(*row) for row in rows if len(row) == 4]
    found += _amd(drm)
    if sys.platform == "darwin":
        # The names only, as Apple's chips share main memory.
        # Nothing is printed where the profiler fails, and no version promises its fields.
        with suppress(ValueError, LookupError, TypeError):
            displays = json.loads(output_of(_PROFILER))["SPDisplaysDataType"]
            found += [Gpu(str(card["sppci_model"])) for card in displays]
    return found or _NO_GPU


_NO_GPU = Unavailable(
    reason="nvidia-smi command not found, and no amdgpu driver is there",
    missing="a graphics card whose driver tells its memory",
    collect=(
        ProposedCommand("nvidia-smi --query-gpu=memory.used,memory.total --format=csv"),
        ProposedCommand("lspci -d ::0300"),
    ),
)


def _nvidia_gpu(name: str, total: str, used: str, busy: str) -> Gpu:
    total_mib, used_mib, percent = _number(total), _number(used), _number(busy)
    return Gpu(
        name,
        None if total_mib is None else total_mib * MIB,
        None if used_mib is None else used_mib * MIB,
        None if percent is None else percent / 100,
    )


def _amd(drm: str) -> list[Gpu]:
    """Read the files of https://docs.kernel.org/gpu/amdgpu/driver-misc.html."""
    import glob  # noqa: PLC0415

    found = []
    for total in sorted(glob.glob(f"{drm}/card*/device/mem_info_vram_total")):
        device = os.path.dirname(total)
        busy = _number(_text(f"{device}/gpu_busy_percent"))
        found.append(
            Gpu(
                _text(f"{device}/product_name") or "AMD graphics card",
                _number(_text(total)),
                _number(_text(f"{device}/mem_info_vram_used")),
                None if busy is None else busy / 100,
            )
        )
    return found


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None


def package_manager(
    os_release: str = "/etc/os-release", which: Which = programs.find
) -> PackageManager | None:
    """The system's own manager if its program is installed, else the first that is."""
    own = ["brew"] if sys.platform == "darwin" else _named_by(os_release)
    candidates: list[PackageManager] = [name for name in _PROGRAMS if name in own]
    candidates += [name for name in _PROGRAMS if name not in own]
    return next((name for name in candidates if which(_PROGRAMS[name])), None)


def _named_by(os_release: str) -> list[str]:
    try:
        text = read_bytes(os_release, MIB).decode("utf-8", "replace")
    except NotRead:
        return []
    lines = [line.strip().partition("=") for line in text.splitlines()]
    ids = {name: value.strip("\"'").split() for name, _, value in lines}
    names = [*ids.get("ID", []), *ids.get("ID_LIKE", [])]
    return [_OWN[name] for name in names if name in _OWN]


def output_of(command: Sequence[str]) -> str:
    """The output of a program; empty if it is missing, fails, hangs or prints too much."""
    return printed_by(command, timeout_s=PROGRAM_TIMEOUT_S).decode("utf-8", "replace")
