"""What crosses between two processes: the methods of `TaskService`, and what can be subscribed to.

A method is called by its name; its arguments and its result are converted by
the types that `TaskService` declares.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import attrs
import cattrs

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.span import Span
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.to_json import leave_out_none

_CONVERTER = cattrs.Converter()
# So that a result crosses as frontends write it.
leave_out_none(_CONVERTER)


# cattrs leaves the annotations of a NamedTuple as the texts they are.
@_CONVERTER.register_structure_hook
def _span(value: Any, _: Any) -> Span:
    start, end = value
    return Span(int(start), int(end))


def _value_of(subscribe: Callable[..., Any]) -> type:
    """The type of the value that a method's `listener` is called with."""
    ((value,), _) = get_args(get_type_hints(subscribe)["listener"])
    return value  # type: ignore[no-any-return]


REMOTE_METHODS = frozenset(
    name for name, it in vars(TaskService).items() if inspect.iscoroutinefunction(it)
)
"""The names of the methods that can be called from another process."""

NEWS: Mapping[str, type] = {
    name: _value_of(it) for name, it in vars(TaskService).items() if name.startswith("on_")
}
"""What can be subscribed to, and the type of the value each piece of news carries."""


@attrs.frozen
class Method:
    """One remote method: its signature and the types of its arguments and its result."""

    signature: inspect.Signature
    types: Mapping[str, Any]
    result: Any

    def packed(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call as JSON knows them."""
        given = self.signature.bind(None, *args, **kwargs).arguments
        return {name: packed(given[name]) for name in self.types if name in given}

    def unpacked(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call that came; raises InvalidRequest where they do not fit."""
        try:
            self.signature.bind(None, **params)
            return {
                name: _CONVERTER.structure(value, self.types[name])
                for name, value in params.items()
            }
        except (
            ArithmeticError,
            KeyError,
            ValueError,
            TypeError,
            cattrs.BaseValidationError,
        ) as wrong:
            raise InvalidRequest(f"params: {type(wrong).__name__}: {wrong}") from None


@cache
def remote_method(name: str) -> Method:
    """The method of that name; raises InvalidRequest for what cannot be called from elsewhere."""
    if name not in REMOTE_METHODS:
        raise InvalidRequest(f"Unknown method: {name}")
    declared: Callable[..., Any] = getattr(TaskService, name)
    types = get_type_hints(declared)
    result = types.pop("return")
    return Method(inspect.signature(declared), types, result)


def packed(value: object) -> Any:
    """An argument, a result or a piece of news as JSON knows it."""
    return _CONVERTER.unstructure(value)


def unpacked(value: Any, kind: Any) -> Any:
    """The value of `kind` that was packed at the other end."""
    return None if kind is type(None) else _CONVERTER.structure(value, kind)
