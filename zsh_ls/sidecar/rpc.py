"""What of the façade can be asked from another process, and how its values travel: one table.

A method crosses by its name; its arguments and its result are turned by the
types that `SidecarInterface` declares, so that one more name in the table is
all a new method needs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

import attrs
import cattrs

from zsh_ls import __version__
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.results import Progress

from .interface import SidecarInterface

# Documents, settings and the end of the sidecar are its own door's.
REMOTE_METHODS = frozenset(
    {
        "ask",
        "circuit",
        "command_stats",
        "explain",
        "health",
        "hints_for",
        "insights_for",
        "interrupt",
        "kill",
        "memory_stats",
        "output",
        "poll",
        "resize",
        "run",
        "run_script",
        "send",
        "tasks",
    }
)
# What can be subscribed to, and the value each piece of news carries.
TRUST = "on_trust_changed"
NEWS: Mapping[str, type] = {"on_progress": Progress, "on_insights_changed": str, TRUST: bool}

HELLO = "hello"
SUBSCRIBE = "subscribe"
UNSUBSCRIBE = "unsubscribe"
# Raised when messages change their meaning; another version's sidecar is not joined.
LINK_VERSION = 2
RPC_VERSION = f"{__version__}/{LINK_VERSION}"

_CONVERTER = cattrs.Converter()


@attrs.frozen
class Method:
    """One method of the façade: its signature and the types of its arguments and its result."""

    signature: inspect.Signature
    types: Mapping[str, Any]
    result: Any

    def packed(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call as JSON knows them."""
        given = self.signature.bind(None, *args, **kwargs).arguments
        return {name: _CONVERTER.unstructure(given[name]) for name in self.types if name in given}

    def unpacked(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call that came; raises BadRequest where they do not fit."""
        try:
            self.signature.bind(None, **params)
            return {
                name: _CONVERTER.structure(value, self.types[name])
                for name, value in params.items()
            }
        except (KeyError, ValueError, TypeError, cattrs.BaseValidationError) as wrong:
            raise InvalidRequest(f"params: {type(wrong).__name__}: {wrong}") from None


@cache
def method(name: str) -> Method:
    """The method of that name; raises BadRequest for what does not cross."""
    if name not in REMOTE_METHODS:
        raise InvalidRequest(f"Unknown method: {name}")
    declared: Callable[..., Any] = getattr(SidecarInterface, name)
    types = get_type_hints(declared)
    result = types.pop("return")
    return Method(inspect.signature(declared), types, result)


def packed(value: object) -> Any:
    """A result or a piece of news as JSON knows it."""
    return _CONVERTER.unstructure(value)


def unpacked(value: Any, kind: Any) -> Any:
    """The value of `kind` that was packed at the other end."""
    return None if kind is type(None) else _CONVERTER.structure(value, kind)
