"""Params, what clients send: declared by the request they become, read from JSON; for every frontend.

A lenient converter would coerce `"7"` to 7 and drop unknown keys silently; the one
here refuses, naming the field and what was expected there. The other
direction is `sidecar.to_json`, the same for all frontends.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs
import cattrs
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from zsh_ls.lazy import re

T = TypeVar("T")
Request = TypeVar("Request", bound=attrs.AttrsInstance)

LONGEST_SHOWN = 60
MOST_PROBLEMS = 5

_SNAKE = re.compile(r"(?<=[a-z])_([a-z])")


OfRequest = Annotated[Any, "as the request declares it"]
"""The annotation of a field that has the type and the default of the request's field of its name."""


def takes_fields_of(request: type[attrs.AttrsInstance]) -> Callable[[type[T]], type[T]]:
    """A decorator that makes a class of params a frozen one; `request` declares its fields `OfRequest`.

    A field of the request that the class does not name is not offered to clients.
    Raises TypeError for an `OfRequest` that the request does not have.
    """
    taken = {field.name: field for field in attrs.fields(request)}
    types = get_type_hints(request)

    def derived(params: type[T]) -> type[T]:
        hints = get_type_hints(params, include_extras=True)
        annotations: dict[str, Any] = inspect.get_annotations(params)
        for name in annotations:
            if hints[name] != OfRequest:
                continue
            if name not in taken:
                raise TypeError(f"{params.__qualname__}: {name} is no field of the request")
            annotations[name] = types[name]
            setattr(params, name, attrs.field(default=taken[name].default))
        params.__annotations__ = annotations
        return attrs.frozen(params)

    return derived


def request_from(params: Any, request: type[Request], **others: Any) -> Request:
    """The request with the fields that it shares with `params`, and with `others` as they are given."""
    kinds: tuple[Any, Any] = type(params), request
    shared = {name: getattr(params, name) for name in _shared_fields(*kinds)}
    return request(**(shared | others))


@cache
def _shared_fields(params: Any, request: Any) -> tuple[str, ...]:
    offered = {field.name for field in attrs.fields(params)}
    return tuple(field.name for field in attrs.fields(request) if field.name in offered)


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


Hook = Callable[[Any], Any]


class StrictConverter:
    """JSON to frozen values of the types that params have, refusing what does not fit exactly.

    The hook for a type is chosen here and not by a cattrs converter. That one asks a list of predicates
    and takes an exception in one of them, such as a stack that is used up at that moment, for a no: the
    next hook of its list is a lenient one of its own, and it is kept for as long as the process lives.
    """

    def __init__(self) -> None:
        # Asked for the settings of a class's function alone; each field brings its hook along.
        self._settings = cattrs.Converter(detailed_validation=True)
        self._hooks: dict[Any, Hook] = {kind: PRIMITIVES[kind] for kind in (bool, int, float)}
        self._hooks[str] = _unicode
        self._hooks[int | str | None] = _token

    def structure(self, given: object, cls: type[T]) -> T:
        """`given` as a value of `cls`; raises one of MISFITS."""
        return self._hook(cls)(given)  # type: ignore[no-any-return]

    def _hook(self, kind: Any) -> Hook:
        if kind not in self._hooks:
            self._hooks[kind] = self._made(kind)
        return self._hooks[kind]

    def _made(self, kind: Any) -> Hook:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return partial(_one_of, arguments)
        if origin is tuple and arguments[1:] == (...,):
            return partial(_list, self._hook(arguments[0]))
        if origin is Mapping and arguments[0] is str:
            return partial(_mapping, self._hook(arguments[1]))
        # `Literal[…] | None` is a Union, unlike one of classes.
        if origin in (UnionType, Union) and len(arguments) == 2 and arguments[1] is NoneType:
            return partial(_optional, self._hook(arguments[0]))
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return partial(_member, kind=kind)
        if isinstance(kind, type) and attrs.has(kind):
            return self._object(kind)
        raise TypeError(f"params cannot have a field of type {kind}")

    def _object(self, cls: type[attrs.AttrsInstance]) -> Hook:
        attrs.resolve_types(cls)
        overrides = {
            field.name: override(struct_hook=_of_cattrs(self._hook(field.type)))
            for field in attrs.fields(cls)
        }
        generated = make_dict_structure_fn(
            cls,
            self._settings,
            _cattrs_forbid_extra_keys=True,
            _cattrs_detailed_validation=True,
            **overrides,  # type: ignore[arg-type]  # mypy takes them for the settings before them
        )

        def hook(value: Any) -> Any:
            if type(value) is not dict:
                raise WrongType("an object", value)
            return generated(value, cls)

        return hook


def _token(value: Any) -> int | str | None:
    if value is None or type(value) in (int, str):
        return value  # type: ignore[no-any-return]
    raise WrongType("an integer or a string", value)


def _of_cattrs(hook: Hook) -> Callable[[Any, Any], Any]:
    """`hook` as cattrs calls its own: with the type too."""
    return lambda value, _: hook(value)


def _one_of(words: tuple[str, ...], value: Any) -> str:
    if type(value) is not str or value not in words:
        raise WrongType(" or ".join(map(shown, words)), value)
    return value


def _optional(hook: Hook, value: Any) -> Any:
    return None if value is None else hook(value)


def _list(hook: Hook, value: Any) -> tuple[Any, ...]:
    if type(value) is not list:
        raise WrongType("a list", value)
    return tuple(map(hook, value))


def _mapping(hook: Hook, value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise WrongType("an object", value)
    made, errors = {}, []
    for name, each in value.items():
        try:
            made[_unicode(name)] = hook(each)
        except Exception as error:
            error.add_note(IterableValidationNote(f"@ {name!r}", name, Any))
            errors.append(error)
    if errors:
        raise IterableValidationError("in an object", errors, dict)
    return made


_WIRE = StrictConverter()


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
    text = "; ".join(found[:MOST_PROBLEMS])
    return text if is_ours else _SNAKE.sub(lambda letter: letter[1].upper(), text)


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
        # The words of a validator of ours; of anything else only that it does not fit.
        text = str(error)
        is_ours = text.startswith("expected ")
        yield f"{path}: {text if is_ours else 'does not fit what the protocol says'}"


def _step(error: BaseException) -> str:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return f".{note.name}"
        if isinstance(note, IterableValidationNote):
            index = note.index
            return f"[{index}]" if isinstance(index, int) else f".{index}"
    return ""
