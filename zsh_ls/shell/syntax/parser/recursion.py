"""Python's recursion limit, raised while scripts are parsed.

It holds for the whole interpreter, so of several threads that parse at once
the last one to finish restores the limit that the first one found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .lexer import MAX_DEPTH

# The most Python frames that one level takes; callers may have used up the default limit.
FRAMES_PER_LEVEL = 16
_FRAMES_NEEDED = MAX_DEPTH * FRAMES_PER_LEVEL + 1000

# The limits found by the parses now running; the first is the one to restore.
_found: list[int] = []


@contextmanager
def deep_stack() -> Iterator[None]:
    """Allow as many Python frames as MAX_DEPTH levels of nesting take."""
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
