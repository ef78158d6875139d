"""Long answers are built in a thread, from a copy of the text that no edit changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from json import JSONEncoder
from typing import Any, TypeVar

import attrs

from zsh_ls.sidecar.documents.executor import run_in_thread

from .documents import Text

# On a line of a megabyte, finding the column of one position takes a millisecond.
MANY_PLACES = 50
# Serializing this many items, or so many characters, takes a few milliseconds.
MANY_THINGS = 300
MANY_CHARACTERS = 100_000

Made = TypeVar("Made")


async def worded(text: Text, things: int, wording: Callable[[Text], Made]) -> Made:
    """The result of `wording`, in a thread if it converts many things found in `text`."""
    if things <= MANY_PLACES:
        return wording(text)
    return await run_in_thread(partial(wording, text.snapshot()))


def is_long(result: Any) -> bool:
    """Whether serializing a result takes long: it has many items, nested ones too, or a long text."""
    things, parts = 0, [result]
    while parts and things <= MANY_THINGS:
        part = parts.pop()
        if type(part) is str and len(part) > MANY_CHARACTERS:
            return True
        if type(part) is list:
            things += len(part)
            parts += part[:MANY_THINGS]
        elif type(part) is dict:
            parts += part.values()
        elif attrs.has(type(part)):
            parts += [getattr(part, it.name) for it in attrs.fields(type(part))]
    return things > MANY_THINGS


def in_pieces(plain: Any, encoder: JSONEncoder) -> Iterator[str]:
    """JSON text in small pieces: no other thread runs while the encoder makes one."""
    if type(plain) is list and plain:
        yield from _enclosed("[", _listed(plain, encoder), "]")
    elif type(plain) is dict and plain:
        members = (
            chain((encoder.encode(name), ":"), in_pieces(value, encoder))
            for name, value in plain.items()
        )
        yield from _enclosed("{", members, "}")
    elif type(plain) is str and len(plain) > MANY_CHARACTERS:
        starts = range(0, len(plain), MANY_CHARACTERS)
        parts = (encoder.encode(plain[it : it + MANY_CHARACTERS])[1:-1] for it in starts)
        yield from chain('"', parts, '"')
    else:
        yield encoder.encode(plain)


def _listed(things: list[Any], encoder: JSONEncoder) -> Iterator[Iterable[str]]:
    for start in range(0, len(things), MANY_THINGS):
        some = things[start : start + MANY_THINGS]
        if any(type(it) in (dict, list, str) and is_long(it) for it in some):
            yield from (in_pieces(it, encoder) for it in some)
        else:
            yield (encoder.encode(some)[1:-1],)


def _enclosed(opening: str, members: Iterable[Iterable[str]], closing: str) -> Iterator[str]:
    between = opening
    for member in members:
        yield between
        yield from member
        between = ","
    yield closing
