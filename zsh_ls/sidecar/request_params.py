"""Params of frontends, derived from the request they become; `model.requests` alone declares its fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import attrs

Params = TypeVar("Params")
Request = TypeVar("Request", bound=attrs.AttrsInstance)


def takes_fields_of(request: type[attrs.AttrsInstance]) -> Callable[[type[Params]], type[Params]]:
    """A decorator for a class of params: a frozen class with the fields that its docstring describes.

    A line `name: text` of the docstring is a field. One that the class
    declares itself is as it says there; any other has the type and the default
    of the request's field of that name. A field of the request without a line
    is not offered.
    """
    taken = {field.name: field for field in attrs.fields(request)}
    types = get_type_hints(request)

    def derived(params: type[Params]) -> type[Params]:
        own: dict[str, Any] = inspect.get_annotations(params)
        annotations: dict[str, Any] = {}
        for name in _described(params):
            if name in own:
                annotations[name] = own[name]
            elif name in taken:
                annotations[name] = types[name]
                setattr(params, name, attrs.field(default=taken[name].default))
            else:
                raise TypeError(f"{params.__qualname__}: {name} is no field of the request")
        undescribed = own.keys() - annotations.keys()
        if undescribed:
            raise TypeError(f"{params.__qualname__}: undescribed fields: {undescribed}")
        params.__annotations__ = annotations
        return attrs.frozen(params)

    return derived


def request_from(params: Any, request: type[Request], **others: Any) -> Request:
    """The request with the fields that it shares with `params`, and with `others` as they are given."""
    offered = {field.name for field in attrs.fields(type(params))}
    names = [field.name for field in attrs.fields(request) if field.name in offered - others.keys()]
    return request(**{name: getattr(params, name) for name in names}, **others)


def _described(params: type) -> list[str]:
    lines = inspect.cleandoc(params.__doc__ or "").splitlines()
    names = (name for name, colon, _ in (line.partition(": ") for line in lines) if colon)
    return [name for name in names if name.isidentifier()]
