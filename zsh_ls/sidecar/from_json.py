"""What clients send, from JSON to frozen values: strict, every refusal with its path; for every frontend.

A lenient converter would coerce `"7"` to 7 and drop unknown keys silently; this
one refuses, naming the field and what was expected there. The other
direction is `sidecar.to_json`, the same for all frontends.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, get_args

import attrs
import cattrs
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn

T = TypeVar("T")

LONGEST_SHOWN = 60
MOST_PROBLEMS = 5

_SNAKE = re.compile(r"(?<=[a-z])_([a-z])")


class WrongType(TypeError):
    """A value of another kind than the field takes; the message says both."""

    def __init__(self, expected: str, got: object) -> None:
        super().__init__(f"expected {expected}, got {shown(got)}")


def shown(value: object) -> str:
    """`value` as JSON, cut to what fits in a message."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _string(value: Any) -> str:
    if type(value) is not str:
        raise WrongType("a string", value)
    return value


def _unicode(value: Any) -> str:
    """A string that can be handed to the system, without half a surrogate pair."""
    value = _string(value)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise WrongType("Unicode text without lone surrogates", value) from None
    return value  # type: ignore[no-any-return]


def _boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise WrongType("true or false", value)
    return value


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise WrongType("an integer", value)
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise WrongType("a number", value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise WrongType("a finite number", value)
    return number


def _token(value: Any, _: type) -> int | str | None:
    if value is None or type(value) in (int, str):
        return value  # type: ignore[no-any-return]
    raise WrongType("an integer or a string", value)


PRIMITIVES: dict[type, Callable[[Any], Any]] = {
    str: _string,
    bool: _boolean,
    int: _integer,
    float: _number,
}


def made_strict(converter: cattrs.Converter) -> cattrs.Converter:
    """`converter`, but that it refuses a `"7"` where an integer is wanted."""
    for kind, check in PRIMITIVES.items():
        converter.register_structure_hook(kind, _primitive(kind, check))
    return converter


def _primitive(primitive: type, check: Callable[[Any], Any]) -> Callable[[Any, type], Any]:
    def hook(value: Any, kind: type) -> Any:
        # cattrs asks the hook of `str` for a StrEnum as well.
        return check(value) if kind is primitive else _member(value, kind)

    return hook


def _member(value: Any, kind: Any) -> Any:
    words = [member.value for member in kind]
    if type(value) not in (str, int) or value not in words:
        raise WrongType(" or ".join(map(shown, words)), value)
    return kind(value)


def _one_of(kind: Any) -> Callable[[Any, type], Any]:
    words = get_args(kind)

    def hook(value: Any, _: type) -> Any:
        if type(value) is not str or value not in words:
            raise WrongType(" or ".join(map(shown, words)), value)
        return value

    return hook


def _object(cls: type[T], converter: cattrs.Converter) -> Callable[[Any, type], T]:
    generated = make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True)

    def hook(value: Any, kind: type) -> T:
        if type(value) is not dict:
            raise WrongType("an object", value)
        return generated(value, kind)

    return hook


def _mapping(kind: Any, converter: cattrs.Converter) -> Callable[[Any, type], Any]:
    generated = converter.gen_structure_mapping(kind)

    def hook(value: Any, _: type) -> Any:
        if type(value) is not dict:
            raise WrongType("an object", value)
        return generated(value, kind)

    return hook


def _list(kind: Any, converter: cattrs.Converter) -> Callable[[Any, type], Any]:
    item = get_args(kind)[0]
    each = converter.get_structure_hook(item)

    def hook(value: Any, _: type) -> Any:
        if type(value) is not list:
            raise WrongType("a list", value)
        return tuple(each(element, item) for element in value)

    return hook


def _converter() -> cattrs.Converter:
    converter = made_strict(cattrs.Converter(detailed_validation=True))
    converter.register_structure_hook(str, _primitive(str, _unicode))
    converter.register_structure_hook_factory(
        lambda kind: getattr(kind, "__origin__", None) is Literal, _one_of
    )
    converter.register_structure_hook_factory(_is_tuple, lambda kind: _list(kind, converter))
    converter.register_structure_hook_factory(_is_mapping, lambda kind: _mapping(kind, converter))
    converter.register_structure_hook_factory(attrs.has, lambda cls: _object(cls, converter))
    converter.register_structure_hook(int | str | None, _token)
    return converter


def _is_tuple(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is tuple


def _is_mapping(kind: Any) -> bool:
    return getattr(getattr(kind, "__origin__", None), "__name__", "") == "Mapping"


_WIRE = _converter()


MISFITS = (BaseValidationError, TypeError, ValueError, KeyError)
"""What `params_of` raises for params that do not fit."""


def params_of(cls: type[T], given: object) -> T:
    """`given` as params; raises cattrs' errors, for `problems` to word. Absent params are empty ones."""
    return _WIRE.structure({} if given is None else given, cls)


def problems(error: Exception, *, is_ours: bool) -> str:
    """What is wrong with params, each by its path: `params.timeout: expected a number, got "7"`.

    In messages that are not ours the fields are named as LSP spells them.
    """
    found = list(dict.fromkeys(_problems(error, "params")))
    said = "; ".join(found[:MOST_PROBLEMS])
    return said if is_ours else _SNAKE.sub(lambda letter: letter[1].upper(), said)


def _problems(error: BaseException, path: str) -> Iterator[str]:
    if isinstance(error, BaseValidationError):
        for inner in error.exceptions:
            yield from _problems(inner, path + _step(inner))
    elif isinstance(error, ForbiddenExtraKeysError):
        known = [field.name for field in attrs.fields(error.cl) if not field.name.endswith("Token")]
        names = f"known are {', '.join(known)}" if known else "none is known here"
        for name in sorted(error.extra_fields):
            yield f"{path}.{name}: unknown field; {names}"
    elif isinstance(error, KeyError):
        yield f"{path}: a required field is missing"
    elif isinstance(error, WrongType):
        yield f"{path}: {error}"
    else:
        yield f"{path}: {_reason(error)}"


def _step(error: BaseException) -> str:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return f".{note.name}"
        if isinstance(note, IterableValidationNote):
            index = note.index
            return f"[{index}]" if isinstance(index, int) else f".{index}"
    return ""


def _reason(error: BaseException) -> str:
    """The words of a validator; of anything else only that it does not fit."""
    text = str(error)
    return text if re.match(r"expected ", text) else "does not fit what the protocol says"
