"""Long answers are put together in a thread, from a text that no edit touches meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from zsh_ls.sidecar.long_texts import in_thread

from .text import Text

# On a line of a megabyte each place takes a millisecond to count.
MANY_PLACES = 50
# To write so many things down takes a few milliseconds.
MANY_THINGS = 300

Made = TypeVar("Made")


async def worded(text: Text, things: int, wording: Callable[[Text], Made]) -> Made:
    """So many things that were found in a text in words of the protocol."""
    if things <= MANY_PLACES:
        return wording(text)
    return await in_thread(partial(wording, text.still()))


def is_long(result: Any) -> bool:
    """Whether writing a result down would hold up others: it is, or holds, a list of many things."""
    for listed in (result, getattr(result, "items", None), getattr(result, "data", None)):
        if type(listed) is list:
            return len(listed) > MANY_THINGS
    return False
