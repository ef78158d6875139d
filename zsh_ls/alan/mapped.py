"""A mapped file that is cut while SQLite looks into it: the kernel's SIGBUS, answered instead of obeyed.

The file is made as long again, the instruction is repeated, and it finds zeros,
which SQLite takes for an index that has to be made anew. Linux; elsewhere the
looks of `LogFiles` before each use are all there is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Any

_SI_ADDR_OFFSET = 16
_MOST_IN_A_ROW = 1_000
_SA_SIGINFO, _SA_NODEFER = 0x4, 0x40000000
_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Action(ctypes.Structure):
    """`struct sigaction` of the C library."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * (1024 // (8 * ctypes.sizeof(ctypes.c_ulong)))),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _Handled:
    """Which files are looked after, how long they were, and what the signal did before."""

    size_bytes: dict[str, int] = {}  # noqa: RUF012
    before = _Action()
    ours: Any = None
    in_a_row = 0
    cuts = 0


def cuts_survived() -> int:
    """How often a file was found cut while it was looked into."""
    return _Handled.cuts


def renewed(path: str, size_bytes: int) -> None:
    """Make the file one of zeros: an index of which a part is left would be believed."""
    os.truncate(path, 0)
    os.truncate(path, size_bytes)


def survive_cuts(path: str, size_bytes: int) -> None:
    """From now on a cut of the mapped file at `path`, so long as yet, ends this process no more."""
    if not sys.platform.startswith("linux") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    _Handled.size_bytes[os.path.realpath(path)] = size_bytes
    if _Handled.ours is None:
        _Handled.ours = _Handler(_on_signal)
        action = _Action(
            handler=ctypes.cast(_Handled.ours, ctypes.c_void_p).value,
            flags=_SA_SIGINFO | _SA_NODEFER,
        )
        ctypes.CDLL(None).sigaction(
            signal.SIGBUS, ctypes.byref(action), ctypes.byref(_Handled.before)
        )


def _on_signal(number: int, info: int, _: int) -> None:
    """Called where the instruction failed: in SQLite, by the thread that has no part of Python then."""
    address = ctypes.c_uint64.from_address(info + _SI_ADDR_OFFSET).value
    try:
        may_go_on = _reaches(address)
    except (OSError, ValueError):
        may_go_on = False
    if not may_go_on:
        # Not ours: what was done before is done when the instruction fails again.
        ctypes.CDLL(None).sigaction(number, ctypes.byref(_Handled.before), None)


def _reaches(address: int) -> bool:
    """Whether the file that is mapped at `address` is one of ours, and reaches so far now."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(maxsplit=5)
            start, end = (int(part, 16) for part in fields[0].split("-"))
            path = fields[-1]
            if start <= address < end and path in _Handled.size_bytes:
                reach = int(fields[2], 16) + end - start
                if os.stat(path).st_size < reach:
                    renewed(path, max(reach, _Handled.size_bytes[path]))
                    _Handled.in_a_row = 0
                    _Handled.cuts += 1
                # Another thread may have done it. Else it is another fault: the disk may be full.
                _Handled.in_a_row += 1
                return _Handled.in_a_row < _MOST_IN_A_ROW
    return False
