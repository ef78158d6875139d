"""Whatever is killed, and whenever: no process, no folder, no control group and no mount is left (REH-4).

The moments are spread over the start of a rehearsal and the run of its script, so that some fall between
two steps that belong together.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from zsh_ls.rehearsal.sandbox import CGROUPS, PREFIX
from zsh_ls.system.private_folders import passing_places

# A process that has been told to end does so; how long that takes under load is nobody's promise.
PATIENCE_S = 120
MOMENTS_S = [round(0.06 * step, 2) for step in range(1, 21)]
LATER_S = [0.5, 0.8, 1.2, 1.6, 2.0]
SCRIPT = """#!/bin/bash
trap '' HUP TERM INT
(setsid sleep 600 &)
chmod 000 locked
while :; do
  cp notes.txt copy
  echo x > /etc/zsh-ls-rehearsed
done
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "locked" / "deep").mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("one\n")
    script = tmp_path / "script"
    script.write_text(SCRIPT)
    return script


def started(script: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "rehearse", "--timeout", "60", str(script)],
        cwd=script.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def left(pid: int, script: Path) -> list[str]:
    """What there is of the rehearsal of a process, in words."""
    own = f"{PREFIX}{pid}-"
    found = []
    for place in [*passing_places(), *(root for root, _ in CGROUPS)]:
        with suppress(OSError):
            found += [f"{place}/{it}" for it in os.listdir(place) if it.startswith(own)]
    for process in psutil.process_iter(["cmdline"]):
        words = " ".join(process.info["cmdline"] or ())
        if own in words or str(script) in words:
            found.append(f"process {process.pid}: {words[:200]}")
    found += [it for it in Path("/proc/self/mountinfo").read_text().splitlines() if own in it]
    return found


def of_the_sandbox(outer: psutil.Process) -> dict[str, psutil.Process]:
    """Its processes by what they are, as far as they have begun."""
    found = {}
    with suppress(psutil.NoSuchProcess):
        for process in outer.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                # bubblewrap is tried out first; that one has no filter.
                if process.name() == "bwrap" and "--seccomp" in process.cmdline():
                    found["bwrap" if process.ppid() == outer.pid else "first"] = process
                elif process.name() == "bash":
                    found.setdefault("shell", process)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("moment_s", [*MOMENTS_S, *LATER_S])
def test_a_rehearsal_that_is_killed_leaves_nothing(script: Path, moment_s: float) -> None:
    running = started(script)
    with suppress(subprocess.TimeoutExpired):
        running.wait(moment_s)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate(timeout=PATIENCE_S)
    end = time.monotonic() + PATIENCE_S
    # Who clears up is nobody's child by now: there is nothing to wait for but what it does.
    while (found := left(running.pid, script)) and time.monotonic() < end:
        os.sched_yield()
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("which", ["bwrap", "first", "shell"])
@pytest.mark.parametrize("moment_s", LATER_S)
def test_a_sandbox_that_is_killed_ends_the_rehearsal_and_leaves_nothing(
    script: Path, which: str, moment_s: float
) -> None:
    """It says so, in place of waiting for a script that is gone."""
    running = started(script)
    with suppress(subprocess.TimeoutExpired):
        running.wait(moment_s)
    outer = psutil.Process(running.pid)
    while which not in (found := of_the_sandbox(outer)) and running.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.01)
    assert which in found, running.communicate()[0]
    found[which].kill()
    said, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode in {0, 3}, said
    assert "exit: 137" in said or "refused" in said, said
    assert left(running.pid, script) == []
