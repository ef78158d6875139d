"""JSON schemas of the arguments and results of tools, generated from their types."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from zsh_ls.model.results import NotAsked
from zsh_ls.sidecar.to_json import KEPT_BACK

from .tool import LEFT_OUT

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def schema_of(kind: Any, described: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The schema of a type; `described` are the descriptions of an attrs class's own fields."""
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if attrs.has(kind):
        return _object(kind, described or {})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [member.value for member in kind]}
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin in (Union, types.UnionType):
        kinds = [one for one in inner if one is not NotAsked]
        if all(one in _PLAIN for one in kinds):
            return {"type": [_PLAIN[one] for one in kinds]}
        return {"anyOf": [schema_of(one) for one in kinds]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": schema_of(inner[0])}
    return {}


def _object(cls: type, described: Mapping[str, str]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    held = LEFT_OUT | KEPT_BACK.get(cls, set())
    fields = [field for field in attrs.fields(cls) if field.name not in held]
    properties = {}
    for field in fields:
        kind = hints[field.name]
        # Who has no value leaves the argument out; several models' APIs take one type alone.
        shape = schema_of(_without_none(kind) if field.default is None else kind)
        if field.name in described:
            shape["description"] = described[field.name]
        if isinstance(field.default, str | bool | int | float):
            shape["default"] = field.default
        properties[field.name] = shape
    required = [field.name for field in fields if field.default is attrs.NOTHING]
    shape = {"type": "object", "properties": properties}
    return {**shape, "required": required} if required else shape


def _without_none(kind: Any) -> Any:
    kinds = [one for one in get_args(kind) if one is not type(None)]
    return kinds[0] if len(kinds) == 1 else kind


def fields_described(docstring: str) -> dict[str, str]:
    """The `name: what it is` lines of a docstring, by name."""
    found: dict[str, str] = {}
    for line in docstring.splitlines():
        name, colon, text = line.strip().partition(": ")
        if colon and name.isidentifier():
            found[name] = text
    return found
