"""Tests that facts of the machine agree with /proc, /sys and df."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from zsh_ls.machine.facts import gpus, here, package_manager
from zsh_ls.model.machine import Gpu, Machine, Unavailable

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/meminfo"), reason="compares with /proc")
FACTS = ("memory", "cpu", "load", "filesystems", "interfaces", "processes")


def near(given: float, other: float, share: float = 0.2) -> bool:
    return abs(given - other) <= share * max(given, other, 1)


def test_memory_is_what_meminfo_says() -> None:
    machine = here()
    lines = Path("/proc/meminfo").read_text().splitlines()
    kib = {name: int(rest.split()[0]) for name, rest in (line.split(":") for line in lines)}
    use = machine.memory()
    assert not isinstance(use, Unavailable)
    assert use.total_bytes == kib["MemTotal"] * 1024
    assert near(use.available_bytes, kib["MemAvailable"] * 1024)
    assert use.swap_total_bytes == kib["SwapTotal"] * 1024


def test_the_root_file_system_is_what_df_says() -> None:
    machine = here()
    shown = subprocess.run(
        ["df", "-B1", "--output=size,used,avail", "/"], capture_output=True, text=True, check=True
    )
    total, used, available = map(int, shown.stdout.splitlines()[1].split())
    found = machine.filesystems()
    assert not isinstance(found, Unavailable)
    [root] = [system for system in found if system.mount == "/"]
    assert root.total_bytes == total
    assert near(root.used_bytes, used)
    assert near(root.available_bytes, available)


def test_the_cpu_has_a_name_its_cpus_and_a_share() -> None:
    machine = here()
    use = machine.cpu()
    assert not isinstance(use, Unavailable)
    assert use.model
    assert use.logical == os.cpu_count()
    assert use.physical is None or use.physical <= use.logical
    assert 0 <= use.busy_share <= 1


def test_the_load_is_the_kernels() -> None:
    machine = here()
    load = machine.load()
    assert not isinstance(load, Unavailable)
    assert abs(load.fifteen - os.getloadavg()[2]) < 0.5


def test_processes_are_seen_with_their_memory_and_cpu() -> None:
    command = ["python3", "-c", "x = bytearray(50_000_000)\nwhile True: pass"]
    with subprocess.Popen(command) as busy:
        try:
            _saw_the_busy_one(here(), busy.pid)
        finally:
            busy.kill()


def _saw_the_busy_one(machine: Machine, pid: int) -> None:
    """The process when it shows its CPU use, which may take a while: it starts, and the machine is busy."""
    for _ in range(50):
        found = machine.processes()
        assert not isinstance(found, Unavailable)
        [seen] = [process for process in found if process.pid == pid]
        if seen.cpu_share > 0 and seen.resident_bytes >= 50_000_000:
            return
    raise AssertionError(seen)


def test_interfaces_are_those_of_the_kernel_with_their_addresses() -> None:
    found = here().interfaces()
    assert not isinstance(found, Unavailable)
    assert {one.name for one in found} <= set(os.listdir("/sys/class/net"))
    [loopback] = [one for one in found if one.name == "lo"]
    assert "127.0.0.1" in loopback.addresses


def test_traffic_only_grows() -> None:
    machine = here()
    before, after = machine.interfaces(), machine.interfaces()
    assert not isinstance(before, Unavailable)
    assert not isinstance(after, Unavailable)
    for old, new in zip(before, after, strict=True):
        assert new.received_bytes >= old.received_bytes


def test_here_is_this_machine() -> None:
    assert here().system() == "linux"


@pytest.mark.parametrize("fact", FACTS)
def test_without_psutil_a_fact_is_unavailable_and_says_what_would_tell(
    fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    found = getattr(here(), fact)()
    assert isinstance(found, Unavailable)
    assert "psutil cannot be imported" in found.reason
    assert found.collect


@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact != "load"])
def test_a_proc_that_cannot_be_read_is_unavailable_and_says_why(
    fact: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    found = getattr(here(), fact)()
    assert isinstance(found, Unavailable)
    assert found.collect


def test_a_device_mounted_twice_counts_once_and_networks_are_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    partition = lambda device, mount, kind: SimpleNamespace(  # noqa: E731
        device=device, mountpoint=str(mount), fstype=kind
    )
    mounted = [
        partition("/dev/sda1", tmp_path, "ext4"),
        partition("/dev/sda1", tmp_path.parent, "ext4"),
        partition("server:/home", "/home", "nfs4"),
        partition("tmpfs", "/tmp", "tmpfs"),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: mounted)
    found = here().filesystems()
    assert not isinstance(found, Unavailable)
    assert [system.mount for system in found] == [str(tmp_path)]


SYSTEMS = {
    "ID=debian\n": ("apt-get", "apt"),
    'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n': ("zypper", "zypper"),
    "ID=manjaro\nID_LIKE=arch\n": ("pacman", "pacman"),
    "ID=alpine\n": ("apk", "apk"),
    "ID=fedora\n": ("dnf", "dnf"),
}


@pytest.mark.parametrize("text", SYSTEMS)
def test_the_systems_own_manager_goes_before_others(text: str, tmp_path: Path) -> None:
    program, manager = SYSTEMS[text]
    (tmp_path / "os-release").write_text(text)
    everything = {program, "brew", "apt-get", "apk"}
    which = lambda name: name if name in everything else None  # noqa: E731
    assert package_manager(str(tmp_path / "os-release"), which) == manager


def test_a_machine_without_any_manager_has_none() -> None:
    assert package_manager("/nonexistent", lambda _: None) is None


def test_an_nvidia_card_is_what_its_tool_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text(
        "#!/bin/sh\necho 'NVIDIA A10, 23028, 512, 7'\necho 'Tesla, [N/A], [N/A], [N/A]'\n"
    )
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    mib = 1024 * 1024
    assert gpus("/nonexistent") == [Gpu("NVIDIA A10", 23028 * mib, 512 * mib, 0.07), Gpu("Tesla")]


def test_an_amd_card_is_what_its_driver_says(tmp_path: Path) -> None:
    device = tmp_path / "card0" / "device"
    device.mkdir(parents=True)
    (device / "mem_info_vram_total").write_text("8589934592\n")
    (device / "mem_info_vram_used").write_text("1000\n")
    (device / "gpu_busy_percent").write_text("50\n")
    found = gpus(str(tmp_path))
    assert not isinstance(found, Unavailable)
    assert Gpu("AMD graphics card", 8589934592, 1000, 0.5) in found


@pytest.mark.skipif(bool(shutil.which("nvidia-smi")), reason="a card is there")
def test_no_card_is_unavailable_with_what_would_tell() -> None:
    fact = gpus("/nonexistent")
    assert isinstance(fact, Unavailable)
    assert "nvidia-smi" in fact.reason


def test_there_are_as_many_processes_as_proc_lists() -> None:
    found = here().processes()
    assert not isinstance(found, Unavailable)
    assert near(len(found), sum(name.isdigit() for name in os.listdir("/proc")), 0.3)
