"""Takes large structures down piece by piece: Python frees a whole with all it holds while no thread runs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

# So many objects are taken down at once.
PIECE = 1_000
# By a list, by the variable of its loop, and by the call that asks.
_HELD_HERE_ALONE = 3
_WITH_PARTS = (tuple, list, dict, set, frozenset)


def take_down(things: list[object]) -> None:
    """Empty `things` so that not too many objects go at once: parts are held until their whole has gone.

    What others hold stays as it is, with its parts.
    """
    ahead = list(things)
    things.clear()
    while ahead:
        count = _together(ahead)
        some = ahead[-count:]
        del ahead[-count:]
        ahead.extend(_parts_of(some))


def _together(ahead: list[object]) -> int:
    """How many of the last ones go together: one alone that has very many parts."""
    last = enumerate(reversed(ahead[-PIECE:]))
    before = next((at for at, it in last if isinstance(it, _WITH_PARTS) and len(it) > PIECE), PIECE)
    return max(1, before)


def _parts_of(some: list[object]) -> Iterator[object]:
    """The parts of those that nobody else holds; the others come again with the last of who holds them."""
    parts = gc.get_referents(*(it for it in some if sys.getrefcount(it) == _HELD_HERE_ALONE))
    for start in range(0, len(parts), PIECE):
        # Each once: otherwise it would seem to be held by another.
        once = {id(it): it for it in parts[start : start + PIECE] if gc.is_tracked(it)}
        yield from once.values()
