"""Facts of the machine, held against what /proc, df and psutil say of the same machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from zsh_ls.machine.facts import here
from zsh_ls.machine.gpu import gpus
from zsh_ls.machine.mounts import filesystems
from zsh_ls.machine.packages import package_manager
from zsh_ls.machine.proc import ProcMachine
from zsh_ls.machine.psutil_facts import PsutilMachine
from zsh_ls.model.machine import Gpu, Machine, Unavailable

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/meminfo"), reason="compares with /proc")
BOTH: Sequence[Machine] = (ProcMachine(), PsutilMachine())
both = pytest.mark.parametrize("machine", BOTH, ids=lambda machine: type(machine).__name__)


def near(given: float, other: float, share: float = 0.2) -> bool:
    return abs(given - other) <= share * max(given, other, 1)


@both
def test_memory_is_what_meminfo_says(machine: Machine) -> None:
    lines = Path("/proc/meminfo").read_text().splitlines()
    kib = {name: int(rest.split()[0]) for name, rest in (line.split(":") for line in lines)}
    use = machine.memory()
    assert not isinstance(use, Unavailable)
    assert use.total_bytes == kib["MemTotal"] * 1024
    assert near(use.available_bytes, kib["MemAvailable"] * 1024)
    assert use.swap_total_bytes == kib["SwapTotal"] * 1024


@both
def test_the_root_file_system_is_what_df_says(machine: Machine) -> None:
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


@both
def test_the_cpu_has_a_name_its_cpus_and_a_share(machine: Machine) -> None:
    use = machine.cpu()
    assert not isinstance(use, Unavailable)
    assert use.model
    assert use.logical == os.cpu_count()
    assert use.physical is None or use.physical <= use.logical
    assert 0 <= use.busy_share <= 1


@both
def test_the_load_is_the_kernels(machine: Machine) -> None:
    load = machine.load()
    assert not isinstance(load, Unavailable)
    assert abs(load.fifteen - os.getloadavg()[2]) < 0.5


def test_processes_are_seen_with_their_memory_and_cpu() -> None:
    command = ["python3", "-c", "x = bytearray(50_000_000)\nwhile True: pass"]
    with subprocess.Popen(command) as busy:
        try:
            for machine in BOTH:
                _saw_the_busy_one(machine, busy.pid)
        finally:
            busy.kill()


def _saw_the_busy_one(machine: Machine, pid: int) -> None:
    """It may still be starting, and the machine may be busy: looked for until it shows what it does."""
    for _ in range(50):
        found = machine.processes()
        assert not isinstance(found, Unavailable)
        [seen] = [process for process in found if process.pid == pid]
        if seen.cpu_share > 0 and seen.resident_bytes >= 50_000_000:
            return
    raise AssertionError(seen)


def test_both_readers_see_the_same_interfaces_and_addresses() -> None:
    seen = []
    for machine in BOTH:
        found = machine.interfaces()
        assert not isinstance(found, Unavailable)
        seen.append({one.name: (one.is_up, sorted(one.addresses)) for one in found})
    assert seen[0] == seen[1]


def test_traffic_only_grows() -> None:
    machine = ProcMachine()
    before, after = machine.interfaces(), machine.interfaces()
    assert not isinstance(before, Unavailable)
    assert not isinstance(after, Unavailable)
    for old, new in zip(before, after, strict=True):
        assert new.received_bytes >= old.received_bytes


def test_here_is_this_machine() -> None:
    assert here().system() == "linux"
    assert isinstance(here(), ProcMachine)


def test_a_proc_that_cannot_be_read_is_unavailable_and_says_why(tmp_path: Path) -> None:
    blind = ProcMachine(str(tmp_path))
    for fact in (blind.memory(), blind.cpu(), blind.load(), blind.interfaces()):
        assert isinstance(fact, Unavailable)
        assert "No such file or directory" in fact.reason
        assert fact.collect


def test_a_meminfo_without_its_lines_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 5 kB\n")
    fact = ProcMachine(str(tmp_path)).memory()
    assert isinstance(fact, Unavailable)
    assert "MemAvailable" in fact.reason


def test_arm_kernels_without_a_model_still_have_a_processor(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text("cpu  10 0 10 80 0 0 0 0 0 0\n")
    (tmp_path / "cpuinfo").write_text(
        "processor\t: 0\nBogoMIPS\t: 50\n\nprocessor\t: 1\n\nRevision: 1\n"
    )
    use = ProcMachine(str(tmp_path)).cpu()
    assert not isinstance(use, Unavailable)
    assert use.logical == 2
    assert use.model.endswith("processor")


def test_a_device_mounted_twice_counts_once_and_networks_are_not_asked(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    odd = tmp_path / "two words"
    odd.mkdir()
    escaped = str(odd).replace(" ", "\\040")
    mounts.write_text(
        f"/dev/sda1 {escaped} ext4 rw 0 0\n/dev/sda1 {tmp_path} ext4 rw 0 0\n"
        "server:/home /home nfs4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n"
    )
    found = filesystems(str(mounts))
    assert not isinstance(found, Unavailable)
    assert [system.mount for system in found] == [str(odd)]


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


def test_psutil_and_proc_agree_on_how_many_processes_there_are() -> None:
    found = ProcMachine().processes()
    assert not isinstance(found, Unavailable)
    assert near(len(found), len(psutil.pids()), 0.3)
