"""A clock that stands still, in every Python process that finds this folder first on its path.

The program asks for the time in one place, the methods `now` and `monotonic` of its clock. Calls of
`time.time` and `time.monotonic` from a method of that name in the program are answered from the file that
`HELD_CLOCK` names: eight bytes, the seconds since the day began. All other calls (the event loop's timers,
deadlines, other programs) get the real time.
"""

import mmap
import os
import struct
import sys
import time

DAY_BEGAN_S = 1772442000.0  # 2026-03-02 09:00 UTC, a Monday


def _hold(path: str) -> None:
    with open(path, "rb") as file:
        shared = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
    real_time, real_monotonic = time.time, time.monotonic

    def passed_s() -> float:
        return struct.unpack_from("d", shared)[0]

    def asked_by_clock() -> bool:
        code = sys._getframe(2).f_code
        return (
            code.co_name in ("now", "monotonic") and f"{os.sep}zsh_ls{os.sep}" in code.co_filename
        )

    time.time = lambda: DAY_BEGAN_S + passed_s() if asked_by_clock() else real_time()
    time.monotonic = lambda: 1000.0 + passed_s() if asked_by_clock() else real_monotonic()


if "HELD_CLOCK" in os.environ:
    _hold(os.environ["HELD_CLOCK"])
