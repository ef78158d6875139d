"""Removes what a rehearsal leaves whose own process was killed.

It reads a Python literal from its standard input: `begins`, how the names of all its folders begin, the
`places` where they are, and the `groups` where its control groups are. Then it waits. A further byte says
that all is removed; an end of the input without one, that the process is gone.
"""

from __future__ import annotations

import ast
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

LONGEST_END_S = 30.0
LOOK_EVERY_S = 0.02
MOST_BYTES = 65536


def main() -> None:
    """Wait, and clear up where that is needed."""
    plan = ast.literal_eval(sys.stdin.readline(MOST_BYTES) or "None")
    if plan is None or sys.stdin.read(1):
        return
    begins = plan["begins"]
    end = time.monotonic() + LONGEST_END_S
    while running := list(_running(begins)):
        for pid in running:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > end:
            break
        time.sleep(LOOK_EVERY_S)
    for place in plan["places"]:
        for path in _below(place, begins):
            _remove(path)
    for place in plan["groups"]:
        for path in _below(place, begins):
            _remove_group(path, end)


def _running(begins: str) -> Iterator[int]:
    """The launcher, bubblewrap and the sandbox's first process, which ends all others with it.

    The kernel ends them with their parent, but for one that had only begun.
    """
    wanted = f"/{begins}".encode()
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        with suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
            is_ours = words[0].endswith(b"bwrap") or any(
                it.endswith(b"/launcher.py") for it in words[:4]
            )
            if is_ours and any(wanted in it for it in words):
                yield int(name)


def _below(place: str, begins: str) -> Iterator[str]:
    with suppress(OSError):
        yield from (f"{place}/{it}" for it in os.listdir(place) if it.startswith(begins))


def _remove(path: str) -> None:
    """A tree, whatever modes a script has set in it."""
    for folder, names, _ in os.walk(path):
        for name in names:
            with suppress(OSError):
                if not os.path.islink(f"{folder}/{name}"):
                    os.chmod(f"{folder}/{name}", 0o700)
    shutil.rmtree(path, ignore_errors=True)


def _remove_group(path: str, end: float) -> None:
    while os.path.isdir(path) and time.monotonic() < end:
        try:
            os.rmdir(path)
        except OSError:
            time.sleep(LOOK_EVERY_S)


main()
