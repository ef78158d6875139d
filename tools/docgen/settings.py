"""Reads the message classes: requests, structures, fields and their descriptions."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import typing
from collections.abc import Iterable
from enum import Enum
from typing import Any, get_args

import attrs

from tools.docgen.type_names import where_asked
from zsh_ls.model.results import Progress
from zsh_ls.server import features
from zsh_ls.server.messages import RequestTokens
from zsh_ls.sidecar.config import NAMES, VARIABLES, Settings

NOTIFICATIONS = {"zsh/progress": Progress}


@attrs.frozen
class Request:
    """A `zsh/*` request: the class of its params, the type of its result."""

    method: str
    summary: str
    params: type
    result: Any


@attrs.frozen
class SettingEntry:
    """One of the `zshLs` settings; `variable` is the environment's name for it, if it has one."""

    name: str
    hint: Any
    default: str
    variable: str | None


def requests() -> list[Request]:
    """All requests, by name."""
    names = sorted(found.name for found in pkgutil.iter_modules(features.__path__))
    modules = [importlib.import_module(f"{features.__name__}.{name}") for name in names]
    return [
        Request(module.METHOD, _after_colon(module.__doc__), module.Params, module.RESULT)
        for module in modules
        if hasattr(module, "Params")
    ]


def settings() -> list[SettingEntry]:
    """All settings, as docs/protocol.md orders them."""
    defaults, hints = Settings(), typing.get_type_hints(Settings)
    variables = {field: name for name, (field, _) in VARIABLES.items()}
    return [
        SettingEntry(name, hints[field], json.dumps(getattr(defaults, field)), variables.get(field))
        for name, (field, _) in NAMES.items()
    ]


def variables_only() -> list[str]:
    """The environment variables without a corresponding setting."""
    with_names = {field for field, _ in NAMES.values()}
    return [name for name, (field, _) in VARIABLES.items() if field not in with_names]


def own_fields(params: type) -> list[attrs.Attribute[Any]]:
    """The fields of a request's params that are not LSP's tokens."""
    tokens = {field.name for field in attrs.fields(RequestTokens)}
    return [field for field in attrs.fields(params) if field.name not in tokens]


def field_descriptions(kind: type) -> dict[str, str]:
    """The descriptions of fields: the lines `field: text` of the class's docstring."""
    lines = (line.partition(": ") for line in inspect.cleandoc(kind.__doc__ or "").splitlines())
    names = {field.name for field in attrs.fields(kind)}
    return {name: text for name, colon, text in lines if colon and name in names}


def description_of(kind: type) -> str:
    """The class's docstring in one paragraph, without the lines about its fields."""
    fields = field_descriptions(kind)
    lines = inspect.cleandoc(kind.__doc__ or "").splitlines()
    return " ".join(line for line in lines if line and line.partition(": ")[0] not in fields)


def classes(hint: Any) -> list[type]:
    """The attrs classes in a type."""
    return _mentioned(hint, attrs.has)


def closure(kinds: Iterable[type]) -> list[type]:
    """`kinds` and all classes in their fields, each once, in the order of discovery."""
    found: dict[type, None] = {}
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop(0)
        if kind not in found:
            found[kind] = None
            hints = typing.get_type_hints(kind).values()
            waiting[:0] = [inner for hint in hints for inner in classes(hint)]
    return list(found)


def vocabularies(kinds: Iterable[type]) -> list[type[Enum]]:
    """The enums in the fields of `kinds`, each once; NotAsked is no word of the wire."""
    hints = [where_asked(hint) for kind in kinds for hint in typing.get_type_hints(kind).values()]
    return list(dict.fromkeys(word for hint in hints for word in _mentioned(hint, _is_enum)))


def undocumented() -> list[str]:
    """The params without a line in their class's docstring."""
    return [
        f"{request.method} {field.name}"
        for request in requests()
        for field in own_fields(request.params)
        if field.name not in field_descriptions(request.params)
    ]


def _mentioned(hint: Any, wanted: typing.Callable[[type], bool]) -> list[Any]:
    if isinstance(hint, type) and wanted(hint):
        return [hint]
    return [kind for argument in get_args(hint) for kind in _mentioned(argument, wanted)]


def _is_enum(kind: type) -> bool:
    return issubclass(kind, Enum)


def _after_colon(doc: str | None) -> str:
    text = (doc or "").partition(": ")[2].strip()
    return f"{text[:1].upper()}{text[1:]}"
