"""Python's recursion limit, raised while scripts are parsed.

It holds for the whole interpreter, so of several threads that parse at once
the last one to finish restores the limit that the first one found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .lexer import MAX_DEPTH

# One level of nesting takes at most so many Python frames; callers may have used up the default.
FRAMES_PER_LEVEL = 16
_FRAMES_NEEDED = MAX_DEPTH * FRAMES_PER_LEVEL + 1000

# The limits found by those who parse now; the first found the one to put back.
_found: list[int] = []


@contextmanager
def deep_stack() -> Iterator[None]:
    """Stack for MAX_DEPTH levels."""
    _found.append(sys.getrecursionlimit())
    sys.setrecursionlimit(max(_found[0], _FRAMES_NEEDED))
    try:
        yield
    finally:
        limit = _found[0]
        _found.pop()
        if not _found:
            # Python refuses where this thread was deeper itself while another one parsed.
            with suppress(RecursionError):
                sys.setrecursionlimit(limit)
