"""The last 64 durations of a pattern in 256 bytes, and the curve they make (POLL-4).

An entry is an unsigned 32-bit little-endian number: milliseconds, shifted left
by one, with the lowest bit set where the run was cut short. 64 is where the
error of the median after a change of speed (6%) meets that of a steady
command (6%); 32 and 128 lose on one side each (`python -m tests.bench estimates`).
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections import Counter
from functools import lru_cache

from zsh_ls.model.estimate import Curve, Sample

RING_LENGTH = 64
ENTRY_BYTES = 4
LONGEST_MS = 2**31 - 1
_CUT_SHORT = bytes(low_byte & 1 for low_byte in range(256))


def with_sample(ring: bytes, duration_ms: int, *, censored: bool, is_older: bool = False) -> bytes:
    """The ring with one more duration; an older one goes before the rest, if there is room."""
    entry = struct.pack("<I", min(max(duration_ms, 0), LONGEST_MS) << 1 | censored)
    kept = RING_LENGTH * ENTRY_BYTES
    if is_older:
        return ring if len(ring) >= kept else entry + ring
    return (ring + entry)[-kept:]


def without_samples(ring: bytes, gone: bytes) -> bytes:
    """The ring without as many of each duration as there are in `gone`, the newest of them first."""
    entries, left = [], Counter(_entries(gone))
    for entry in reversed(_entries(ring)):
        if left[entry]:
            left[entry] -= 1
        else:
            entries.append(entry)
    return b"".join(reversed(entries))


def _entries(ring: bytes) -> list[bytes]:
    return [ring[at : at + ENTRY_BYTES] for at in range(0, len(ring), ENTRY_BYTES)]


def without_newest_if_cut(ring: bytes) -> bytes:
    """The ring before its last run, where that one was cut short: what was known when it was killed."""
    return ring[:-ENTRY_BYTES] if ring and ring[-ENTRY_BYTES] & 1 else ring


def samples_of(ring: bytes) -> list[Sample]:
    """The durations of a ring, oldest first."""
    entries = array("I", ring)
    if sys.byteorder != "little":
        entries.byteswap()
    return [Sample((entry >> 1) / 1000, bool(entry & 1)) for entry in entries]


def ended_in(ring: bytes) -> int:
    """How many runs of the ring ended by themselves."""
    return ring[::ENTRY_BYTES].translate(_CUT_SHORT).count(0)


@lru_cache(maxsize=512)
def curve_of(ring: bytes) -> Curve:
    """The survival curve of a ring; kept, because the same lines of a script are looked at again."""
    return Curve.of(samples_of(ring))
