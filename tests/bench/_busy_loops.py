"""Processes that keep processors busy for as long as a benchmark runs, however that ends."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

# The pipe is closed where the benchmark is gone, also by SIGKILL, which lets it end nothing itself.
_LOOP = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True: pass
"""


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[tuple[int, ...]]:
    """The ids of so many processes that want a processor all the time, each in a session of its own."""
    with contextlib.ExitStack() as ended:
        loops = []
        for _ in range(count):
            loop = subprocess.Popen(
                [sys.executable, "-c", _LOOP], stdin=subprocess.PIPE, start_new_session=True
            )
            ended.enter_context(loop)
            ended.callback(loop.kill)
            loops.append(loop.pid)
        yield tuple(loops)
