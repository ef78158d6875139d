"""How a type of Python is spelt for a reader of another language; one Dialect a language."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

import attrs

from zsh_ls.model.results import NotAsked


@attrs.frozen
class TypeSpelling:
    """The words of a language: its plain types, a list, a map from text, a literal, a named type."""

    plain: Mapping[Any, str]
    between: str
    list_of: Callable[[str], str]
    map_of: Callable[[str], str]
    literal: Callable[[str], str]
    named: Callable[[type], str]


def spelt(hint: Any, dialect: TypeSpelling) -> str:
    """`hint` in the words of `dialect`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in dialect.plain:
        return dialect.plain[hint]
    if origin is Literal:
        return dialect.between.join(dialect.literal(json.dumps(word)) for word in arguments)
    if origin in (UnionType, typing.Union):
        return dialect.between.join(spelt(argument, dialect) for argument in arguments)
    if origin is tuple or getattr(origin, "__name__", "") == "Sequence":
        return dialect.list_of(spelt(arguments[0], dialect))
    if getattr(origin, "__name__", "") == "Mapping":
        return dialect.map_of(spelt(arguments[1], dialect))
    return dialect.named(hint)


def where_asked(hint: Any) -> Any:
    """`hint` as it is where somebody asked for it."""
    kept = tuple(argument for argument in get_args(hint) if argument is not NotAsked)
    return hint if len(kept) == len(get_args(hint)) else typing.Union[kept]  # noqa: UP007


def without_none(hint: Any) -> Any:
    """`hint` as it is where it is given at all."""
    kept = tuple(argument for argument in get_args(hint) if argument is not NoneType)
    return hint if len(kept) == len(get_args(hint)) else typing.Union[kept]  # noqa: UP007
