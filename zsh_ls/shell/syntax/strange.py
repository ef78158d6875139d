"""Whether a text is like no script: such a one may cost out of all proportion to be read."""

from __future__ import annotations

import zlib

# Scripts shrink to a fifth of their size, and to no less than a twentieth; what costs out of
# proportion is one construct over and over, or one line without end.
LEAST_SHRUNK = 1 / 20
LONGEST_LINE = 5_000


def looks_strange(text: str) -> bool:
    """Whether a text repeats itself, or has lines, as no script does."""
    raw = text.encode("utf-8", "replace")
    if len(zlib.compress(raw, 1)) < LEAST_SHRUNK * len(raw):
        return True
    return max(map(len, text.splitlines())) > LONGEST_LINE
