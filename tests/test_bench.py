"""What benchmarks leave behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from tests.bench._busy_loops import busy_loops

ROOT = Path(__file__).parents[1]
HOLDS = """
from tests.bench._busy_loops import busy_loops
with busy_loops(2) as loops:
    print(*loops, flush=True)
    input()
"""


def has_ended(pid: int) -> bool:
    """Whether a process that is no child of this one has ended; waits for it."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with os.fdopen(handle) as ends:
        return bool(select.select([ends], [], [], 30.0)[0])


def test_busy_loops_end_with_the_benchmark_that_is_killed() -> None:
    command = [sys.executable, "-c", HOLDS]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as bench:
        assert bench.stdout is not None
        loops = [int(it) for it in bench.stdout.readline().split()]
        assert len(loops) == 2
        bench.send_signal(signal.SIGKILL)
    assert all(has_ended(it) for it in loops)


def test_busy_loops_end_with_what_they_disturb() -> None:
    with busy_loops(1) as (loop,):
        os.kill(loop, 0)
    assert has_ended(loop)
